/** Stores trades: each once by (symbol, tradeId), with the sync's checkpoint in the same transaction. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { tradeFields, type Trade } from '../../../src-shared/exchange-api/trade.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { isConflict } from '../sqlite/errors.ts';
import { createDayBook } from './daily-totals.ts';
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
import { createTradesSetAside } from './set-aside.ts';
import { createReceivedTexts } from '../sqlite/received-text.ts';
import { createSeenRanges } from './seen-ranges.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export interface InsertSummary {
  /** New rows. */
  readonly added: number;
  /** Rows already stored with the same content. */
  readonly known: number;
  /** Rows with a stored id but other content, kept apart; the stored one stands. */
  readonly quarantined: number;
  /** Distinct trades the walk in progress has met so far. */
  readonly seen: number;
  /** Records the walk has met that could not be read. */
  readonly setAside: number;
}

export interface ArchiveState {
  readonly stored: number;
  /** tradeTime, ms; null when nothing is stored. */
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly quarantined: number;
  /** Records without an identity that can be read. */
  readonly setAside: number;
  /** What the sync wrote last; null before its first walk. */
  readonly checkpoint: string | null;
}

export interface TradeWriter {
  /** With a checkpoint the rows count as seen by the walk in progress; without, they are only stored. */
  insert(
    rows: readonly Trade[],
    checkpoint: string | null,
    receivedAt: number,
    setAside?: readonly UnreadRecord[],
  ): InsertSummary;
  /** Begins a walk: nothing is seen yet. */
  beginPass(checkpoint: string): void;
  /** The walk over `from` … `to` is complete. */
  endPass(checkpoint: string, from: number | null, to: number | null): void;
  state(): ArchiveState;
  setAside(): readonly UnreadRecord[];
  /** Rows stored; also the largest `seq`. */
  stored(): number;
  /** After rows were stored by another connection to the file. */
  reload(): void;
}

const RESOURCE = 'trades';
/** Rows of one statement: what SQLite does for a statement is done for all of them at once. */
const TOGETHER = 50;
/** `seq` is SQLite's to give: the largest so far and one. */
const ROW = `(NULL, ${Array.from({ length: TRADE_PLACES }, () => '?').join(', ')})`;

/** Every field is in its column as it came. */
const isPlain = (trade: Trade): boolean =>
  trade.received === undefined &&
  trade.price !== null &&
  trade.executedQty !== null &&
  trade.executedQuoteQty !== null &&
  trade.fee !== null &&
  trade.offset !== null;

export function createTradeWriter(db: DatabaseSync, strings: StringTable): TradeWriter {
  const insertRow = db.prepare(`INSERT INTO trade VALUES ${ROW} ON CONFLICT (trade_id, symbol) DO NOTHING`);
  // OR FAIL: rows before the one that conflicts stay. To be able to undo them SQLite would copy every page it touches.
  const insertTogether = db.prepare(
    `INSERT OR FAIL INTO trade VALUES ${Array.from({ length: TOGETHER }, () => ROW).join(', ')}`,
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
  const days = createDayBook(db);
  const seen = createSeenRanges(db);
  const aside = createTradesSetAside(db);
  // Rows are never deleted, so the largest seq is the count.
  const largest = db.prepare('SELECT coalesce(max(seq), 0) AS n FROM trade');
  let last = asInteger(largest.get()?.['n']);
  const together: SQLInputValue[] = [];
  const numbers: TradeStringIds[] = [];
  const single: SQLInputValue[] = [];

  const underWay = (): boolean => db.isTransaction;
  /**
   * All or nothing; what is held in memory follows a roll-back. `FULL`: on disk when it returns. `NORMAL`: safe from a
   * kill, and from a power cut with the next FULL one.
   */
  function transaction(work: () => void, synchronous: 'FULL' | 'NORMAL' = 'FULL'): void {
    // An import's own transaction is around it: it ends there, and this writer with it when that fails.
    if (underWay()) return work();
    const before = last;
    if (synchronous === 'NORMAL') db.exec('PRAGMA synchronous = NORMAL');
    begin.run();
    try {
      work();
      commit.run();
    } catch (error) {
      // A full disk may have rolled back by itself.
      if (underWay()) db.exec('ROLLBACK');
      last = before;
      seen.reload();
      days.drop();
      strings.reload();
      throw error;
    } finally {
      // Others write on this connection too.
      if (synchronous === 'NORMAL') db.exec('PRAGMA synchronous = FULL');
    }
  }

  /** Stores rows that are all new, `TOGETHER` at a time; returns how many, from the first, before it met another. */
  function insertNew(trades: readonly Trade[]): number {
    let done = 0;
    let met = false;
    while (!met && done + TOGETHER <= trades.length) {
      for (let n = 0; n < TOGETHER; n++) {
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
      const placed = met ? asInteger(largest.get()?.['n']) - last : TOGETHER;
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
            // The new ones are seen below, all at once.
            if (checkpoint !== null && seq <= before) seen.add(seq);
          }
          days.write();
          aside.put(setAside, checkpoint !== null);
          if (checkpoint === null) return;
          if (last > before) seen.addNew(before + 1, last);
          putCheckpoint.run(RESOURCE, checkpoint);
          // A page of a walk waits for no disk: a power cut takes back rows and checkpoint together, and the walk goes on
          // from there. What a person is told of (a fill's rows, that a walk is complete) does, with all before it.
        },
        ofPass ? 'NORMAL' : 'FULL',
      );
      return { added: last - before, known, quarantined, seen: seen.count(), setAside: aside.met() };
    },
    beginPass(checkpoint) {
      transaction(() => {
        seen.clear();
        aside.beginPass();
        putCheckpoint.run(RESOURCE, checkpoint);
      });
    },
    endPass(checkpoint, from, to) {
      transaction(() => {
        aside.endPass(from, to);
        putCheckpoint.run(RESOURCE, checkpoint);
      });
    },
    setAside: () => aside.list(),
    state() {
      const checkpoint = getCheckpoint.get(RESOURCE)?.['checkpoint'];
      const time = (value: unknown): number | null => (typeof value === 'number' ? value : null);
      return {
        stored: last,
        oldest: time(edges.get()?.['oldest']),
        newest: time(newest.get()?.['newest']),
        quarantined: asInteger(countQuarantine.get()?.['n']),
        setAside: aside.count(),
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
