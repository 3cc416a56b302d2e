/** Converts a filter to SQL over `trade` and to a test on daily totals. */
import type { SQLInputValue } from 'node:sqlite';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { DailyTotal } from './daily-totals-cache.ts';
import { storedId } from './codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export interface Condition {
  /** Table with its index; named explicitly, since SQLite has no statistics here. */
  readonly source: string;
  /** `… AND …`; `1` if everything matches. */
  readonly where: string;
  readonly values: readonly SQLInputValue[];
}

const STRING_COLUMNS = [
  ['symbol', 'symbol', 'symbols'],
  ['side', 'side', 'sides'],
  ['liquidity', 'liquidity', 'liquidities'],
  ['feeAsset', 'fee_asset', 'feeAssets'],
] as const;

/** Returns the filter as SQL over `trade`. Values that are not in the string table match nothing: `IN ()`. */
export function conditionOf(filter: TradeFilter, strings: StringTable): Condition {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [, column, name] of STRING_COLUMNS) {
    if (filter[name].length === 0) continue;
    const known = filter[name].map((text) => strings.find(text)).filter((id) => id !== null);
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
  if (filter.noted !== null) {
    parts.push('order_id IN (SELECT n.order_id FROM order_note AS n WHERE matches_noted(n.text, n.tags, ?))');
    values.push(JSON.stringify(filter.noted));
  }
  if (filter.from !== null) {
    parts.push('trade_time >= ?');
    values.push(filter.from);
  }
  if (filter.to !== null) {
    parts.push('trade_time <= ?');
    values.push(filter.to);
  }
  const index = picksOrders(filter) ? 'trade_by_order' : 'trade_by_time';
  return { source: `trade AS t INDEXED BY ${index}`, where: parts.join(' AND ') || '1', values };
}

/** Rows per condition, so that each is a short query. */
const ROWS_PER_CONDITION = 2_000;
/** Yields conditions for rows given by number. */
export function* conditionsOf(rows: Uint32Array): Generator<Condition, void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_CONDITION)
    yield {
      source: 'json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value',
      where: '1',
      values: [JSON.stringify(Array.from(rows.subarray(from, from + ROWS_PER_CONDITION)))],
    };
}

/** Reports whether the filter picks orders, whose few rows have an index and no totals. */
export const picksOrders = ({ orderId, noted }: TradeFilter): boolean => orderId !== null || noted !== null;

/** Reports whether the filter has price or quantity bounds, which no index and no total covers. */
export const hasBounds = ({ priceFrom, priceTo, qtyFrom, qtyTo }: TradeFilter): boolean =>
  [priceFrom, priceTo, qtyFrom, qtyTo].some((one) => one !== null);

/** Returns a test of daily totals by the filter's strings, not its times. */
export function totalMatches(filter: TradeFilter, strings: StringTable): (sum: DailyTotal) => boolean {
  const wanted: (readonly [keyof DailyTotal, readonly unknown[]])[] = [];
  for (const [field, , name] of STRING_COLUMNS) {
    if (filter[name].length === 0) continue;
    const known = filter[name].map((text) => strings.find(text)).filter((id) => id !== null);
    wanted.push([field, known]);
  }
  return (sum) => wanted.every(([field, ids]) => ids.includes(sum[field]));
}
