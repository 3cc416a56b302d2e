/** Windows on the trade log: filter, count, page. Every filter is answered from an index that covers it. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { TradeFilter, TradeWindow } from '../../src-shared/contract/trades.ts';
import { asInteger } from './columns.ts';
import { storedId, TRADE_ROW, tradeOf } from './trade-record.ts';
import type { TradeWriter } from './trade-writer.ts';
import type { Words } from './words.ts';

export interface Condition {
  /** The index that answers it; named, because SQLite keeps no statistics here and must not guess. */
  readonly source: string;
  /** `… AND …`; `1` when everything matches. */
  readonly where: string;
  readonly values: readonly SQLInputValue[];
}

/** The filter as SQL over `trade`, or null when it names a word no row has: nothing matches. */
export function conditionOf(filter: TradeFilter, words: Words): Condition | null {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [column, wanted] of [
    ['symbol', filter.symbols],
    ['side', filter.sides],
    ['liquidity', filter.liquidities],
    ['fee_asset', filter.feeAssets],
  ] as const) {
    if (wanted.length === 0) continue;
    const known = wanted.map((word) => words.find(word)).filter((id) => id !== null);
    if (known.length === 0) return null;
    parts.push(known.length === 1 ? `${column} = ?` : `${column} IN (${known.map(() => '?').join(', ')})`);
    values.push(...known);
  }
  for (const [column, from, to] of [
    ['price', filter.priceFrom, filter.priceTo],
    ['executed_qty', filter.qtyFrom, filter.qtyTo],
  ] as const) {
    if (from !== null) parts.push(`decimal_order(${column}, ?) >= 0`);
    if (to !== null) parts.push(`decimal_order(${column}, ?) <= 0`);
    values.push(...[from, to].filter((bound) => bound !== null));
  }
  if (filter.orderId !== null) {
    parts.push('order_id = ?');
    values.push(storedId(filter.orderId));
  }
  if (filter.from !== null) {
    parts.push('trade_time >= ?');
    values.push(filter.from);
  }
  if (filter.to !== null) {
    parts.push('trade_time <= ?');
    values.push(filter.to);
  }
  const index =
    filter.orderId !== null
      ? 'trade_by_order'
      : filter.symbols.length === 1
        ? 'trade_by_symbol'
        : 'trade_by_time';
  return { source: `trade AS t INDEXED BY ${index}`, where: parts.join(' AND ') || '1', values };
}

export interface TradeReader {
  /** Newest first: tradeTime, then tradeId. An offset past the end gives no rows. */
  page(filter: TradeFilter, offset: number, limit: number): TradeWindow;
  count(filter: TradeFilter): number;
  symbols(): readonly string[];
}

/** (tradeTime, tradeId, symbol) is a total order: (symbol, tradeId) is unique. */
const OLDEST_FIRST = 'trade_time, trade_id, symbol';
const NEWEST_FIRST = 'trade_time DESC, trade_id DESC, symbol DESC';
const SHOWN = 't.trade_time DESC, t.trade_id DESC, t.symbol DESC';
const COUNTS_KEPT = 64;

export function createTradeReader(db: DatabaseSync, words: Words, writer: TradeWriter): TradeReader {
  // The counts of filters lately asked for, as long as no row is added; scrolling asks for the same one each time.
  const counts = new Map<string, number>();
  let countedAt = 0;

  function count(filter: TradeFilter): number {
    const stored = writer.stored();
    if (countedAt !== stored || counts.size > COUNTS_KEPT) counts.clear();
    countedAt = stored;
    const key = JSON.stringify(filter);
    const known = counts.get(key);
    if (known !== undefined) return known;
    const condition = conditionOf(filter, words);
    const found =
      condition === null
        ? 0
        : condition.where === '1'
          ? stored
          : asInteger(
              db
                .prepare(`SELECT count(*) AS n FROM ${condition.source} WHERE ${condition.where}`)
                .get(...condition.values)?.['n'],
            );
    counts.set(key, found);
    return found;
  }

  return {
    count,
    page(filter, offset, limit) {
      const total = count(filter);
      const stored = writer.stored();
      const condition = conditionOf(filter, words);
      const size = Math.min(limit, total - offset);
      if (condition === null || size <= 0) return { rows: [], count: total, stored };
      // Skipping costs by the distance, so it starts from the nearer end. CROSS JOIN: SQLite keeps the order of the
      // tables; left to choose, it scans the whole table for the 100 rows (47 ms instead of 1).
      const fromOldest = offset > total / 2;
      const skip = fromOldest ? total - offset - size : offset;
      const rows = db
        .prepare(
          `SELECT ${TRADE_ROW}
           FROM (SELECT seq FROM ${condition.source} WHERE ${condition.where}
                 ORDER BY ${fromOldest ? OLDEST_FIRST : NEWEST_FIRST} LIMIT ? OFFSET ?) AS part
           CROSS JOIN trade t ON t.seq = part.seq ORDER BY ${SHOWN}`,
        )
        .all(...condition.values, size, skip)
        .map((row) => tradeOf(row, words));
      return { rows, count: total, stored };
    },
    symbols() {
      const rows = db.prepare('SELECT DISTINCT symbol FROM trade_day').all();
      return rows.map((row) => words.valueOf(asInteger(row['symbol']))).sort();
    },
  };
}
