import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import { done, failed } from '../../../src-shared/ipc/failures.ts';
import type { TradeTotals } from '../../../src-shared/ipc/trades.ts';
import { DEFAULT_SETTINGS } from '../../../src-shared/ipc/default-settings.ts';
import { shownAs } from '../../text/shown-as.svelte.ts';
import { fixture, settled } from '../../../tests/renderer/app-fixture.ts';
import InApp from '../../../tests/renderer/InApp.svelte';
import { SYNC_STATUS } from '../../../tests/renderer/sync-status.ts';
import Trades from './Trades.svelte';

const failure = { kind: 'file', message: 'The archive did not reply.', next: 'Try again.' } as const;
const BROKEN = failed(failure);

// The chart waits for it; happy-dom has none.
beforeEach(() => {
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('cancelIdleCallback', () => undefined);
});

it.each([
  ['log', 'The trade log could not be read'],
  ['groups', 'The groups could not be calculated'],
] as const)('shows no totals as being read where the %s cannot be', async (what, fact) => {
  const { app } = await fixture('live', {
    'trades.page': () =>
      what === 'log' ? BROKEN : done({ rows: [], noted: [], count: 1, stored: 1 } as never),
    'trades.groups': () => BROKEN,
  });
  const log = app.tradeLog;
  await log.apply();
  if (what === 'groups') await log.groups.show('day', log.applied);
  render(InApp, { app, component: Trades });
  await settled();
  flushSync();
  expect(screen.getByText(fact)).toBeTruthy();
  expect(screen.queryByRole('group', { name: /^Totals of/ })).toBeNull();
});

it('writes the days of the list in the chosen format, and no tag that looks like one', async () => {
  let kind: 'day' | 'tag' = 'day';
  const sum = () => ({
    ...{ kind, key: '2026-11-02', from: null, to: null, coin: 'USDT', quote: 'USDT', trades: 1, makers: 0 },
    ...{ symbols: [], volume: '1', fees: [], pnl: '1', net: '1', bp: null, unknown: null, uncovered: 0 },
    ...{ leftOut: { trades: 0, orders: 0 }, open: 0, trips: null },
  });
  const { app } = await fixture('live', {
    'trades.page': () => done({ rows: [], noted: [], count: 1, stored: 1 } as never),
    'trades.groups': () => done({ rows: [sum()], count: 1, stored: 1, totals: [] } as never),
  });
  shownAs.value = { ...DEFAULT_SETTINGS, dateFormat: 'day-first' };
  const log = app.tradeLog;
  await log.apply();
  render(InApp, { app, component: Trades });
  for (const [by, name] of [
    ['day', '02.11.2026'],
    ['tag', '2026-11-02'],
  ] as const) {
    kind = by;
    await log.groups.show(by, log.applied);
    await settled();
    flushSync();
    expect(document.querySelector('[data-field=key]')?.textContent.trim()).toBe(name);
  }
});

it('says that the totals could not be calculated, and calculates them again by Retry', async () => {
  const totals: TradeTotals = { count: 1, makers: 0, leftOut: 0, unsided: 0, symbols: [], fees: [] };
  const { app, replies } = await fixture('live', {
    'trades.page': () => done({ rows: [], noted: [], count: 1, stored: 1 } as never),
    'trades.totals': () => BROKEN,
  });
  await app.tradeLog.apply();
  render(InApp, { app, component: Trades });
  await settled();
  flushSync();
  expect(screen.getByText('The totals could not be calculated')).toBeTruthy();
  expect(screen.queryByRole('group', { name: 'Totals of this filter' })).toBeNull();

  replies['trades.totals'] = () => done(totals);
  await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await settled();
  flushSync();
  expect(screen.queryByText('The totals could not be calculated')).toBeNull();
  const band = screen.getByRole('group', { name: 'Totals of this filter' });
  expect(band.querySelector('[data-figure=count]')?.textContent).toBe('1');
});

it('says that the sync failed where no trade is stored, and not that it is under way', async () => {
  const { app } = await fixture('live', {
    'trades.page': () => done({ rows: [], noted: [], count: 0, stored: 0 } as never),
  });
  await app.tradeLog.apply();
  render(InApp, { app, component: Trades });
  expect(screen.getByText('They appear here during the sync.')).toBeTruthy();
  flushSync(() => (app.tradeSync.status = { ...SYNC_STATUS, state: 'failed', failure }));
  expect(screen.getByText('The sync failed. They appear here once it works.')).toBeTruthy();
});
