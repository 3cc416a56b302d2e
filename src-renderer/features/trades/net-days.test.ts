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

it('adds the groups that a coin has for each quote coin of its contracts; an unknown one leaves the day unknown', () => {
  const fees = [
    { asset: 'BTC', amount: '0.1' },
    { asset: 'USDT', amount: '5' },
  ];
  const usd: SumGroup = { ...day('2026-11-01', 'BTC'), quote: 'USD', net: '0.9', fees };
  const eur: SumGroup = { ...day('2026-11-01', 'BTC'), quote: 'EUR', net: '-0.25', pnl: '-0.2', fees };
  const sums = (...groups: readonly SumGroup[]) => netDays(groups, 'BTC', 60)[0]?.sums;
  expect(sums(usd, eur)).toEqual({ net: '0.65', pnl: '0.8', fees: '0.2' });
  expect(sums(usd, { ...eur, net: null, pnl: null })).toEqual({ net: null, pnl: null, fees: '0.2' });
});
