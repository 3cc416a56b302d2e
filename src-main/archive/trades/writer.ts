/**
 * Stores each trade once by (symbol, tradeId), with the sync's checkpoint in the same transaction. The two sides of a
 * trade of the account with itself are two rows, though an exchange may list them under one id.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { tradeFields, type Trade } from '../../../src-shared/exchange-api/trade.ts';
import { asInteger, asIntegerOrNull, asText } from '../sqlite/row-types.ts';
import { isConflict } from '../sqlite/errors.ts';
import { type StoredRecords, SyncState } from '../sqlite/sync-state.ts';
import { inTransaction } from '../sqlite/transaction.ts';
import { DailyTotals } from './daily-totals.ts';
import { storedId } from '../sqlite/ids.ts';
import {
  areSides,
  putRow,
  quarantinedTrade,
  rowValues,
  sameTrade,
  TRADE_PLACES,
  TRADE_ROW,
  tradeOf,
  type TradeStringIds,
  wellFormed,
  stringIdsOf,
} from './codec.ts';
import type { DatedUnreadable } from '../../../src-shared/ipc/archive.ts';
import { UnreadableTrades } from './unreadable.ts';
import { ReceivedTexts } from '../sqlite/received-text.ts';
import { SeenRanges } from './seen-ranges.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export interface InsertSummary {
  /** New rows. */
  readonly added: number;
  /** Rows already stored with the same content. */
  readonly known: number;
  /** Rows with a stored id but other content, quarantined; the stored version is kept. */
  readonly quarantined: number;
  /** Distinct trades the current pass has seen. */
  readonly seen: number;
  /** Unreadable records the current pass has seen. */
  readonly unreadable: number;
}

export interface StoredTrades extends StoredRecords {
  /** Records without a readable identity. */
  readonly unreadable: number;
}

/** Rows per INSERT statement, to share its overhead. */
const ROWS_PER_STATEMENT = 50;
const insertOf = (isSecond: boolean): string =>
  `INSERT INTO trade VALUES ${rowValues(isSecond)} ON CONFLICT (trade_id, symbol, is_second) DO NOTHING`;

/** Reports whether every field fits its column as received. */
const isPlain = (trade: Trade): boolean =>
  trade.received === undefined &&
  trade.price !== null &&
  trade.executedQty !== null &&
  trade.executedQuoteQty !== null &&
  trade.fee !== null &&
  trade.offset !== null;

const statementsOf = (db: DatabaseSync) => ({
  insertRow: db.prepare(insertOf(false)),
  insertSecond: db.prepare(insertOf(true)),
  // OR FAIL keeps rows before the conflicting one; to undo them SQLite would copy every page it touches.
  insertTogether: db.prepare(
    `INSERT OR FAIL INTO trade VALUES ${Array.from({ length: ROWS_PER_STATEMENT }, () => rowValues()).join(', ')}`,
  ),
  stored: db.prepare(
    `SELECT t.seq, ${TRADE_ROW} FROM trade t WHERE symbol = ? AND trade_id = ? AND is_second = ?`,
  ),
  quarantine: db.prepare(`INSERT INTO quarantine (symbol, trade_id, content, received_at)
    VALUES (?, ?, ?, ?) ON CONFLICT (content) DO NOTHING`),
  quarantined: db.prepare('SELECT id, content, received_at FROM quarantine ORDER BY id'),
  release: db.prepare('DELETE FROM quarantine WHERE id = ?'),
  countQuarantine: db.prepare('SELECT count(*) AS n FROM quarantine'),
  oldest: db.prepare('SELECT min(trade_time) AS time FROM trade'),
  newest: db.prepare('SELECT max(trade_time) AS time FROM trade'),
  // Rows are never deleted, so the largest seq is the count.
  largest: db.prepare('SELECT coalesce(max(seq), 0) AS n FROM trade'),
});

export class TradeWriter {
  readonly #db: DatabaseSync;
  readonly #strings: StringTable;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #syncState: SyncState;
  readonly #received: ReceivedTexts;
  readonly #days: DailyTotals;
  readonly #seen: SeenRanges;
  readonly #unreadable: UnreadableTrades;
  #stored: number;
  /** Values of one statement, reused. */
  readonly #together: SQLInputValue[] = [];
  readonly #ids: TradeStringIds[] = [];
  readonly #single: SQLInputValue[] = [];

  constructor(db: DatabaseSync, strings: StringTable) {
    this.#db = db;
    this.#strings = strings;
    this.#sql = statementsOf(db);
    this.#syncState = new SyncState(db, 'trades');
    this.#received = new ReceivedTexts(db, 'trade_received', tradeFields);
    this.#days = new DailyTotals(db);
    this.#seen = new SeenRanges(db);
    this.#unreadable = new UnreadableTrades(db);
    this.#stored = this.#largestSeq();
  }

  /** Stores rows; with a checkpoint they also count as seen by the current pass. `receivedAt`: wall clock, ms. */
  insert(
    rows: readonly Trade[],
    checkpoint: string | null,
    receivedAt: number,
    unreadable: readonly DatedUnreadable[] = [],
  ): InsertSummary {
    const counts = { added: 0, known: 0, quarantined: 0 };
    const before = this.#stored;
    // A pass's pages are not synced: a power cut loses rows and checkpoint together, and the pass resumes there.
    // A fill's rows and the end of a pass are synced, with everything before them.
    const isPage = checkpoint !== null && rows.length > 0;
    this.#transaction(
      () => {
        for (const trade of rows.slice(this.#insertNew(rows))) {
          const { seq, result } = this.#insertOne(trade, receivedAt);
          counts[result] += 1;
          // New rows are added below, all at once.
          if (checkpoint !== null && seq <= before) this.#seen.add(seq);
        }
        this.#days.write();
        this.#unreadable.put(unreadable, checkpoint !== null);
        if (checkpoint === null) return;
        if (this.#stored > before) this.#seen.addNew(before + 1, this.#stored);
        this.#syncState.put(checkpoint);
      },
      isPage ? 'NORMAL' : 'FULL',
    );
    const added = this.#stored - before;
    return { ...counts, added, seen: this.#seen.count(), unreadable: this.#unreadable.seen() };
  }

  /**
   * Stores second sides that are in quarantine: before schema 10 they were taken for other content of the first. Each
   * leaves the quarantine as its row is stored; everything else stays there.
   */
  storeQuarantinedSides(): void {
    const { quarantined, release } = this.#sql;
    const sides = quarantined.all().flatMap((row) => {
      const trade = quarantinedTrade(asText(row['content']));
      return trade !== null && this.#isSecondSide(trade) ? [{ row, trade }] : [];
    });
    if (sides.length === 0) return;
    this.#transaction(() => {
      for (const { row, trade } of sides) {
        // One of two versions may have been stored just now.
        if (!this.#isSecondSide(trade)) continue;
        this.#insertOne(trade, asInteger(row['received_at']));
        release.run(row['id'] ?? null);
      }
      this.#days.write();
    });
  }

  /** Reports whether the first side is stored, and the second is not, or is this one. */
  #isSecondSide(trade: Trade): boolean {
    const [first, second] = [false, true].map((isSecond) => {
      const symbol = this.#strings.find(trade.symbol) ?? -1;
      const row = this.#sql.stored.get(symbol, storedId(trade.tradeId), isSecond ? 1 : 0);
      return row && tradeOf(row, this.#strings);
    });
    return (
      first !== undefined && areSides(trade, first) && (second === undefined || sameTrade(trade, second))
    );
  }

  /** Begins a pass with nothing seen. */
  beginPass(checkpoint: string): null {
    this.#transaction(() => {
      this.#seen.clear();
      this.#unreadable.beginPass();
      this.#syncState.put(checkpoint);
    });
    return null;
  }

  /** Ends a complete pass over `from` … `to`. */
  endPass(checkpoint: string, from: number | null, to: number | null): null {
    this.#transaction(() => {
      this.#unreadable.endPass(from, to);
      this.#syncState.put(checkpoint);
    });
    return null;
  }

  /** Returns trades without a readable identity, as received, oldest first. */
  unreadable(): readonly DatedUnreadable[] {
    return this.#unreadable.list();
  }

  state(): StoredTrades {
    const { oldest, newest, countQuarantine } = this.#sql;
    return {
      stored: this.#stored,
      oldest: asIntegerOrNull(oldest.get()?.['time']),
      newest: asIntegerOrNull(newest.get()?.['time']),
      quarantined: asInteger(countQuarantine.get()?.['n']),
      unreadable: this.#unreadable.count(),
      checkpoint: this.#syncState.get(),
    };
  }

  /** Returns the number of rows, which is also the largest `seq`. */
  stored(): number {
    return this.#stored;
  }

  /** Reads the state again, after another connection stored rows. */
  reload(): void {
    this.#stored = this.#largestSeq();
    this.#days.drop();
    this.#strings.reload();
  }

  /** Inserts new rows, `ROWS_PER_STATEMENT` at a time, up to the first conflict; returns how many. */
  #insertNew(trades: readonly Trade[]): number {
    let done = 0;
    let met = false;
    while (!met && done + ROWS_PER_STATEMENT <= trades.length) {
      for (let n = 0; n < ROWS_PER_STATEMENT; n++) {
        const trade = trades[done + n]!;
        this.#ids[n] = stringIdsOf(trade, this.#strings);
        putRow(this.#together, n * TRADE_PLACES, trade, this.#ids[n]!);
      }
      try {
        this.#sql.insertTogether.run(...this.#together);
      } catch (error) {
        if (!isConflict(error)) throw error;
        met = true;
      }
      const placed = met ? this.#largestSeq() - this.#stored : ROWS_PER_STATEMENT;
      for (let n = 0; n < placed; n++) this.#added(trades[done + n]!, this.#ids[n]!);
      done += placed;
    }
    return done;
  }

  /** Inserts a row, or compares it with the stored one; returns its number and what became of it. */
  #insertOne(
    one: Trade,
    receivedAt: number,
    isSecond = false,
  ): { seq: number; result: 'added' | 'known' | 'quarantined' } {
    const ids = stringIdsOf(one, this.#strings);
    putRow(this.#single, 0, one, ids);
    const insert = isSecond ? this.#sql.insertSecond : this.#sql.insertRow;
    if (insert.run(...this.#single).changes === 1) {
      this.#added(one, ids);
      return { seq: this.#stored, result: 'added' };
    }
    const trade = wellFormed(one);
    const row = this.#sql.stored.get(ids.symbol, storedId(trade.tradeId), isSecond ? 1 : 0);
    if (row === undefined) throw new TypeError('a trade conflicts with a row that is not there');
    const seq = asInteger(row['seq']);
    const stored = tradeOf(row, this.#strings);
    if (sameTrade(trade, stored)) return { seq, result: 'known' };
    if (!isSecond && areSides(trade, stored)) return this.#insertOne(one, receivedAt, true);
    this.#sql.quarantine.run(trade.symbol, trade.tradeId, JSON.stringify(trade), receivedAt);
    return { seq, result: 'quarantined' };
  }

  /** Counts a row that was just inserted. */
  #added(trade: Trade, ids: TradeStringIds): void {
    this.#stored += 1;
    this.#days.count(trade, ids);
    if (!isPlain(trade)) this.#received.put(this.#stored, trade);
  }

  /**
   * Runs `work` in a transaction and resets the caches after a rollback. `FULL`: on disk when it returns. `NORMAL`: safe
   * from a kill, and from a power cut after the next FULL one.
   */
  #transaction(work: () => void, synchronous: 'FULL' | 'NORMAL' = 'FULL'): void {
    const db = this.#db;
    // Inside an import's transaction, which handles failures.
    if (db.isTransaction) return work();
    const before = this.#stored;
    if (synchronous === 'NORMAL') db.exec('PRAGMA synchronous = NORMAL');
    try {
      inTransaction(db, work, () => {
        this.#stored = before;
        this.#seen.reload();
        this.#days.drop();
        this.#strings.reload();
      });
    } finally {
      // Other writers share this connection.
      if (synchronous === 'NORMAL') db.exec('PRAGMA synchronous = FULL');
    }
  }

  #largestSeq(): number {
    return asInteger(this.#sql.largest.get()?.['n']);
  }
}
