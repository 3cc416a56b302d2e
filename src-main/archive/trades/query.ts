/**
 * Windows on the trade log: filter, count, page. In time order every filter is answered from an index, at any depth:
 * the sums by day say which days a page stands in. Other orders come from `trade-views.ts`.
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
import { createDaySums, type DaySums } from './daily-totals-cache.ts';
import { conditionOf, hasBounds, sumFits } from './filter-sql.ts';
import { DAY_MS } from './daily-totals.ts';
import { TRADE_ROW, tradeOf } from './codec.ts';
import type { TradeWriter } from './writer.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export { conditionOf, type Condition } from './filter-sql.ts';

export interface TradeReader {
  /** In time order, newest first unless said. An offset past the end gives no rows. */
  page(filter: TradeFilter, offset: number, limit: number, newestFirst?: boolean): TradeWindow;
  count(filter: TradeFilter): number;
  /** Rows by their numbers, in that order. */
  rows(numbers: readonly number[]): readonly Trade[];
  symbols(): readonly string[];
  readonly days: DaySums;
}

/** In time order, and quickly: no view has to be built for it. */
export const isDirect = (filter: TradeFilter, sort: TradeSort = NEWEST_FIRST): boolean =>
  sort.column === 'tradeTime' && !hasBounds(filter);

/** (tradeTime, tradeId, symbol) is a total order: (symbol, tradeId) is unique. */
const OLDEST_FIRST = 'trade_time, trade_id, symbol';
const NEWEST = 'trade_time DESC, trade_id DESC, symbol DESC';
const KEPT = 64;

/** Days of a filter with how many rows each has, and how many come before it. */
interface Spine {
  readonly days: readonly number[];
  readonly before: readonly number[];
  readonly count: number;
}

export function createTradeReader(db: DatabaseSync, strings: StringTable, writer: TradeWriter): TradeReader {
  const days = createDaySums(db, () => writer.stored());
  // Of filters lately asked for, as long as no row is added; scrolling asks for the same one each time.
  const spines = new Map<string, Spine | number>();
  let keptAt = 0;
  function kept<T extends Spine | number>(key: string, make: () => T): T {
    const stored = writer.stored();
    if (keptAt !== stored || spines.size > KEPT) spines.clear();
    keptAt = stored;
    const known = spines.get(key) ?? make();
    spines.set(key, known);
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

  /** Whole days from their sums, the days that the filter's times cut from their rows. */
  function spineOf(filter: TradeFilter): Spine {
    return kept(`spine ${JSON.stringify(filter)}`, () => {
      const fits = sumFits(filter, strings);
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
  const bySpine = (filter: TradeFilter): boolean => filter.orderId === null && !hasBounds(filter);
  const count = (filter: TradeFilter): number =>
    bySpine(filter)
      ? spineOf(filter).count
      : kept(`count ${JSON.stringify(filter)}`, () => countRows(filter));

  /** Rows `from` … `to` (without it) in time order, oldest first counted; the days they stand in, and what to skip. */
  function narrowed(
    filter: TradeFilter,
    from: number,
    to: number,
  ): { filter: TradeFilter; from: number; count: number } {
    if (!bySpine(filter)) return { filter, from, count: count(filter) };
    const { days: list, before, count: all } = spineOf(filter);
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
      const part = narrowed(filter, start, start + size);
      const condition = conditionOf(part.filter, strings);
      if (condition === null) return { rows: [], count: total, stored };
      // Skipping costs by the distance, so it starts from the nearer end. CROSS JOIN: SQLite keeps the order of the
      // tables; left to choose, it scans the whole table for the 100 rows (47 ms instead of 1).
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

/** The last place whose value is at most `value`; `list` ascends and begins with 0. */
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
