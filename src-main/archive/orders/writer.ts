/** Stores the newest version of each order, with the sync's checkpoint in the same transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { CoverageGap } from '../../../src-shared/ipc/archive.ts';
import { type SystemClose, systemCloseOf } from '../../../src-shared/domain/history/system-close.ts';
import { SYSTEM_SOURCE } from '../../../src-shared/exchange-api/enums.ts';
import { orderHistoryFields, type HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { asInteger, asIntegerOrNull, asText } from '../sqlite/row-types.ts';
import { OrderDays } from './daily-results.ts';
import { isFinal, ORDER_COLUMNS, ORDER_ROW, orderOf, orderRow, orderWellFormed, sameOrder } from './codec.ts';
import { ReceivedTexts } from '../sqlite/received-text.ts';
import { type StoredRecords, SyncState } from '../sqlite/sync-state.ts';
import { inTransaction } from '../sqlite/transaction.ts';
import { idText, storedId } from '../sqlite/ids.ts';
import type { StringTable } from '../sqlite/string-table.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

export interface OrderSummary {
  readonly added: number;
  /** Replaced by a newer version. */
  readonly changed: number;
  /** Already stored, or an older version. */
  readonly known: number;
  /** Other content for a final order; the stored version is kept. */
  readonly quarantined: number;
}
export interface StoredOrders extends StoredRecords {
  readonly unsettled: number;
  /** Time ranges that could not be listed completely. */
  readonly gaps: number;
}
export interface NonFinalOrder {
  readonly seq: number;
  readonly id: string;
  readonly orderTime: number;
}
const MAX_CLOSES = 1_000;
/** Windows that share less than this are neighbours. */
const BORDER_MS = 1_000;

const statementsOf = (db: DatabaseSync) => ({
  insertRow: db.prepare(
    `INSERT INTO history_order (seq, ${ORDER_COLUMNS.join(', ')}) VALUES (?${', ?'.repeat(ORDER_COLUMNS.length)})`,
  ),
  update: db.prepare(
    `UPDATE history_order SET ${ORDER_COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE seq = ?`,
  ),
  read: db.prepare(`SELECT ${ORDER_ROW} FROM history_order o WHERE id = ?`),
  // Rows are never deleted, so the largest seq is the count.
  largest: db.prepare('SELECT coalesce(max(seq), 0) AS n FROM history_order'),
  quarantine: db.prepare(`INSERT INTO order_quarantine (symbol, order_id, content, received_at)
    VALUES (?, ?, ?, ?) ON CONFLICT (content) DO NOTHING`),
  putGap: db.prepare('INSERT OR IGNORE INTO order_gap VALUES (?, ?, ?, ?)'),
  widenGap:
    db.prepare(`UPDATE OR IGNORE order_gap SET from_time = min(from_time, ?1), to_time = max(to_time, ?2)
    WHERE rowid = (SELECT rowid FROM order_gap WHERE symbol IS ?3 AND reason = ?4 AND from_time < to_time
      AND from_time < ?2 - ${BORDER_MS} AND to_time > ?1 + ${BORDER_MS} LIMIT 1) RETURNING 1`),
  hasGap: db.prepare('SELECT 1 FROM order_gap WHERE from_time = ? AND to_time = ? AND symbol IS ?'),
  gaps: db.prepare('SELECT * FROM order_gap ORDER BY from_time, symbol'),
  oldest: db.prepare('SELECT min(order_time) AS time FROM history_order'),
  newest: db.prepare('SELECT max(order_time) AS time FROM history_order'),
  countQuarantine: db.prepare('SELECT count(*) AS n FROM order_quarantine'),
  countGaps: db.prepare('SELECT count(*) AS n FROM order_gap'),
  countNonFinal: db.prepare(
    'SELECT count(*) AS n FROM history_order INDEXED BY history_order_unsettled WHERE is_final = 0',
  ),
  nonFinal: db.prepare(`SELECT seq, order_time, ${idText('id')} AS id_text
    FROM history_order INDEXED BY history_order_unsettled
    WHERE is_final = 0 AND seq > ?1 AND (status IN (?3, ?4) OR max(order_time, mtime) >= ?5) ORDER BY seq LIMIT ?2`),
  systemCloses: db.prepare(
    `SELECT ${ORDER_ROW} FROM history_order o WHERE source = ? ORDER BY mtime DESC, id DESC LIMIT ${MAX_CLOSES}`,
  ),
});

export class OrderWriter {
  readonly #db: DatabaseSync;
  readonly #strings: StringTable;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #syncState: SyncState;
  readonly #received: ReceivedTexts;
  readonly #days: OrderDays;
  #stored: number;
  #revision = 0;

  constructor(db: DatabaseSync, strings: StringTable) {
    this.#db = db;
    this.#strings = strings;
    this.#sql = statementsOf(db);
    this.#syncState = new SyncState(db, 'orders');
    this.#received = new ReceivedTexts(db, 'order_received', orderHistoryFields);
    this.#days = new OrderDays(db);
    this.#stored = asInteger(this.#sql.largest.get()?.['n']);
  }

  /** Stores rows; a null `checkpoint` means rows of no pass. `receivedAt`: wall clock, ms. */
  insert(
    rows: readonly HistoryOrder[],
    checkpoint: string | null,
    gaps: readonly CoverageGap[],
    receivedAt: number,
  ): OrderSummary {
    const counts = { added: 0, changed: 0, known: 0, quarantined: 0 };
    const before = this.#stored;
    inTransaction(
      this.#db,
      () => {
        const touched = new Set<number>();
        for (const order of rows) counts[this.#store(orderWellFormed(order), receivedAt, touched)] += 1;
        for (const day of touched) this.#days.rebuild(day);
        if (touched.size > 0) this.#revision += 1;
        for (const gap of gaps) this.#putGap(gap);
        if (checkpoint !== null) this.#syncState.put(checkpoint);
      },
      () => {
        this.#stored = before;
        this.#strings.reload();
      },
    );
    return counts;
  }

  /** Grows with each order that is added or changed. */
  revision(): number {
    return this.#revision;
  }

  state(): StoredOrders {
    const { oldest, newest, countNonFinal, countQuarantine, countGaps } = this.#sql;
    return {
      stored: this.#stored,
      oldest: asIntegerOrNull(oldest.get()?.['time']),
      newest: asIntegerOrNull(newest.get()?.['time']),
      unsettled: asInteger(countNonFinal.get()?.['n']),
      quarantined: asInteger(countQuarantine.get()?.['n']),
      gaps: asInteger(countGaps.get()?.['n']),
      checkpoint: this.#syncState.get(),
    };
  }

  /**
   * Returns orders that are not final, by row number, after the row `after`. One of an undocumented status may be over:
   * only if it changed since `changedSince`, ms.
   */
  nonFinal(after: number, limit: number, changedSince: number): readonly NonFinalOrder[] {
    const idOf = (status: string): number => this.#strings.find(status) ?? 0;
    return this.#sql.nonFinal.all(after, limit, idOf('NEW'), idOf('OPEN'), changedSince).map((row) => ({
      seq: asInteger(row['seq']),
      id: asText(row['id_text']),
      orderTime: asInteger(row['order_time']),
    }));
  }

  gaps(): readonly CoverageGap[] {
    return this.#sql.gaps.all().map((row) => ({
      from: asInteger(row['from_time']),
      to: asInteger(row['to_time']),
      symbol: row['symbol'] === null ? null : asText(row['symbol']),
      reason: asText(row['reason']),
    }));
  }

  /** Returns positions closed by the exchange, newest first, `MAX_CLOSES` at most. */
  systemCloses(): readonly SystemClose[] {
    return this.#sql.systemCloses
      .all(SYSTEM_SOURCE)
      .map((row) => systemCloseOf(orderOf(row, this.#strings)))
      .filter((one) => one !== null);
  }

  /**
   * Stores a gap. One of a range widens a stored one of its kind that it overlaps: a record without a time is found again
   * by each pass that overlaps the one before, which all end later.
   */
  #putGap({ from, to, symbol, reason }: CoverageGap): void {
    const { hasGap, widenGap, putGap } = this.#sql;
    // Checked first, since NULLs are distinct in a UNIQUE index.
    if (hasGap.get(from, to, symbol) !== undefined) return;
    if (from < to && widenGap.get(from, to, symbol, reason) !== undefined) return;
    putGap.run(from, to, symbol, reason);
  }

  /** Stores one version of an order and adds the days whose results it changes to `touched`. */
  #store(order: HistoryOrder, receivedAt: number, touched: Set<number>): keyof OrderSummary {
    const row = this.#sql.read.get(storedId(order.id));
    if (row === undefined) {
      this.#sql.insertRow.run(this.#stored + 1, ...orderRow(order, this.#strings));
      this.#stored += 1;
      this.#received.put(this.#stored, order);
      touched.add(Math.floor(order.mtime / DAY_MS));
      return 'added';
    }
    const before = orderOf(row, this.#strings);
    if (sameOrder(before, order)) return 'known';
    if (isFinal(before)) {
      // A reply that was in flight while the order ended.
      if (!isFinal(order) && order.mtime <= before.mtime) return 'known';
      this.#sql.quarantine.run(order.symbolId, order.id, JSON.stringify(order), receivedAt);
      return 'quarantined';
    }
    // A final version is the newer one whatever the times: clocks of an exchange may differ.
    if (!isFinal(order) && order.mtime < before.mtime) return 'known';
    const seq = asInteger(row['seq']);
    this.#sql.update.run(...orderRow(order, this.#strings), seq);
    this.#received.put(seq, order);
    touched.add(Math.floor(before.mtime / DAY_MS));
    touched.add(Math.floor(order.mtime / DAY_MS));
    return 'changed';
  }
}
