/** Writes the order history as CSV: every field of the exchange API, oldest first, in chunks. */
import type { DatabaseSync } from 'node:sqlite';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { NOTE_COLUMNS } from '../../../src-shared/ipc/exports.ts';
import { orderHistoryFields, type HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { CRLF, csvLine } from '../../../src-shared/domain/history/csv-cell.ts';
import { noteCells, SEPARATOR_SIGNS } from '../csv/format.ts';
import type { CsvChunk } from './trade-lines.ts';
import { recordLines, type Dialect } from './record-lines.ts';
import { NoteStore } from '../notes/store.ts';
import { ORDER_ROW, orderOf } from '../orders/codec.ts';
import { orderConditionOf } from '../orders/query.ts';
import { storedId } from '../sqlite/ids.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export interface OrderQuery extends Dialect {
  readonly filter: TradeFilter;
  readonly notes: boolean;
}

const ORDERS_PER_STEP = 1_000;
const NAMES = Object.keys(orderHistoryFields);

/** Yields the lines. Throws ArchiveFault for an unknown zone. */
export function* orderLines(
  db: DatabaseSync,
  strings: StringTable,
  query: OrderQuery,
): Generator<CsvChunk, void> {
  const line = query.notes ? notedLines(db, query) : recordLines(orderHistoryFields, query);
  const names = [...NAMES, ...(query.notes ? NOTE_COLUMNS : [])];
  yield { bytes: Buffer.from(csvLine(names, SEPARATOR_SIGNS[query.separator]), 'utf8'), rows: 0 };
  const { where, values } = orderConditionOf(query.filter, strings);
  const step = db.prepare(
    `SELECT ${ORDER_ROW} FROM history_order AS o INDEXED BY history_order_by_time
     WHERE ${where} AND (o.order_time, o.id) > (?, ?) ORDER BY o.order_time, o.id LIMIT ${ORDERS_PER_STEP}`,
  );
  let after: readonly [number, bigint | string] = [-1, 0n];
  for (;;) {
    const orders = step.all(...values, ...after).map((row) => orderOf(row, strings));
    const last = orders.at(-1);
    if (last === undefined) return;
    after = [last.orderTime, storedId(last.id)];
    yield { bytes: Buffer.from(orders.map(line).join(''), 'utf8'), rows: orders.length };
  }
}

/** Prints an order with the cells of `NOTE_COLUMNS` at the end of its line. */
function notedLines(db: DatabaseSync, query: OrderQuery): (order: HistoryOrder) => string {
  const line = recordLines(orderHistoryFields, query);
  const notes = new NoteStore(db);
  const separator = SEPARATOR_SIGNS[query.separator];
  return (order) => {
    const cells = noteCells(notes.of(order.id) ?? { text: '', tags: [] }, separator);
    return [line(order).slice(0, -CRLF.length), ...cells].join(separator) + CRLF;
  };
}
