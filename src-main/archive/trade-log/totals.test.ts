import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { anyDecimal, matches, openHere, START, tradeNumber } from '../../../tests/archive/trades.ts';

const SCALE = 18;
const scaled = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return text.startsWith('-') ? -value : value;
};
const printed = (value: bigint): string => {
  const text = String(value < 0n ? -value : value).padStart(SCALE + 1, '0');
  const fraction = text.slice(-SCALE).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${text.slice(0, -SCALE)}${fraction && `.${fraction}`}`;
};
const total = (list: readonly Trade[], field: 'executedQty' | 'executedQuoteQty' | 'fee'): string =>
  printed(list.reduce((sum, one) => sum + scaled(one[field] ?? ''), 0n));
const groups = (list: readonly Trade[], field: 'symbol' | 'feeAsset'): [string, Trade[]][] =>
  [...Map.groupBy(list, (one) => one[field])].sort(([a], [b]) => (a < b ? -1 : 1));

/** The same totals by whole numbers of 10^-18. */
function oracle(list: readonly Trade[]) {
  return {
    count: list.length,
    leftOut: 0,
    makers: list.filter((one) => one.liquidity === 'MAKER').length,
    unsided: list.filter((one) => one.side === 'ELSE').length,
    symbols: groups(list, 'symbol').map(([symbol, part]) => {
      const bought = part.filter((one) => one.side === 'BUY');
      const sold = part.filter((one) => one.side === 'SELL');
      return {
        symbol,
        boughtQty: total(bought, 'executedQty'),
        boughtQuote: total(bought, 'executedQuoteQty'),
        soldQty: total(sold, 'executedQty'),
        soldQuote: total(sold, 'executedQuoteQty'),
      };
    }),
    fees: groups(list, 'feeAsset').map(([asset, part]) => ({ asset, amount: total(part, 'fee') })),
  };
}

const DAY = 86_400_000;
/** Around midnights, where whole days and single rows meet. */
const time = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(-1, 0, 1, 5_000, DAY / 2))
  .map(([day, ms]) => START + day * DAY + ms);
const trade = fc.record({
  tradeTime: time,
  symbol: fc.constantFrom('A', 'B'),
  side: fc.constantFrom('BUY', 'SELL', 'ELSE'),
  liquidity: fc.constantFrom('TAKER', 'MAKER'),
  feeAsset: fc.constantFrom('USDT', 'BTC'),
  orderId: fc.constantFrom('1', '2'),
  executedQty: anyDecimal,
  executedQuoteQty: anyDecimal,
  fee: anyDecimal,
});
/** Most filters name one or two things. */
const maybe = <T>(some: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: some });
const some = (...values: string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<never[]>([]) }, { weight: 1, arbitrary: fc.subarray(values) });
const filterArbitrary: fc.Arbitrary<TradeFilter> = fc.record({
  symbols: some('A', 'B', 'C'),
  sides: some('BUY', 'SELL'),
  liquidities: some('TAKER', 'MAKER'),
  feeAssets: some('USDT', 'BTC', 'NONE'),
  orderId: maybe(fc.constantFrom('1', '2')),
  from: fc.option(time),
  to: fc.option(time),
  priceFrom: maybe(fc.constantFrom('0', '97000', '200000')),
  priceTo: maybe(fc.constant('97400.5')),
  qtyFrom: maybe(fc.constantFrom('0', '1.5')),
  qtyTo: maybe(fc.constant('10')),
  noted: fc.constant(null),
});

describe('totals of a filter', () => {
  it('are exact for any filter, over batches, days and partial days', () => {
    fc.assert(
      fc.property(
        fc.array(trade, { maxLength: 60, size: 'max' }),
        fc.array(filterArbitrary, { minLength: 12, maxLength: 12 }),
        (changes, filters) => {
          const list = changes.map((change, n) => tradeNumber(n, change));
          const archive = openHere();
          try {
            for (let from = 0; from < list.length; from += 7)
              archive.writer.insert(list.slice(from, from + 7), null, 0);
            for (const filter of filters) {
              const wanted = list.filter(matches(filter));
              expect(archive.totals.of(filter)).toEqual(oracle(wanted));
            }
          } finally {
            archive.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('keep fee assets apart in an archive of many contracts, also from the column cache', async () => {
    const archive = openHere();
    const many = Array.from({ length: 12_000 }, (_, n) => tradeNumber(n, { symbol: `C${n}` }));
    const fees = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'].map((feeAsset, n) =>
      tradeNumber(12_000 + 4 * n, { symbol: 'LAST', feeAsset, fee: '1', price: '1' }),
    );
    archive.writer.insert([...many, ...fees], null, 0);
    const totals = await archive.list.totals({ ...NO_FILTER, priceTo: '1' });
    expect(totals.fees).toEqual(fees.map(({ feeAsset }) => ({ asset: feeAsset, amount: '1' })));
    archive.close();
  });
});
