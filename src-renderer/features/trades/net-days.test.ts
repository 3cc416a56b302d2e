import { expect, it } from 'vitest';
import type { SumGroup } from '../../../src-shared/ipc/trade-groups.ts';
import { netDays } from './net-days.ts';

const day = (key: string, coin: string): SumGroup => ({
  kind: 'day',
  key,
  coin,
  quote: coin,
  from: null,
  to: null,
  trades: 1,
  makers: 0,
  symbols: [],
  volume: '1',
  fees: [],
  pnl: '1',
  net: '1',
  bp: null,
  unknown: null,
  uncovered: 0,
  leftOut: { trades: 0, orders: 0 },
  open: 0,
  trips: null,
});

it('lists every day between the first and the last, of one coin, oldest first', () => {
  const groups = [day('2026-11-02', 'USDT'), day('2026-11-01', 'BTC'), day('2026-10-30', 'USDT')];
  expect(netDays(groups, 'USDT', 60).map(({ key, sums }) => [key, sums?.net ?? null])).toEqual([
    ['2026-10-30', '1'],
    ['2026-10-31', null],
    ['2026-11-01', null],
    ['2026-11-02', '1'],
  ]);
  expect(netDays(groups, 'USDT', 2).map(({ key }) => key)).toEqual(['2026-11-01', '2026-11-02']);
  expect(netDays(groups, 'ETH', 60)).toEqual([]);
});
