/**
 * Queries of the trade log: filter, count, page. In time order every page is read from an index: the daily totals give
 * its days. Other orders come from `trade-log/sorted-views.ts`.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  NEWEST_FIRST,
  type TradeFilter,
  type TradeSort,
  type TradeWindow,
} from '../../../src-shared/ipc/trades.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { createDailyTotalsCache, type DailyTotalsCache } from './daily-totals-cache.ts';
import { conditionOf, hasBounds, totalMatches } from './filter-sql.ts';
import { DAY_MS } from './daily-totals.ts';
import { TRADE_ROW, tradeOf } from './codec.ts';
import type { TradeWriter } from './writer.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export { conditionOf, type Condition } from './filter-sql.ts';

export interface TradeReader {
  /** Returns a page in time order, newest first by default. An offset past the end returns no rows. */
  page(filter: TradeFilter, offset: number, limit: number, newestFirst?: boolean): TradeWindow;
  count(filter: TradeFilter): number;
  /** Returns rows by number, in that order. */
  rows(numbers: readonly number[]): readonly Trade[];
  symbols(): readonly string[];
  readonly days: DailyTotalsCache;
}

/** Reports whether a page can be read from an index, without building a view. */
export const isDirect = (filter: TradeFilter, sort: TradeSort = NEWEST_FIRST): boolean =>
  sort.column === 'tradeTime' && !hasBounds(filter);

/** (tradeTime, tradeId, symbol) is a total order: (symbol, tradeId) is unique. */
const OLDEST_FIRST = 'trade_time, trade_id, symbol';
const NEWEST = 'trade_time DESC, trade_id DESC, symbol DESC';
const MAX_CACHED = 64;

/** Days of a filter and the number of rows before each. */
interface DayIndex {
  readonly days: readonly number[];
  readonly before: readonly number[];
  readonly count: number;
}

export function createTradeReader(db: DatabaseSync, strings: StringTable, writer: TradeWriter): TradeReader {
  const days = createDailyTotalsCache(db, () => writer.stored());
  // Cached until a row is added: scrolling repeats the same filter.
  const cache = new Map<string, DayIndex | number>();
  let cachedAt = 0;
  function cached<T extends DayIndex | number>(key: string, make: () => T): T {
    const stored = writer.stored();
    if (cachedAt !== stored || cache.size > MAX_CACHED) cache.clear();
    cachedAt = stored;
    const known = cache.get(key) ?? make();
    cache.set(key, known);
    return known as T;
  }

  function countRows(filter: TradeFilter): number {
    const condition = conditionOf(filter, strings);
    if (condition === null) return 0;
    return asInteger(
      db
        .prepare(`SELECT count(*) AS n FROM ${condition.source} WHERE ${condition.where}`)
        .get(...condition.values)?.['n'],
    );
  }

  /** Counts whole days by their totals and partial days by their rows. */
  function dayIndexOf(filter: TradeFilter): DayIndex {
    return cached(`spine ${JSON.stringify(filter)}`, () => {
      const fits = totalMatches(filter, strings);
      const list: number[] = [];
      const before: number[] = [];
      let count = 0;
      for (const one of fits === null ? [] : days.days(fits)) {
        const from = Math.max(filter.from ?? 0, one.day * DAY_MS);
        const to = Math.min(filter.to ?? Number.MAX_SAFE_INTEGER, (one.day + 1) * DAY_MS - 1);
        if (to < from) continue;
        const whole = to - from === DAY_MS - 1;
        const rows = whole ? one.count : countRows({ ...filter, from, to });
        list.push(one.day);
        before.push(count);
        count += rows;
      }
      return { days: list, before, count };
    });
  }
  const usesDayIndex = (filter: TradeFilter): boolean => filter.orderId === null && !hasBounds(filter);
  const count = (filter: TradeFilter): number =>
    usesDayIndex(filter)
      ? dayIndexOf(filter).count
      : cached(`count ${JSON.stringify(filter)}`, () => countRows(filter));

  /** Returns the days of rows `from` … `to` (exclusive, oldest first), with the offset inside them. */
  function daysOfRows(
    filter: TradeFilter,
    from: number,
    to: number,
  ): { filter: TradeFilter; from: number; count: number } {
    if (!usesDayIndex(filter)) return { filter, from, count: count(filter) };
    const { days: list, before, count: all } = dayIndexOf(filter);
    const first = lastAtMost(before, from);
    const last = lastAtMost(before, to - 1);
    return {
      filter: {
        ...filter,
        from: Math.max(filter.from ?? 0, list[first]! * DAY_MS),
        to: Math.min(filter.to ?? Number.MAX_SAFE_INTEGER, (list[last]! + 1) * DAY_MS - 1),
      },
      from: from - before[first]!,
      count: (before[last + 1] ?? all) - before[first]!,
    };
  }

  return {
    count,
    days,
    page(filter, offset, limit, newestFirst = true) {
      const total = count(filter);
      const stored = writer.stored();
      const size = Math.min(limit, total - offset);
      if (size <= 0) return { rows: [], count: total, stored };
      const start = newestFirst ? total - offset - size : offset;
      const part = daysOfRows(filter, start, start + size);
      const condition = conditionOf(part.filter, strings);
      if (condition === null) return { rows: [], count: total, stored };
      // OFFSET costs by distance, so start from the nearer end. CROSS JOIN keeps the tables' order; otherwise SQLite
      // scans the whole table for 100 rows (47 ms instead of 1).
      const fromOldest = part.from < part.count / 2;
      const skip = fromOldest ? part.from : part.count - part.from - size;
      const rows = db
        .prepare(
          `SELECT ${TRADE_ROW}
           FROM (SELECT seq FROM ${condition.source} WHERE ${condition.where}
                 ORDER BY ${fromOldest ? OLDEST_FIRST : NEWEST} LIMIT ? OFFSET ?) AS part
           CROSS JOIN trade t ON t.seq = part.seq
           ORDER BY ${newestFirst ? 't.trade_time DESC, t.trade_id DESC, t.symbol DESC' : 't.trade_time, t.trade_id, t.symbol'}`,
        )
        .all(...condition.values, size, skip)
        .map((row) => tradeOf(row, strings));
      return { rows, count: total, stored };
    },
    rows(numbers) {
      const read = db.prepare(`SELECT ${TRADE_ROW} FROM trade t WHERE t.seq = ?`);
      return numbers.map((seq) => {
        const row = read.get(seq);
        if (row === undefined) throw new TypeError(`the archive has no row ${seq}`);
        return tradeOf(row, strings);
      });
    },
    symbols() {
      const rows = db.prepare('SELECT DISTINCT symbol FROM trade_day').all();
      return rows.map((row) => strings.valueOf(asInteger(row['symbol']))).sort();
    },
  };
}

/** Returns the last index whose value is at most `value`; `list` ascends from 0. */
function lastAtMost(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
