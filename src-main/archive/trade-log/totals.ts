/**
 * Totals of a filter, exact to the last digit: whole days from the sums held in memory, cut days from their rows, and
 * filters by price or quantity from the columns of the rows that fit.
 */
import type { DatabaseSync } from 'node:sqlite';
import { print } from '../../../src-shared/amount.ts';
import type { TradeFilter, TradeTotals } from '../../../src-shared/ipc/trades.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { createDaySums, type DaySums } from '../trades/daily-totals-cache.ts';
import { createColumnSum, type ColumnSum } from '../lib/decimal-column.ts';
import { createDecimalSum, type DecimalSum } from '../lib/decimal-sum.ts';
import { conditionOf, hasBounds, sumFits } from '../trades/filter-sql.ts';
import type { TradeColumns } from './column-cache.ts';
import { DAY_MS } from '../trades/daily-totals.ts';
import type { View } from './sorted-views.ts';
import type { Words } from '../sqlite/string-table.ts';

interface Part {
  readonly count: number;
  readonly symbol: string;
  readonly side: string;
  readonly liquidity: string;
  readonly feeAsset: string;
  /** Exact decimals as text. */
  readonly qty: string;
  readonly quote: string;
  readonly fee: string;
}

/** Whole UTC days inside the filter's times, first to last; null when there are none or days cannot answer it. */
function wholeDays(filter: TradeFilter): readonly [first: number, last: number] | null {
  // Days are not kept by order, price or quantity.
  if (filter.orderId !== null || hasBounds(filter)) return null;
  const first = filter.from === null ? 0 : Math.ceil(filter.from / DAY_MS);
  const last = filter.to === null ? Number.MAX_SAFE_INTEGER : Math.floor((filter.to + 1) / DAY_MS) - 1;
  return first <= last ? [first, last] : null;
}

/** `sums` are the worker's own where it keeps them; else they are read for this one question. */
export function totalsOf(
  db: DatabaseSync,
  words: Words,
  filter: TradeFilter,
  sums: DaySums = createDaySums(db, () => rowsIn(db)),
): TradeTotals {
  const sum = createSum(leftOut(db, words, filter));
  const days = wholeDays(filter);
  if (days === null) addRows(db, words, filter, sum.add);
  else {
    const [first, last] = days;
    const fits = sumFits(filter, words);
    if (fits !== null)
      sums.read(first, last, (one) => {
        if (fits(one)) sum.add(named(one, words));
      });
    if (filter.from !== null && filter.from < first * DAY_MS)
      addRows(db, words, { ...filter, to: first * DAY_MS - 1 }, sum.add);
    if (filter.to !== null && filter.to >= (last + 1) * DAY_MS)
      addRows(db, words, { ...filter, from: (last + 1) * DAY_MS }, sum.add);
  }
  return sum.totals();
}

/** Rows stored, as the file says now. */
export const rowsIn = (db: DatabaseSync): number =>
  asInteger(db.prepare('SELECT coalesce(max(seq), 0) AS n FROM trade').get()?.['n']);

const named = (
  one: {
    readonly symbol: number;
    readonly side: number;
    readonly liquidity: number;
    readonly feeAsset: number;
  } & Omit<Part, 'symbol' | 'side' | 'liquidity' | 'feeAsset'>,
  words: Words,
): Part => ({
  ...one,
  symbol: words.valueOf(one.symbol),
  side: words.valueOf(one.side),
  liquidity: words.valueOf(one.liquidity),
  feeAsset: words.valueOf(one.feeAsset),
});

/** Rows looked at between two turns of the thread. */
const STEP = 20_000;

interface Group {
  readonly row: number;
  count: number;
  readonly qty: ColumnSum;
  readonly quote: ColumnSum;
  readonly fee: ColumnSum;
}

/** Totals of rows already found, from the columns in memory. */
export function* totalsOfView(
  { rows, stored }: View,
  columns: TradeColumns,
  words: Words,
  unread: number,
): Generator<undefined, TradeTotals> {
  const symbols = yield* columns.numbers('symbol', stored);
  const sides = yield* columns.numbers('side', stored);
  const liquidities = yield* columns.numbers('liquidity', stored);
  const feeAssets = yield* columns.numbers('feeAsset', stored);
  const qty = yield* columns.decimals('executedQty', stored);
  const quote = yield* columns.decimals('executedQuoteQty', stored);
  const fee = yield* columns.decimals('fee', stored);
  const groups = new Map<number, Group>();
  // The dictionary is small: four of its numbers make one safe integer.
  const most = 1 + Math.max(0, ...words.ids());
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const key = ((symbols[row]! * most + sides[row]!) * most + liquidities[row]!) * most + feeAssets[row]!;
    let group = groups.get(key);
    if (group === undefined) {
      group = {
        row,
        count: 0,
        qty: createColumnSum(qty),
        quote: createColumnSum(quote),
        fee: createColumnSum(fee),
      };
      groups.set(key, group);
    }
    group.count++;
    group.qty.add(row);
    group.quote.add(row);
    group.fee.add(row);
    if (at % STEP === STEP - 1) yield;
  }
  const sum = createSum(unread);
  for (const { row, count, ...sums } of groups.values())
    sum.add(
      named(
        {
          symbol: symbols[row]!,
          side: sides[row]!,
          liquidity: liquidities[row]!,
          feeAsset: feeAssets[row]!,
          count,
          qty: print(sums.qty.total()),
          quote: print(sums.quote.total()),
          fee: print(sums.fee.total()),
        },
        words,
      ),
    );
  return sum.totals();
}

/** Trades with a figure that is in no sum: not given, not to be read, or longer than is calculated with. */
export function leftOut(db: DatabaseSync, words: Words, filter: TradeFilter): number {
  const condition = conditionOf(filter, words);
  if (condition === null) return 0;
  const found = db
    .prepare(
      `SELECT count(DISTINCT t.seq) AS n FROM trade_received AS r JOIN trade AS t ON t.seq = r.seq
       WHERE r.field IN ('executedQty', 'executedQuoteQty', 'fee') AND NOT is_figure(r.received)
         AND ${condition.where}`,
    )
    .get(...condition.values);
  return asInteger(found?.['n']);
}

function addRows(db: DatabaseSync, words: Words, filter: TradeFilter, take: (part: Part) => void): void {
  const condition = conditionOf(filter, words);
  if (condition === null) return;
  const rows = db
    .prepare(
      `SELECT symbol, side, liquidity, fee_asset, executed_qty, executed_quote_qty, fee
       FROM ${condition.source} WHERE ${condition.where}`,
    )
    .iterate(...condition.values);
  for (const row of rows)
    take({
      count: 1,
      symbol: words.valueOf(asInteger(row['symbol'])),
      side: words.valueOf(asInteger(row['side'])),
      liquidity: words.valueOf(asInteger(row['liquidity'])),
      feeAsset: words.valueOf(asInteger(row['fee_asset'])),
      qty: asText(row['executed_qty']),
      quote: asText(row['executed_quote_qty']),
      fee: asText(row['fee']),
    });
}

/** A side that is neither BUY nor SELL (open enum) counts as a trade and with its fee, but as neither bought nor sold. */
function createSum(unread: number): {
  readonly add: (part: Part) => void;
  readonly totals: () => TradeTotals;
} {
  const symbols = new Map<string, Traded>();
  const fees = new Map<string, DecimalSum>();
  let count = 0;
  let taker = 0;
  return {
    add(part) {
      count += part.count;
      if (part.liquidity === 'TAKER') taker += part.count;
      const traded = madeOnce(symbols, part.symbol, () => ({
        boughtQty: createDecimalSum(),
        boughtQuote: createDecimalSum(),
        soldQty: createDecimalSum(),
        soldQuote: createDecimalSum(),
      }));
      if (part.side === 'BUY') {
        traded.boughtQty.add(part.qty);
        traded.boughtQuote.add(part.quote);
      } else if (part.side === 'SELL') {
        traded.soldQty.add(part.qty);
        traded.soldQuote.add(part.quote);
      }
      madeOnce(fees, part.feeAsset, () => createDecimalSum()).add(part.fee);
    },
    totals: () => ({
      leftOut: unread,
      count,
      taker,
      symbols: byName(symbols).map(([symbol, one]) => ({
        symbol,
        boughtQty: one.boughtQty.text(),
        boughtQuote: one.boughtQuote.text(),
        soldQty: one.soldQty.text(),
        soldQuote: one.soldQuote.text(),
      })),
      fees: byName(fees).map(([asset, fee]) => ({ asset, amount: fee.text() })),
    }),
  };
}

type Traded = Readonly<Record<'boughtQty' | 'boughtQuote' | 'soldQty' | 'soldQuote', DecimalSum>>;

function madeOnce<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

const byName = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
