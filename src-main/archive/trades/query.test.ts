import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import {
  anyId,
  distinctTrades,
  kept,
  matches,
  openHere,
  START,
  tradeNumber,
  trades,
} from '../../../tests/archive/trades.ts';
import { storedId } from '../sqlite/ids.ts';
import { conditionOf } from './filter-sql.ts';

/** Newest first; among equal times by the id as a number. */
const newestFirst = (a: Trade, b: Trade): number =>
  b.tradeTime - a.tradeTime || (BigInt(b.tradeId) < BigInt(a.tradeId) ? -1 : 1);

/** Filters of one or two things, taken from a row, so that most match something. */
const filterOf = (list: readonly Trade[]): fc.Arbitrary<TradeFilter> => {
  const one = <K extends keyof Trade>(field: K): fc.Arbitrary<Trade[K] | null> =>
    list.length === 0
      ? fc.constant(null)
      : fc.oneof(
          { weight: 5, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.constantFrom(...list.map((trade) => trade[field])) },
        );
  const none = fc.constant<never[]>([]);
  const some = <K extends keyof Trade>(field: K): fc.Arbitrary<Trade[K][]> =>
    fc.oneof(
      { weight: 4, arbitrary: none },
      {
        weight: 1,
        arbitrary: list.length === 0 ? none : fc.subarray(list.map((trade) => trade[field])),
      },
    );
  return fc.record({
    symbols: some('symbol'),
    sides: some('side'),
    liquidities: some('liquidity'),
    feeAssets: some('feeAsset'),
    orderId: one('orderId'),
    from: one('tradeTime'),
    to: one('tradeTime'),
    priceFrom: unsigned(one('price')),
    priceTo: unsigned(one('price')),
    qtyFrom: unsigned(one('executedQty')),
    qtyTo: unsigned(one('executedQty')),
    noted: fc.constant(null),
  });
};
const unsigned = (text: fc.Arbitrary<string | null>): fc.Arbitrary<string | null> =>
  text.map((one) => one?.replace('-', '') ?? null);

describe('pages of the trade log', () => {
  it('returns any window of any filter like sorting the whole list, field for field', () => {
    fc.assert(
      fc.property(
        // Ids of one form, so that the order among equal times is the numbers'.
        distinctTrades(40).map((list) =>
          list.map((one, n) => ({ ...one, tradeId: String(10n ** 17n + BigInt(n)) })),
        ),
        fc.gen(),
        (list, gen) => {
          const archive = openHere();
          try {
            archive.writer.insert(list, null, 0);
            const all = list.map(kept);
            for (let n = 0; n < 8; n++) {
              const filter = gen(() => filterOf(all));
              const wanted = all.filter(matches(filter)).sort(newestFirst);
              const offset = gen(() => fc.nat(all.length + 1));
              const limit = 1 + gen(() => fc.nat(all.length));
              expect(archive.reader.page(filter, offset, limit)).toEqual({
                rows: wanted.slice(offset, offset + limit),
                count: wanted.length,
                stored: list.length,
              });
              expect(archive.reader.count(filter)).toBe(wanted.length);
            }
            expect(archive.reader.symbols()).toEqual([...new Set(all.map((one) => one.symbol))].sort());
          } finally {
            archive.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds the trades of a contract that they spell differently, unless it may be another', () => {
    const archive = openHere();
    const spelled = ['BTC_USDT', 'BTCUSDT', 'ABC', 'A-BC-M'].map((symbol, n) => ({
      ...tradeNumber(n),
      symbol,
    }));
    archive.writer.insert(spelled, null, 0);
    const found = (...symbols: string[]) => {
      const { rows, count } = archive.reader.page({ ...NO_FILTER, symbols }, 0, 9);
      expect(archive.reader.count({ ...NO_FILTER, symbols, priceFrom: '0' })).toBe(count);
      return rows.map(({ symbol }) => symbol).sort();
    };
    expect(found('BTC-USDT-M')).toEqual(['BTCUSDT', 'BTC_USDT']);
    expect(found('A-BC-M')).toEqual(['A-BC-M', 'ABC']);
    expect(found('AB-C-M')).toEqual([]);
    expect(found('ETH-USDT-M')).toEqual([]);
    archive.close();
  });

  it('counts again once a row is added', () => {
    const archive = openHere();
    archive.writer.insert(trades(0, 10), null, 0);
    const filter = { ...NO_FILTER, symbols: ['BTC-USDT-M'] };
    expect(archive.reader.count(filter)).toBe(4);
    archive.writer.insert([tradeNumber(30)], null, 0);
    expect(archive.reader.count(filter)).toBe(5);
    archive.close();
  });

  it('reads windows from a covering index, never by scanning or sorting the table', () => {
    const archive = openHere();
    archive.writer.insert(trades(0, 100), null, 0);
    const some = {
      symbols: ['BTC-USDT-M'],
      sides: ['BUY'],
      liquidities: ['TAKER'],
      from: START,
      to: START + 5_000,
    };
    for (const filter of [
      NO_FILTER,
      { ...NO_FILTER, ...some },
      { ...NO_FILTER, symbols: some.symbols },
      { ...NO_FILTER, sides: ['SELL'], from: START },
      { ...NO_FILTER, liquidities: ['MAKER'] },
    ]) {
      const condition = conditionOf(filter, archive.strings);
      const plan = archive.db
        .prepare(
          `EXPLAIN QUERY PLAN SELECT seq FROM ${condition.source} WHERE ${condition.where}
           ORDER BY trade_time DESC, trade_id DESC, symbol DESC LIMIT 100 OFFSET 50`,
        )
        .all(...condition.values)
        .map((row) => String(row['detail']));
      expect(plan).toHaveLength(1);
      expect(plan[0]).toMatch(/USING COVERING INDEX trade_by/);
    }
    archive.close();
  });
});

describe('ids', () => {
  it('are restored digit for digit, also beyond 64 bits and with leading zeros', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { minLength: 1, maxLength: 30 }), (ids) => {
        const archive = openHere();
        archive.writer.insert(
          ids.map((id, n) => tradeNumber(n, { tradeId: id, orderId: id })),
          null,
          0,
        );
        const rows = archive.reader.page(NO_FILTER, 0, 100).rows;
        expect(rows.map((one) => one.tradeId)).toEqual([...ids].reverse());
        for (const id of ids)
          expect(
            archive.reader.page({ ...NO_FILTER, orderId: id }, 0, 9).rows.map((one) => one.orderId),
          ).toEqual([id]);
        archive.close();
      }),
      { numRuns: 40 },
    );
  });

  it('sort as numbers within a millisecond, those of 20 digits last', () => {
    const ids = [
      '2',
      '10',
      '9007199254740993',
      '9223372036854775807',
      '9223372036854775808',
      '10000000000000000000',
    ];
    const archive = openHere();
    archive.writer.insert(ids.map((tradeId) => tradeNumber(0, { tradeId })).reverse(), null, 0);
    expect(archive.reader.page(NO_FILTER, 0, 9).rows.map((one) => one.tradeId)).toEqual([...ids].reverse());
    archive.close();
  });

  it('are integers where 64 signed bits hold them', () => {
    expect(storedId('9223372036854775807')).toBe(9223372036854775807n);
    expect(storedId('9223372036854775808')).toBe('09223372036854775808/9223372036854775808');
    expect(storedId('007')).toBe('00000000000000000007/007');
  });
});
