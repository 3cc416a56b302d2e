/**
 * Exact totals of a filter: whole days from the cached daily totals, partial days from their rows, filters by price or
 * quantity from the column cache.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { TradeFilter, TradeTotals } from '../../../src-shared/ipc/trades.ts';
import { asInteger } from '../sqlite/row-types.ts';
import {
  ROW_AS_TOTAL,
  totalOf,
  type DailyTotal,
  type DailyTotalsCache,
} from '../trades/daily-totals-cache.ts';
import { ColumnSum } from '../lib/decimal-column.ts';
import { AssetSums, DecimalSum } from '../lib/decimal-sum.ts';
import { conditionOf, hasDailyTotals, totalMatches } from '../trades/filter-sql.ts';
import type { TradeColumns } from './column-cache.ts';
import { QUARTER_HOUR_MS } from './periods.ts';
import type { View } from './sorted-views.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

type Names = 'symbol' | 'side' | 'liquidity' | 'feeAsset';
/** Totals of trades with equal symbol, side, liquidity and fee asset, by their names. */
export type Part = Omit<DailyTotal, Names> & { readonly [N in Names]: string };

/** Returns the whole UTC days inside the filter's times; null if there are none or daily totals do not apply. */
function wholeDays(filter: TradeFilter): readonly [first: number, last: number] | null {
  if (!hasDailyTotals(filter)) return null;
  const first = filter.from === null ? 0 : Math.ceil(filter.from / DAY_MS);
  const last = filter.to === null ? Number.MAX_SAFE_INTEGER : Math.floor((filter.to + 1) / DAY_MS) - 1;
  return first <= last ? [first, last] : null;
}

/** Returns the filter's totals. `sums`: the worker's daily totals. */
export function totalsOf(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  sums: DailyTotalsCache,
): TradeTotals {
  const total = new TotalsSum();
  const take = (part: Part): void => total.add(part);
  const days = wholeDays(filter);
  if (days === null) addRows(db, strings, filter, take);
  else {
    const [first, last] = days;
    const matches = totalMatches(filter, strings);
    sums.read(first, last, (one) => {
      if (matches(one)) take(partOfTotal(one, strings));
    });
    addCutDays(db, strings, filter, days, take);
  }
  return total.result(leftOut(db, strings, filter));
}

/** Passes the parts of each UTC day, with its start (ms); returns false if daily totals do not apply. */
export function eachDay(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  sums: DailyTotalsCache,
  take: (part: Part, day: number) => void,
): boolean {
  const days = wholeDays(filter);
  if (days === null) return false;
  const matches = totalMatches(filter, strings);
  sums.each(...days, (day, one) => {
    if (matches(one)) take(partOfTotal(one, strings), day * DAY_MS);
  });
  addCutDays(db, strings, filter, days, take);
  return true;
}

/** Adds the partial days at the filter's edges, from their rows. */
function addCutDays(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  [first, last]: readonly [number, number],
  take: (part: Part, time: number) => void,
): void {
  if (filter.from !== null && filter.from < first * DAY_MS)
    addRows(db, strings, { ...filter, to: first * DAY_MS - 1 }, take);
  if (filter.to !== null && filter.to >= (last + 1) * DAY_MS)
    addRows(db, strings, { ...filter, from: (last + 1) * DAY_MS }, take);
}

const partOfTotal = (one: DailyTotal, strings: StringTable): Part => ({
  ...one,
  symbol: strings.valueOf(one.symbol),
  side: strings.valueOf(one.side),
  liquidity: strings.valueOf(one.liquidity),
  feeAsset: strings.valueOf(one.feeAsset),
});

/** Rows per turn of the event loop. */
const STEP = 20_000;

interface Group {
  readonly row: number;
  count: number;
  readonly qty: ColumnSum;
  readonly quote: ColumnSum;
  readonly fee: ColumnSum;
}

/** Returns totals of a view's rows, from the column cache. `notCounted`: as `leftOut` returns it. */
export function* totalsOfView(
  view: View,
  columns: TradeColumns,
  strings: StringTable,
  notCounted: number,
): Generator<undefined, TradeTotals> {
  const total = new TotalsSum();
  for (const part of yield* partsOfView(view, columns, strings)) total.add(part);
  return total.result(notCounted);
}

/** Returns parts of a view's rows by period, as numbered by `periodOf`; fastest for rows in time order. */
export function* partsOfView(
  { rows, stored }: View,
  columns: TradeColumns,
  strings: StringTable,
  periodOf: (time: number) => number = () => 0,
): Generator<undefined, readonly (Part & { readonly period: number })[]> {
  const times = yield* columns.numbers('tradeTime', stored);
  const symbols = yield* columns.numbers('symbol', stored);
  const sides = yield* columns.numbers('side', stored);
  const liquidities = yield* columns.numbers('liquidity', stored);
  const feeAssets = yield* columns.numbers('feeAsset', stored);
  const qty = yield* columns.decimals('executedQty', stored);
  const quote = yield* columns.decimals('executedQuoteQty', stored);
  const fee = yield* columns.decimals('fee', stored);
  // The string table is small: four of its ids fit one safe integer.
  const most = 1 + Math.max(0, ...strings.ids());
  let period = -1;
  let inPeriod = new Map<number, Group>();
  const byPeriod = new Map<number, Map<number, Group>>();
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const now = periodOf(times[row]!);
    if (now !== period) {
      period = now;
      inPeriod = byPeriod.get(now) ?? new Map<number, Group>();
      byPeriod.set(now, inPeriod);
    }
    const key = ((symbols[row]! * most + sides[row]!) * most + liquidities[row]!) * most + feeAssets[row]!;
    let group = inPeriod.get(key);
    if (group === undefined) {
      group = {
        row,
        count: 0,
        qty: new ColumnSum(qty),
        quote: new ColumnSum(quote),
        fee: new ColumnSum(fee),
      };
      inPeriod.set(key, group);
    }
    group.count++;
    group.qty.add(row);
    group.quote.add(row);
    group.fee.add(row);
    if (at % STEP === STEP - 1) yield;
  }
  const partOf = ({ row, count, ...sums }: Group): Part => ({
    count,
    symbol: strings.valueOf(symbols[row]!),
    side: strings.valueOf(sides[row]!),
    liquidity: strings.valueOf(liquidities[row]!),
    feeAsset: strings.valueOf(feeAssets[row]!),
    qty: sums.qty.text(),
    quote: sums.quote.text(),
    fee: sums.fee.text(),
  });
  return [...byPeriod].flatMap(([number, list]) =>
    Array.from(list.values(), (group) => ({ period: number, ...partOf(group) })),
  );
}

const SUMMED = ['executedQty', 'executedQuoteQty', 'fee'] as const;

/** SQL test whether trade `t` has an unreadable number. */
export const HAS_UNREAD = `EXISTS (SELECT 1 FROM trade_received AS r WHERE r.seq = t.seq
  AND r.field IN ('${SUMMED.join("', '")}') AND NOT is_figure(r.received))`;

/**
 * SQL for the trades `t` of a filter with a number of `fields` excluded from totals. CROSS JOIN looks up the trades of the
 * few texts; SQLite would rather look for the texts of every trade.
 */
function unreadTrades(strings: StringTable, filter: TradeFilter, fields: readonly (typeof SUMMED)[number][]) {
  const condition = conditionOf(filter, strings);
  return {
    sql: `trade_received AS r CROSS JOIN trade AS t ON t.seq = r.seq
      WHERE r.field IN (${fields.map(() => '?').join(', ')}) AND NOT is_figure(r.received) AND ${condition.where}`,
    values: [...fields, ...condition.values],
  };
}

/** Counts trades with a number excluded from totals: missing, unreadable or too long to calculate with. */
export function leftOut(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  fields: readonly (typeof SUMMED)[number][] = SUMMED,
  stored = Number.MAX_SAFE_INTEGER,
): number {
  const unread = unreadTrades(strings, filter, fields);
  const found = db
    .prepare(`SELECT count(DISTINCT t.seq) AS n FROM ${unread.sql} AND t.seq <= ?`)
    .get(...unread.values, stored);
  return asInteger(found?.['n']);
}

/** The same trades counted by symbol and quarter of an hour. Time in ms. */
export function leftOutByTime(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
): readonly { readonly symbol: string; readonly time: number; readonly count: number }[] {
  const unread = unreadTrades(strings, filter, SUMMED);
  return db
    .prepare(
      `SELECT t.symbol, min(t.trade_time) AS time, count(DISTINCT t.seq) AS n FROM ${unread.sql}
       GROUP BY t.symbol, t.trade_time / ${QUARTER_HOUR_MS}`,
    )
    .all(...unread.values)
    .map((row) => ({
      symbol: strings.valueOf(asInteger(row['symbol'])),
      time: asInteger(row['time']),
      count: asInteger(row['n']),
    }));
}

function addRows(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  take: (part: Part, time: number) => void,
): void {
  const condition = conditionOf(filter, strings);
  const rows = db
    .prepare(`SELECT trade_time, ${ROW_AS_TOTAL} FROM ${condition.source} WHERE ${condition.where}`)
    .iterate(...condition.values);
  for (const row of rows) take(partOfTotal(totalOf(row), strings), asInteger(row['trade_time']));
}

/** Accumulates totals. A trade with an unknown side counts with its fee, but as neither bought nor sold. */
class TotalsSum {
  readonly #symbols = new Map<string, Traded>();
  readonly #fees = new AssetSums();
  #count = 0;
  #makers = 0;

  add(part: Part): void {
    this.#count += part.count;
    if (part.liquidity === 'MAKER') this.#makers += part.count;
    const traded = this.#symbols.get(part.symbol) ?? {
      boughtQty: new DecimalSum(),
      boughtQuote: new DecimalSum(),
      soldQty: new DecimalSum(),
      soldQuote: new DecimalSum(),
    };
    this.#symbols.set(part.symbol, traded);
    if (part.side === 'BUY') {
      traded.boughtQty.add(part.qty);
      traded.boughtQuote.add(part.quote);
    } else if (part.side === 'SELL') {
      traded.soldQty.add(part.qty);
      traded.soldQuote.add(part.quote);
    }
    this.#fees.add(part.feeAsset, part.fee);
  }

  /** `notCounted`: trades with a number that no total includes. */
  result(notCounted: number): TradeTotals {
    return {
      leftOut: notCounted,
      count: this.#count,
      makers: this.#makers,
      symbols: [...this.#symbols]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([symbol, one]) => ({
          symbol,
          boughtQty: one.boughtQty.text(),
          boughtQuote: one.boughtQuote.text(),
          soldQty: one.soldQty.text(),
          soldQuote: one.soldQuote.text(),
        })),
      fees: this.#fees.list(),
    };
  }
}

type Traded = Readonly<Record<'boughtQty' | 'boughtQuote' | 'soldQty' | 'soldQuote', DecimalSum>>;
