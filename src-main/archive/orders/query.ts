/** Finds stored orders by a filter. */
import type { DatabaseSync } from 'node:sqlite';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { asInteger } from '../sqlite/row-types.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { allOf, among, amongContracts, byOrder, given, type Where } from '../sqlite/where.ts';
import { ORDER_ROW, orderOf } from './codec.ts';

export function orderCount(db: DatabaseSync, strings: StringTable, filter: TradeFilter): number {
  const { where, values } = orderConditionOf(filter, strings);
  const found = db.prepare(`SELECT count(*) AS n FROM history_order AS o WHERE ${where}`).get(...values);
  return asInteger(found?.['n']);
}

/** Returns the newest orders that match, `most` of them, and whether there are more. */
export function newestStoredOrders(
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
export const orderConditionOf = (filter: TradeFilter, strings: StringTable): Where =>
  allOf([
    amongContracts('symbol_id', filter.symbols, strings),
    among('side', filter.sides, strings),
    ...byOrder('o.id', filter),
    given('order_time >= ?', filter.from),
    given('order_time <= ?', filter.to),
  ]);
