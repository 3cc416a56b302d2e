/**
 * Exact totals of a filter: whole days from the cached daily totals, partial days from their rows, filters by price or
 * quantity from the column cache.
 */
import type { DatabaseSync } from 'node:sqlite';
import { byText } from '../../../src-shared/by-text.ts';
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

type IdKey = (a: number, b: number, c: number, d: number) => number | string;
/** Returns a key of four ids up to `largest`: one number, unless they are too many to fit a safe integer. */
function keyOfIds(largest: number): IdKey {
  const base = largest + 1;
  return Number.isSafeInteger(base ** 4)
    ? (a, b, c, d) => ((a * base + b) * base + c) * base + d
    : (...ids) => ids.join(' ');
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
  const keyOf = keyOfIds(strings.largestId());
  let period = -1;
  let inPeriod = new Map<number | string, Group>();
  const byPeriod = new Map<number, Map<number | string, Group>>();
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const now = periodOf(times[row]!);
    if (now !== period) {
      period = now;
      inPeriod = byPeriod.get(now) ?? new Map<number | string, Group>();
      byPeriod.set(now, inPeriod);
    }
    const key = keyOf(symbols[row]!, sides[row]!, liquidities[row]!, feeAssets[row]!);
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

/** Field of a number that totals include. */
type Summed = (typeof SUMMED)[number];

export class TotalsReader {
  readonly #db: DatabaseSync;
  readonly #strings: StringTable;
  readonly #days: DailyTotalsCache;

  constructor(db: DatabaseSync, strings: StringTable, days: DailyTotalsCache) {
    this.#db = db;
    this.#strings = strings;
    this.#days = days;
  }

  /** Returns the filter's totals. */
  of(filter: TradeFilter): TradeTotals {
    const total = new TotalsSum();
    const take = (part: Part): void => total.add(part);
    const days = wholeDays(filter);
    if (days === null) this.#addRows(filter, take);
    else {
      const matches = totalMatches(filter, this.#strings);
      this.#days.read(...days, (one) => {
        if (matches(one)) take(partOfTotal(one, this.#strings));
      });
      this.#addCutDays(filter, days, take);
    }
    return total.result(this.leftOut(filter));
  }

  /** Returns totals of the filter's view, from the column cache. */
  *ofView(filter: TradeFilter, view: View, columns: TradeColumns): Generator<undefined, TradeTotals> {
    const notCounted = this.leftOut(filter);
    const total = new TotalsSum();
    for (const part of yield* partsOfView(view, columns, this.#strings)) total.add(part);
    return total.result(notCounted);
  }

  /** Passes the parts of each UTC day, with its start (ms); returns false if daily totals do not apply. */
  eachDay(filter: TradeFilter, take: (part: Part, day: number) => void): boolean {
    const days = wholeDays(filter);
    if (days === null) return false;
    const matches = totalMatches(filter, this.#strings);
    this.#days.each(...days, (day, one) => {
      if (matches(one)) take(partOfTotal(one, this.#strings), day * DAY_MS);
    });
    this.#addCutDays(filter, days, take);
    return true;
  }

  /** Counts trades with a number excluded from totals: missing, unreadable or too long to calculate with. */
  leftOut(filter: TradeFilter, fields: readonly Summed[] = SUMMED, stored = Number.MAX_SAFE_INTEGER): number {
    const unread = this.#unreadTrades(filter, fields);
    const found = this.#db
      .prepare(`SELECT count(DISTINCT t.seq) AS n FROM ${unread.sql} AND t.seq <= ?`)
      .get(...unread.values, stored);
    return asInteger(found?.['n']);
  }

  /** The same trades counted by symbol and quarter of an hour. Time in ms. */
  leftOutByTime(
    filter: TradeFilter,
  ): readonly { readonly symbol: string; readonly time: number; readonly count: number }[] {
    const unread = this.#unreadTrades(filter, SUMMED);
    return this.#db
      .prepare(
        `SELECT t.symbol, min(t.trade_time) AS time, count(DISTINCT t.seq) AS n FROM ${unread.sql}
         GROUP BY t.symbol, t.trade_time / ${QUARTER_HOUR_MS}`,
      )
      .all(...unread.values)
      .map((row) => ({
        symbol: this.#strings.valueOf(asInteger(row['symbol'])),
        time: asInteger(row['time']),
        count: asInteger(row['n']),
      }));
  }

  /** Adds the partial days at the filter's edges, from their rows. */
  #addCutDays(
    filter: TradeFilter,
    [first, last]: readonly [number, number],
    take: (part: Part, time: number) => void,
  ): void {
    if (filter.from !== null && filter.from < first * DAY_MS)
      this.#addRows({ ...filter, to: first * DAY_MS - 1 }, take);
    if (filter.to !== null && filter.to >= (last + 1) * DAY_MS)
      this.#addRows({ ...filter, from: (last + 1) * DAY_MS }, take);
  }

  #addRows(filter: TradeFilter, take: (part: Part, time: number) => void): void {
    const condition = conditionOf(filter, this.#strings);
    const rows = this.#db
      .prepare(`SELECT trade_time, ${ROW_AS_TOTAL} FROM ${condition.source} WHERE ${condition.where}`)
      .iterate(...condition.values);
    for (const row of rows) take(partOfTotal(totalOf(row), this.#strings), asInteger(row['trade_time']));
  }

  /**
   * SQL for the trades `t` of a filter with a number of `fields` excluded from totals. CROSS JOIN looks up the trades of
   * the few texts; SQLite would rather look for the texts of every trade.
   */
  #unreadTrades(filter: TradeFilter, fields: readonly Summed[]) {
    const condition = conditionOf(filter, this.#strings);
    return {
      sql: `trade_received AS r CROSS JOIN trade AS t ON t.seq = r.seq
        WHERE r.field IN (${fields.map(() => '?').join(', ')}) AND NOT is_figure(r.received) AND ${condition.where}`,
      values: [...fields, ...condition.values],
    };
  }
}

/** Accumulates totals. A trade with an unknown side counts with its fee, but as neither bought nor sold. */
class TotalsSum {
  readonly #symbols = new Map<string, Traded>();
  readonly #fees = new AssetSums();
  #count = 0;
  #makers = 0;
  #unsided = 0;

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
    } else this.#unsided += part.count;
    this.#fees.add(part.feeAsset, part.fee);
  }

  /** `notCounted`: trades with a number that no total includes. */
  result(notCounted: number): TradeTotals {
    return {
      leftOut: notCounted,
      count: this.#count,
      makers: this.#makers,
      unsided: this.#unsided,
      symbols: [...this.#symbols].sort(byText(([symbol]) => symbol)).map(([symbol, one]) => ({
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
