/** Stores each trade once by (symbol, tradeId), with the sync's checkpoint in the same transaction. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { tradeFields, type Trade } from '../../../src-shared/exchange-api/trade.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { isConflict } from '../sqlite/errors.ts';
import { createDailyTotals } from './daily-totals.ts';
import {
  putRow,
  sameTrade,
  storedId,
  TRADE_PLACES,
  TRADE_ROW,
  tradeOf,
  type TradeStringIds,
  wellFormed,
  stringIdsOf,
} from './codec.ts';
import type { UnreadRecord } from '../../../src-shared/ipc/archive.ts';
import { createUnreadTrades } from './set-aside.ts';
import { createReceivedTexts } from '../sqlite/received-text.ts';
import { createSeenRanges } from './seen-ranges.ts';
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
  readonly setAside: number;
}

export interface ArchiveState {
  readonly stored: number;
  /** tradeTime, ms; null if nothing is stored. */
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly quarantined: number;
  /** Records without a readable identity. */
  readonly setAside: number;
  /** The sync's last checkpoint; null before its first pass. */
  readonly checkpoint: string | null;
}

export interface TradeWriter {
  /** Stores rows; with a checkpoint they also count as seen by the current pass. */
  insert(
    rows: readonly Trade[],
    checkpoint: string | null,
    receivedAt: number,
    setAside?: readonly UnreadRecord[],
  ): InsertSummary;
  /** Begins a pass with nothing seen. */
  beginPass(checkpoint: string): null;
  /** Ends a complete pass over `from` … `to`. */
  endPass(checkpoint: string, from: number | null, to: number | null): null;
  state(): ArchiveState;
  setAside(): readonly UnreadRecord[];
  /** Returns the number of rows, which is also the largest `seq`. */
  stored(): number;
  /** Reads the state again, after another connection stored rows. */
  reload(): void;
}

const RESOURCE = 'trades';
/** Rows per INSERT statement, to share its overhead. */
const ROWS_PER_STATEMENT = 50;
/** NULL makes SQLite assign `seq`: the largest + 1. */
const ROW = `(NULL, ${Array.from({ length: TRADE_PLACES }, () => '?').join(', ')})`;

/** Reports whether every field fits its column as received. */
const isPlain = (trade: Trade): boolean =>
  trade.received === undefined &&
  trade.price !== null &&
  trade.executedQty !== null &&
  trade.executedQuoteQty !== null &&
  trade.fee !== null &&
  trade.offset !== null;

export function createTradeWriter(db: DatabaseSync, strings: StringTable): TradeWriter {
  const insertRow = db.prepare(`INSERT INTO trade VALUES ${ROW} ON CONFLICT (trade_id, symbol) DO NOTHING`);
  // OR FAIL keeps rows before the conflicting one; to undo them SQLite would copy every page it touches.
  const insertTogether = db.prepare(
    `INSERT OR FAIL INTO trade VALUES ${Array.from({ length: ROWS_PER_STATEMENT }, () => ROW).join(', ')}`,
  );
  const stored = db.prepare(`SELECT t.seq, ${TRADE_ROW} FROM trade t WHERE symbol = ? AND trade_id = ?`);
  const quarantine = db.prepare(`INSERT INTO quarantine (symbol, trade_id, content, received_at)
    VALUES (?, ?, ?, ?) ON CONFLICT (content) DO NOTHING`);
  const putCheckpoint = db.prepare(`INSERT INTO sync_state VALUES (?, ?)
    ON CONFLICT (resource) DO UPDATE SET checkpoint = excluded.checkpoint`);
  const getCheckpoint = db.prepare('SELECT checkpoint FROM sync_state WHERE resource = ?');
  const countQuarantine = db.prepare('SELECT count(*) AS n FROM quarantine');
  const edges = db.prepare('SELECT min(trade_time) AS oldest FROM trade');
  const newest = db.prepare('SELECT max(trade_time) AS newest FROM trade');
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const received = createReceivedTexts(db, 'trade_received', tradeFields);
  const days = createDailyTotals(db);
  const seen = createSeenRanges(db);
  const unread = createUnreadTrades(db);
  // Rows are never deleted, so the largest seq is the count.
  const largest = db.prepare('SELECT coalesce(max(seq), 0) AS n FROM trade');
  let last = asInteger(largest.get()?.['n']);
  const together: SQLInputValue[] = [];
  const numbers: TradeStringIds[] = [];
  const single: SQLInputValue[] = [];

  const inTransaction = (): boolean => db.isTransaction;
  /**
   * Runs `work` in a transaction and resets the caches after a rollback. `FULL`: on disk when it returns. `NORMAL`: safe
   * from a kill, and from a power cut after the next FULL one.
   */
  function transaction(work: () => void, synchronous: 'FULL' | 'NORMAL' = 'FULL'): void {
    // Inside an import's transaction, which handles failures.
    if (inTransaction()) return work();
    const before = last;
    if (synchronous === 'NORMAL') db.exec('PRAGMA synchronous = NORMAL');
    begin.run();
    try {
      work();
      commit.run();
    } catch (error) {
      // A full disk may have rolled back by itself.
      if (inTransaction()) db.exec('ROLLBACK');
      last = before;
      seen.reload();
      days.drop();
      strings.reload();
      throw error;
    } finally {
      // Other writers share this connection.
      if (synchronous === 'NORMAL') db.exec('PRAGMA synchronous = FULL');
    }
  }

  /** Inserts new rows, `ROWS_PER_STATEMENT` at a time, up to the first conflict; returns how many. */
  function insertNew(trades: readonly Trade[]): number {
    let done = 0;
    let met = false;
    while (!met && done + ROWS_PER_STATEMENT <= trades.length) {
      for (let n = 0; n < ROWS_PER_STATEMENT; n++) {
        const trade = trades[done + n]!;
        numbers[n] = stringIdsOf(trade, strings);
        putRow(together, n * TRADE_PLACES, trade, numbers[n]!);
      }
      try {
        insertTogether.run(...together);
      } catch (error) {
        if (!isConflict(error)) throw error;
        met = true;
      }
      const placed = met ? asInteger(largest.get()?.['n']) - last : ROWS_PER_STATEMENT;
      last += placed;
      for (let n = 0; n < placed; n++) {
        const trade = trades[done + n]!;
        days.count(trade, numbers[n]!);
        if (!isPlain(trade)) received.put(last - placed + n + 1, trade);
      }
      done += placed;
    }
    return done;
  }

  return {
    insert(rows, checkpoint, receivedAt, setAside = []) {
      let known = 0;
      let quarantined = 0;
      const before = last;
      const ofPass = checkpoint !== null && rows.length > 0;
      transaction(
        () => {
          for (const one of rows.slice(insertNew(rows))) {
            const own = stringIdsOf(one, strings);
            putRow(single, 0, one, own);
            if (insertRow.run(...single).changes === 1) {
              last += 1;
              days.count(one, own);
              if (!isPlain(one)) received.put(last, one);
              continue;
            }
            const trade = wellFormed(one);
            const row = stored.get(own.symbol, storedId(trade.tradeId));
            if (row === undefined) throw new TypeError('a trade conflicts with a row that is not there');
            if (sameTrade(trade, tradeOf(row, strings))) known += 1;
            else {
              quarantined += 1;
              quarantine.run(trade.symbol, trade.tradeId, JSON.stringify(trade), receivedAt);
            }
            const seq = asInteger(row['seq']);
            // New rows are added below, all at once.
            if (checkpoint !== null && seq <= before) seen.add(seq);
          }
          days.write();
          unread.put(setAside, checkpoint !== null);
          if (checkpoint === null) return;
          if (last > before) seen.addNew(before + 1, last);
          putCheckpoint.run(RESOURCE, checkpoint);
          // A pass's pages are not synced: a power cut loses rows and checkpoint together, and the pass resumes there.
          // A fill's rows and the end of a pass are synced, with everything before them.
        },
        ofPass ? 'NORMAL' : 'FULL',
      );
      return { added: last - before, known, quarantined, seen: seen.count(), setAside: unread.seen() };
    },
    beginPass(checkpoint) {
      transaction(() => {
        seen.clear();
        unread.beginPass();
        putCheckpoint.run(RESOURCE, checkpoint);
      });
      return null;
    },
    endPass(checkpoint, from, to) {
      transaction(() => {
        unread.endPass(from, to);
        putCheckpoint.run(RESOURCE, checkpoint);
      });
      return null;
    },
    setAside: () => unread.list(),
    state() {
      const checkpoint = getCheckpoint.get(RESOURCE)?.['checkpoint'];
      const time = (value: unknown): number | null => (typeof value === 'number' ? value : null);
      return {
        stored: last,
        oldest: time(edges.get()?.['oldest']),
        newest: time(newest.get()?.['newest']),
        quarantined: asInteger(countQuarantine.get()?.['n']),
        setAside: unread.count(),
        checkpoint: checkpoint === undefined ? null : asText(checkpoint),
      };
    },
    stored: () => last,
    reload() {
      last = asInteger(largest.get()?.['n']);
      days.drop();
      strings.reload();
    },
  };
}
