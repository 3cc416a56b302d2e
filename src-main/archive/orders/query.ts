/** Finds stored orders by a filter. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { asInteger } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { storedId } from '../trades/codec.ts';
import { ORDER_ROW, orderOf } from './codec.ts';

export function orderCount(db: DatabaseSync, strings: StringTable, filter: TradeFilter): number {
  const { where, values } = orderConditionOf(filter, strings);
  const found = db.prepare(`SELECT count(*) AS n FROM history_order AS o WHERE ${where}`).get(...values);
  return asInteger(found?.['n']);
}

/** Returns the newest orders that match, `most` of them, and whether there are more. */
export function newestOrders(
  db: DatabaseSync,
  strings: StringTable,
  filter: TradeFilter,
  most: number,
): { readonly rows: readonly HistoryOrder[]; readonly truncated: boolean } {
  const { where, values } = orderConditionOf(filter, strings);
  const rows = db
    .prepare(
      `SELECT ${ORDER_ROW} FROM history_order AS o WHERE ${where} ORDER BY o.order_time DESC, o.id DESC LIMIT ?`,
    )
    .all(...values, most + 1)
    .map((row) => orderOf(row, strings));
  return { rows: rows.slice(0, most), truncated: rows.length > most };
}

/** Symbol, side, order id, notes and time (of creation) apply; the other fields filter trades only. */
export function orderConditionOf(
  filter: TradeFilter,
  strings: StringTable,
): { where: string; values: SQLInputValue[] } {
  const parts = ['1'];
  const values: SQLInputValue[] = [];
  for (const [column, wanted] of [
    ['symbol_id', filter.symbols],
    ['side', filter.sides],
  ] as const) {
    if (wanted.length === 0) continue;
    const known = wanted.map((word) => strings.find(word)).filter((id) => id !== null);
    parts.push(`${column} IN (${known.map(() => '?').join(', ')})`);
    values.push(...known);
  }
  if (filter.orderId !== null) {
    parts.push('o.id = ?');
    values.push(storedId(filter.orderId));
  }
  if (filter.noted !== null) {
    parts.push('o.id IN (SELECT n.order_id FROM order_note AS n WHERE matches_noted(n.text, n.tags, ?))');
    values.push(JSON.stringify(filter.noted));
  }
  if (filter.from !== null) {
    parts.push('order_time >= ?');
    values.push(filter.from);
  }
  if (filter.to !== null) {
    parts.push('order_time <= ?');
    values.push(filter.to);
  }
  return { where: parts.join(' AND '), values };
}
