import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, amount, print, ZERO } from '../../../src-shared/amount.ts';
import type { CoinResult, StatsDaily } from '../../../src-shared/ipc/archive.ts';
import { barsOf, resultCoins, daysFromFirst, daysOf, otherFeeCoins } from './profit-days.ts';

const DAY = 86_400_000;
const TODAY = Date.parse('2026-11-21T00:00:00Z');
const result = (coin: string, net: string, orders = 1): CoinResult => ({
  coin,
  orders,
  wins: 0,
  losses: 0,
  grossProfit: '0',
  grossLoss: '0',
  profit: net,
  fee: '0',
  net,
});
const daily = (days: StatsDaily['days']): StatsDaily => ({
  days,
  basis: {
    orders: 1,
    trades: 1,
    ordersComplete: true,
    tradesComplete: true,
    unsettled: 0,
    leftOut: { orders: 0, trades: 0 },
  },
});
const day = (back: number, ...results: CoinResult[]): StatsDaily['days'][number] => ({
  day: TODAY - back * DAY,
  results,
  fees: [],
  trades: 2,
  leftOut: 0,
  funding: [{ coin: 'USDT', amount: '-0.5' }],
});

describe('profit by day', () => {
  it('has every day of the range, empty ones included, and keeps coins apart', () => {
    const all = daily([day(2, result('USDT', '1.50'), result('BTC', '0.1')), day(0, result('USDT', '-2'))]);
    expect(resultCoins(all)).toEqual(['USDT', 'BTC']);
    const days = daysOf(all, 'USDT', TODAY - 3 * DAY, TODAY);
    expect(days.map((one) => one.result?.net ?? null)).toEqual([null, '1.50', null, '-2']);
    expect(days.map((one) => one.funding)).toEqual([null, '-0.5', null, '-0.5']);
    expect(daysOf(all, 'BTC', null, TODAY).map((one) => one.result?.net ?? null)).toEqual([
      '0.1',
      null,
      null,
    ]);
  });

  it('starts an axis at the first result, and has at least a week', () => {
    const lengthOf = (back: number, from: number): number =>
      daysFromFirst(daysOf(daily([day(back, result('USDT', '1'))]), 'USDT', TODAY - from * DAY, TODAY))
        .length;
    expect([lengthOf(10, 29), lengthOf(4, 29), lengthOf(29, 29), lengthOf(1, 3)]).toEqual([11, 7, 30, 4]);
    expect(daysFromFirst(daysOf(daily([]), 'USDT', TODAY - 29 * DAY, TODAY))).toHaveLength(30);
  });

  it('names the other coins in which its orders paid fees', () => {
    const rates = { winRate: null, profitFactor: null, drawdown: '0' };
    const of = (coin: string, fees: Readonly<Record<string, string>>) => ({
      ...result(coin, '1'),
      ...rates,
      contracts: Object.entries(fees).map(([symbol, fee]) => ({ ...result(coin, '1'), symbol, fee })),
    });
    const results = [
      of('USDT', { 'BTC-USDT-M': '1', 'ETH-USDT-M': '0' }),
      of('BNB', { 'ETH-USDT-M': '0.1', 'BTC-USD-M': '0.2' }),
      of('BTC', { 'BTC-USD-M': '0.001' }),
      of('OKB', { 'BTC-USDT-M': '0' }),
    ];
    expect(otherFeeCoins({ results }, 'USDT')).toEqual(['BNB']);
    expect(otherFeeCoins({ results }, 'BTC')).toEqual(['BNB']);
    expect(otherFeeCoins({ results }, 'OKB')).toEqual(['USDT']);
  });

  it('has no net for a day of which no order can be read', () => {
    const days = daysOf(
      daily([
        { ...day(2, result('USDT', '1')), leftOut: 1 },
        { ...day(1), leftOut: 2 },
      ]),
      'USDT',
      TODAY - 2 * DAY,
      TODAY,
    );
    const netsOf = (most: number) => barsOf(days, most).bars.map(({ net, leftOut }) => [net, leftOut]);
    expect(netsOf(3)).toEqual([
      ['1', 1],
      [null, 2],
      ['0', 0],
    ]);
    expect(netsOf(1)).toEqual([['1', 3]]);
  });

  it('neither loses nor doubles anything when days are combined into bars', () => {
    const nets = fc.array(fc.tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.boolean()), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(nets, fc.integer({ min: 1, max: 80 }), (list, most) => {
        const days = list.map(([cents, traded], index) => ({
          day: TODAY - (list.length - 1 - index) * DAY,
          result: traded ? result('USDT', print(amount(String(cents)))) : null,
          trades: 0,
          funding: null,
          leftOut: 0,
        }));
        const { bars, span } = barsOf(days, most);
        const sum = (texts: readonly string[]): string =>
          print(texts.reduce((all, one) => add(all, amount(one)), ZERO));
        expect(bars.length).toBeLessThanOrEqual(most);
        expect(sum(bars.map((one) => one.net ?? 'not known'))).toBe(
          sum(days.flatMap((one) => one.result?.net ?? [])),
        );
        expect(bars[0]?.from).toBe(days[0]?.day);
        expect(bars.at(-1)?.to).toBe(TODAY);
        for (const [index, bar] of bars.entries())
          if (index > 0) expect(bar.from).toBe(bars[index - 1]!.from + span * DAY);
      }),
    );
  });
});
