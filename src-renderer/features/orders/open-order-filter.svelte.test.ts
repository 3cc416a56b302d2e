import { describe, expect, it } from 'vitest';
import { done } from '../../../src-shared/ipc/failures.ts';
import { openOrder } from '../../../tests/domain/order-samples.ts';
import { type Replies, fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import { OpenOrderFilter } from './open-order-filter.svelte.ts';

async function filtering(count: number, replies: Replies = {}, status = (_index: number) => 'OPEN') {
  const all = await fixture('live', replies);
  const rows = Array.from({ length: count }, (_, index) =>
    openOrder({
      orderId: String(index),
      symbolId: index % 2 === 0 ? 'BTC-USDT-M' : 'ETH-USDT-M',
      status: status(index),
    }),
  );
  const { feed } = all.app.feeds.openOrders;
  all.push('feed', {
    connectionId: 'live-1',
    name: 'openOrders',
    feed: { ...feed, value: rows, serial: feed.serial + 99 },
  });
  return { ...all, filter: new OpenOrderFilter(all.app) };
}
const ids = (filter: OpenOrderFilter): string[] => filter.rows.map((one) => one.orderId);

describe('the filter of open orders', () => {
  it('filters the polled orders without a request while the reply holds all of them', async () => {
    const { filter, count } = await filtering(4);
    expect(ids(filter)).toEqual(['0', '1', '2', '3']);
    filter.symbolId = 'ETH-USDT-M';
    await filter.search();
    expect(ids(filter)).toEqual(['1', '3']);
    filter.orderId = ' 3 ';
    expect(ids(filter)).toEqual(['3']);
    filter.orderId = '3a';
    expect(filter.fault).toMatch(/digits/i);
    filter.clear();
    expect([ids(filter).length, count('openOrders.query')]).toEqual([4, 0]);
  });

  it('leaves out what was filled or cancelled, which the exchange may still list', async () => {
    const ended = openOrder({ orderId: '7777', symbolId: 'ETH-USDT-M', status: 'CANCELED' });
    const replies: Replies = {
      'openOrders.query': () => done({ rows: [ended], truncated: false, unreadable: [] }),
    };
    const { filter, app } = await filtering(1_000, replies, (index) => (index < 997 ? 'FILLED' : 'OPEN'));
    expect([ids(filter), app.feeds.resting.length, filter.full]).toEqual([['997', '998', '999'], 3, true]);
    filter.symbolId = 'ETH-USDT-M';
    await filter.search();
    expect(ids(filter)).toEqual([]);
  });

  it('uses the exchange’s own filter when one reply cannot hold all orders', async () => {
    const far = openOrder({ orderId: '7777', symbolId: 'ETH-USDT-M' });
    const { filter, requests } = await filtering(1_000, {
      'openOrders.query': () => done({ rows: [far], truncated: false, unreadable: [] }),
    });
    filter.symbolId = 'ETH-USDT-M';
    void filter.search();
    expect(filter.searching).toBe(true);
    await settled();
    expect(ids(filter)).toEqual(['7777']);
    expect(requests.at(-1)?.input).toEqual({ connectionId: 'live-1', symbolId: 'ETH-USDT-M', orderId: null });
  });

  it('filters by note and tag without a request to the exchange, also beyond what one reply holds', async () => {
    const { filter, app, count } = await filtering(1_000);
    const note = (orderId: string, text: string, ...tags: string[]) => ({ orderId, text, tags, editedAt: 1 });
    app.notes.add([note('1', 'why'), note('2', '', 'Plan'), note('3', '')]);
    filter.notes.isNoted = true;
    expect(ids(filter)).toEqual(['1', '2']);
    filter.notes.note = ' PLAN ';
    expect([ids(filter), filter.notes.count, filter.filtered]).toEqual([['2'], 2, true]);
    filter.symbolId = 'ETH-USDT-M';
    expect(ids(filter)).toEqual([]);
    filter.symbolId = '';
    await filter.search();
    expect([filter.mayHaveMore, count('openOrders.query')]).toEqual([true, 0]);
    filter.clear();
    expect([ids(filter).length, filter.filtered]).toEqual([1_000, false]);
  });

  it('may miss orders where the exchange may list no more: at a round number of them', async () => {
    const mayHaveMore = async (count: number) => (await filtering(count)).filter.mayHaveMore;
    expect([await mayHaveMore(49), await mayHaveMore(50), await mayHaveMore(501)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('may miss orders at exactly 1,000, unless the reply for one contract holds all of them', async () => {
    expect((await filtering(999)).filter.mayHaveMore).toBe(false);
    let truncated = false;
    const { filter } = await filtering(1_000, {
      'openOrders.query': () => done({ rows: [], truncated, unreadable: [] }),
    });
    expect(filter.mayHaveMore).toBe(true);
    filter.symbolId = 'ETH-USDT-M';
    await filter.search();
    expect(filter.mayHaveMore).toBe(false);
    truncated = true;
    await filter.search();
    expect(filter.mayHaveMore).toBe(true);
  });
});
