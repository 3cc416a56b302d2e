/** Stores the newest version of each order, with the sync's checkpoint in the same transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { CoverageGap } from '../../../src-shared/ipc/archive.ts';
import {
  type SystemClose,
  SYSTEM_SOURCE,
  systemCloseOf,
} from '../../../src-shared/domain/history/system-close.ts';
import { orderHistoryFields, type HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { createOrderDays } from './daily-results.ts';
import { isFinal, ORDER_ROW, orderOf, orderRow, orderWellFormed, sameOrder } from './codec.ts';
import { createReceivedTexts } from '../sqlite/received-text.ts';
import { DAY_MS } from '../trades/daily-totals.ts';
import { idText, storedId } from '../trades/codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export interface OrderSummary {
  readonly added: number;
  /** Replaced by a newer version. */
  readonly changed: number;
  /** Already stored, or an older version. */
  readonly known: number;
  /** Other content for a final order; the stored version is kept. */
  readonly quarantined: number;
}
export interface OrderState {
  readonly stored: number;
  /** orderTime, ms. */
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly unsettled: number;
  readonly quarantined: number;
  /** Time ranges that could not be listed completely. */
  readonly gaps: number;
  readonly checkpoint: string | null;
}
export interface NonFinalOrder {
  readonly seq: number;
  readonly id: string;
  readonly orderTime: number;
}
export interface OrderWriter {
  /** Stores rows; a null `checkpoint` means rows of no pass. */
  insert(
    rows: readonly HistoryOrder[],
    checkpoint: string | null,
    gaps: readonly CoverageGap[],
    receivedAt: number,
  ): OrderSummary;
  state(): OrderState;
  /** Returns orders that are not final, by row number, after the row `after`. */
  nonFinal(after: number, limit: number): readonly NonFinalOrder[];
  gaps(): readonly CoverageGap[];
  /** Returns positions closed by the exchange, newest first, `MAX_CLOSES` at most. */
  systemCloses(): readonly SystemClose[];
}

const MAX_CLOSES = 1_000;

const RESOURCE = 'orders';
const COLUMNS = 44;

export function createOrderWriter(db: DatabaseSync, strings: StringTable): OrderWriter {
  const names = db
    .prepare("SELECT name FROM pragma_table_info('history_order') ORDER BY cid")
    .all()
    .map((row) => asText(row['name']));
  const insertRow = db.prepare(
    `INSERT INTO history_order VALUES (${Array.from({ length: COLUMNS }, () => '?').join(', ')})`,
  );
  const update = db.prepare(
    `UPDATE history_order SET ${names
      .slice(1)
      .map((name) => `${name} = ?`)
      .join(', ')} WHERE seq = ?`,
  );
  const read = db.prepare(`SELECT ${ORDER_ROW} FROM history_order o WHERE id = ?`);
  const quarantine = db.prepare(`INSERT INTO order_quarantine (symbol, order_id, content, received_at)
    VALUES (?, ?, ?, ?) ON CONFLICT (content) DO NOTHING`);
  const putCheckpoint = db.prepare('INSERT OR REPLACE INTO sync_state VALUES (?, ?)');
  const getCheckpoint = db.prepare('SELECT checkpoint FROM sync_state WHERE resource = ?');
  const putGap = db.prepare('INSERT OR IGNORE INTO order_gap VALUES (?, ?, ?, ?)');
  const hasGap = db.prepare('SELECT 1 FROM order_gap WHERE from_time = ? AND to_time = ? AND symbol IS ?');
  const readGaps = db.prepare('SELECT * FROM order_gap ORDER BY from_time, symbol');
  const oldest = db.prepare('SELECT min(order_time) AS t FROM history_order');
  const newest = db.prepare('SELECT max(order_time) AS t FROM history_order');
  const countQuarantine = db.prepare('SELECT count(*) AS n FROM order_quarantine');
  const countGaps = db.prepare('SELECT count(*) AS n FROM order_gap');
  const countOpen = db.prepare(
    'SELECT count(*) AS n FROM history_order INDEXED BY history_order_unsettled WHERE is_final = 0',
  );
  const open = db.prepare(`SELECT seq, order_time, ${idText('id')} AS id_text
    FROM history_order INDEXED BY history_order_unsettled WHERE is_final = 0 AND seq > ? ORDER BY seq LIMIT ?`);
  const closes = db.prepare(
    `SELECT ${ORDER_ROW} FROM history_order o WHERE source = ? ORDER BY mtime DESC, id DESC LIMIT ${MAX_CLOSES}`,
  );
  const received = createReceivedTexts(db, 'order_received', orderHistoryFields);
  const days = createOrderDays(db);
  // Rows are never deleted, so the largest seq is the count.
  let last = asInteger(db.prepare('SELECT coalesce(max(seq), 0) AS n FROM history_order').get()?.['n']);

  type InsertResult = keyof OrderSummary;
  function store(order: HistoryOrder, receivedAt: number, touched: Set<number>): InsertResult {
    const row = read.get(storedId(order.id));
    if (row === undefined) {
      insertRow.run(last + 1, ...orderRow(order, strings));
      last += 1;
      received.put(last, order);
      touched.add(Math.floor(order.mtime / DAY_MS));
      return 'added';
    }
    const before = orderOf(row, strings);
    if (sameOrder(before, order)) return 'known';
    if (isFinal(before)) {
      // A reply that was in flight while the order ended.
      if (!isFinal(order) && order.mtime <= before.mtime) return 'known';
      quarantine.run(order.symbolId, order.id, JSON.stringify(order), receivedAt);
      return 'quarantined';
    }
    // With equal times the final version is the newer one.
    if (order.mtime < before.mtime) return 'known';
    const seq = asInteger(row['seq']);
    update.run(...orderRow(order, strings), seq);
    received.put(seq, order);
    touched.add(Math.floor(before.mtime / DAY_MS));
    touched.add(Math.floor(order.mtime / DAY_MS));
    return 'changed';
  }

  const time = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return {
    insert(rows, checkpoint, gaps, receivedAt) {
      const counts = { added: 0, changed: 0, known: 0, quarantined: 0 };
      const before = last;
      db.exec('BEGIN IMMEDIATE');
      try {
        const touched = new Set<number>();
        for (const order of rows) counts[store(orderWellFormed(order), receivedAt, touched)] += 1;
        for (const day of touched) days.rebuild(day);
        // Checked first, since NULLs are distinct in a UNIQUE index.
        for (const { from, to, symbol, reason } of gaps)
          if (hasGap.get(from, to, symbol) === undefined) putGap.run(from, to, symbol, reason);
        if (checkpoint !== null) putCheckpoint.run(RESOURCE, checkpoint);
        db.exec('COMMIT');
      } catch (error) {
        // A full disk may have rolled back by itself.
        if (db.isTransaction) db.exec('ROLLBACK');
        last = before;
        strings.reload();
        throw error;
      }
      return counts;
    },
    state() {
      const checkpoint = getCheckpoint.get(RESOURCE)?.['checkpoint'];
      return {
        stored: last,
        oldest: time(oldest.get()?.['t']),
        newest: time(newest.get()?.['t']),
        unsettled: asInteger(countOpen.get()?.['n']),
        quarantined: asInteger(countQuarantine.get()?.['n']),
        gaps: asInteger(countGaps.get()?.['n']),
        checkpoint: checkpoint === undefined ? null : asText(checkpoint),
      };
    },
    nonFinal: (after, limit) =>
      open.all(after, limit).map((row) => ({
        seq: asInteger(row['seq']),
        id: asText(row['id_text']),
        orderTime: asInteger(row['order_time']),
      })),
    gaps: () =>
      readGaps.all().map((row) => ({
        from: asInteger(row['from_time']),
        to: asInteger(row['to_time']),
        symbol: row['symbol'] === null ? null : asText(row['symbol']),
        reason: asText(row['reason']),
      })),
    systemCloses: () =>
      closes
        .all(SYSTEM_SOURCE)
        .map((row) => systemCloseOf(orderOf(row, strings)))
        .filter((one) => one !== null),
  };
}
