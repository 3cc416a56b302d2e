import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { done } from '../../../src-shared/ipc/failures.ts';
import { fixture } from '../../../tests/renderer/app-fixture.ts';
import { pastOrder } from '../../../tests/domain/order-samples.ts';
import { feed } from '../../../tests/renderer/fake-bridge.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import HistoryOrders from './HistoryOrders.svelte';
import { OrderHistory } from './order-history.svelte.ts';

it('says that the polled list may be cut, also at a smaller limit of the exchange’s own', async () => {
  const { app, push } = await fixture('live');
  const history = new OrderHistory(app);
  render(InApp, { app, component: HistoryOrders as never, given: { history } });
  const titleOf = (rows: number): string | undefined => {
    const list = Array.from({ length: rows }, (_, at) => pastOrder({ id: String(at + 1) }));
    push('feed', { connectionId: 'live-1', name: 'history', feed: feed(list, 100 + rows) });
    flushSync();
    return screen.queryByText(/^The newest/)?.textContent;
  };
  expect([499, 500, 1000].map(titleOf)).toEqual([
    undefined,
    'The newest 500 orders, maybe the most the exchange lists at once',
    'The newest 1,000 orders, the most the exchange lists at once',
  ]);
});

it('with a condition on notes is the archive’s, each order in the newest version there is', async () => {
  let rows: readonly HistoryOrder[] = [];
  const { app, requests, count } = await fixture('live', {
    'history.noted': () => done({ rows, truncated: true }),
    'history.query': () => done({ rows, truncated: false, unreadable: [] }),
  });
  const history = new OrderHistory(app);
  const [polled] = app.feeds.history.value!;
  rows = [
    { ...polled!, status: 'NEW' },
    { ...polled!, id: '7', status: 'CANCELED' },
  ];
  history.notes.note = ' late ';
  history.notes.tags = ['Plan'];
  history.from = '2026-11-21';
  await history.search();
  expect(requests.at(-1)).toEqual({
    name: 'history.noted',
    input: {
      ...{ connectionId: 'live-1', symbolId: null, orderId: null },
      ...{ startTime: Date.UTC(2026, 10, 21), endTime: null, noted: { tags: ['Plan'], text: 'late' } },
    },
  });
  expect(history.rows.map(({ status }) => status)).toEqual(['FILLED', 'CANCELED']);
  expect([history.filtered, history.truncated, history.result?.from]).toEqual([true, true, 'archive']);

  history.notes.clear();
  await history.search();
  expect(history.result?.from).toBe('exchange');
  expect(history.rows.map(({ status }) => status)).toEqual(['NEW', 'CANCELED']);
  history.notes.isNoted = true;
  history.clear();
  expect([history.filtered, history.rows, count('history.noted')]).toEqual([false, [polled], 1]);
});
