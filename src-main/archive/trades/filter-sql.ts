/** A filter as SQL over `trade`, and as a question to the sums by day. */
import type { SQLInputValue } from 'node:sqlite';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { DaySum } from './daily-totals-cache.ts';
import { storedId } from './codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export interface Condition {
  /** The index that answers it; named, because SQLite keeps no statistics here and must not guess. */
  readonly source: string;
  /** `… AND …`; `1` when everything matches. */
  readonly where: string;
  readonly values: readonly SQLInputValue[];
}

const STRING_COLUMNS = [
  ['symbol', 'symbol', 'symbols'],
  ['side', 'side', 'sides'],
  ['liquidity', 'liquidity', 'liquidities'],
  ['feeAsset', 'fee_asset', 'feeAssets'],
] as const;

/** The filter as SQL over `trade`, or null when it names a word no row has: nothing matches. */
export function conditionOf(filter: TradeFilter, strings: StringTable): Condition | null {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  for (const [, column, name] of STRING_COLUMNS) {
    if (filter[name].length === 0) continue;
    const known = filter[name].map((text) => strings.find(text)).filter((id) => id !== null);
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
  const index = filter.orderId !== null ? 'trade_by_order' : 'trade_by_time';
  return { source: `trade AS t INDEXED BY ${index}`, where: parts.join(' AND ') || '1', values };
}

/** Rows of one condition: a few thousand are one short query. */
const PICKED = 2_000;
/** Rows already found, by their numbers, as conditions that follow each other. */
export function* conditionsOf(rows: Uint32Array): Generator<Condition, void> {
  for (let from = 0; from < rows.length; from += PICKED)
    yield {
      source: 'json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value',
      where: '1',
      values: [JSON.stringify(Array.from(rows.subarray(from, from + PICKED)))],
    };
}

/** Prices and quantities are in no index and no sum. */
export const hasBounds = ({ priceFrom, priceTo, qtyFrom, qtyTo }: TradeFilter): boolean =>
  [priceFrom, priceTo, qtyFrom, qtyTo].some((one) => one !== null);

/** The filter's words as a question to a sum; its times are the caller's. Null: it names a word no row has. */
export function sumFits(filter: TradeFilter, strings: StringTable): ((sum: DaySum) => boolean) | null {
  const wanted: (readonly [keyof DaySum, readonly unknown[]])[] = [];
  for (const [field, , name] of STRING_COLUMNS) {
    if (filter[name].length === 0) continue;
    const known = filter[name].map((text) => strings.find(text)).filter((id) => id !== null);
    if (known.length === 0) return null;
    wanted.push([field, known]);
  }
  return (sum) => wanted.every(([field, ids]) => ids.includes(sum[field]));
}
