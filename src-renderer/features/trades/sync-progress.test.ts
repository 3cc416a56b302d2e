import { expect, it } from 'vitest';
import type { SyncStatus } from '../../../src-shared/ipc/trades.ts';
import { faultText, isWhole, offeredOf, orderText, throughputText, stateText } from './sync-progress.ts';

const orders = (change: Partial<SyncStatus['orders']> = {}): Pick<SyncStatus, 'orders'> => ({
  orders: {
    ...{ state: 'complete', stored: 1_240, unsettled: 0, quarantined: 0, gaps: 0, percent: null },
    ...{ completedAt: null, failure: null },
    ...change,
  },
});

it('shows the throughput, and the remaining time if the exchange has a count', () => {
  expect(throughputText({ rate: null, leftMs: null })).toBe('');
  expect(throughputText({ rate: 1_240.4, leftMs: null })).toBe('1,240 per second');
  expect(throughputText({ rate: 0.2, leftMs: 60_000 })).toBe('1 per second · about 60 s left');
});

it('is complete except for unreadable records', () => {
  expect(stateText({ state: 'complete', unreadable: 0 })).toBe('Complete');
  expect(stateText({ state: 'complete', unreadable: 1 })).toBe('Complete except 1 unreadable record');
  expect(stateText({ state: 'failed', unreadable: 2 })).toBe('Sync failed');
  expect([null, { state: 'complete', unreadable: 2 } as const].map(isWhole)).toEqual([false, false]);
  expect(isWhole({ state: 'complete', unreadable: 0 })).toBe(true);
});

it('shows the progress of the order history', () => {
  expect(orderText(orders())).toBe('1,240 orders, complete');
  expect(orderText(orders({ state: 'running', stored: 1, percent: 41.9 }))).toBe(
    '1 order, 41% of the period read',
  );
  expect(orderText(orders({ state: 'failed' }))).toBe('1,240 orders, stopped');
});

it('counts gaps and quarantined records of both histories', () => {
  expect(faultText({ quarantined: 0, ...orders() })).toBeNull();
  expect(faultText({ quarantined: 1, ...orders({ quarantined: 2, gaps: 1 }) })).toBe('1 gap, 3 quarantined');
});

it.each([
  ['complete', 'running', 'pause'],
  ['complete', 'paused', 'resume'],
  ['paused', 'paused', 'resume'],
  ['complete', 'failed', 'retry'],
  ['complete', 'complete', 'again'],
  ['idle', 'idle', 'start'],
] as const)('trades %s, orders %s: %s', (state, other, offered) => {
  expect(offeredOf({ state, ...orders({ state: other }) })).toBe(offered);
});
