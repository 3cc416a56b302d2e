/** Stores trades: each once by (symbol, tradeId), with the sync's checkpoint in the same transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { Trade } from '../../src-shared/interface/trade.ts';
import { asInteger, asText } from './columns.ts';
import { isConflict } from './faults.ts';
import { createDayBook } from './trade-days.ts';
import { rowOf, sameTrade, storedId, TRADE_ROW, tradeOf, wellFormed } from './trade-record.ts';
import type { Words } from './words.ts';

export interface InsertSummary {
  /** New rows. */
  readonly added: number;
  /** Rows already stored with the same content. */
  readonly known: number;
  /** Rows with a stored id but other content, kept apart; the stored one stands. */
  readonly quarantined: number;
  /** Distinct trades the walk in progress has met so far. */
  readonly seen: number;
}

export interface ArchiveState {
  readonly stored: number;
  /** tradeTime, ms; null when nothing is stored. */
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly quarantined: number;
  /** What the sync wrote last; null before its first walk. */
  readonly checkpoint: string | null;
}

export interface TradeWriter {
  /** With a checkpoint the rows count as seen by the walk in progress; without, they are only stored. */
  insert(rows: readonly Trade[], checkpoint: string | null, receivedAt: number): InsertSummary;
  /** Begins a walk: nothing is seen yet. */
  beginWalk(checkpoint: string): void;
  state(): ArchiveState;
  /** Rows stored; also the largest `seq`. */
  stored(): number;
  /** After rows were stored by another connection to the file. */
  reload(): void;
}

const RESOURCE = 'trades';
/** Rows of one statement: what SQLite does for a statement is done for all of them at once. */
const TOGETHER = 20;
const COLUMNS = 13;
const places = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

export function createTradeWriter(db: DatabaseSync, words: Words): TradeWriter {
  const insertRow = db.prepare(
    `INSERT INTO trade VALUES (${places(COLUMNS)}) ON CONFLICT (symbol, trade_id) DO NOTHING`,
  );
  const insertTogether = db.prepare(
    `INSERT INTO trade VALUES ${Array.from({ length: TOGETHER }, () => `(${places(COLUMNS)})`).join(', ')}`,
  );
  const stored = db.prepare(`SELECT t.seq, ${TRADE_ROW} FROM trade t WHERE symbol = ? AND trade_id = ?`);
  const quarantine = db.prepare(`INSERT INTO quarantine (symbol, trade_id, content, received_at)
    VALUES (?, ?, ?, ?) ON CONFLICT (content) DO NOTHING`);
  const see = db.prepare('INSERT OR IGNORE INTO sync_seen VALUES (?)');
  const seeNew = db.prepare('INSERT INTO sync_seen SELECT seq FROM trade WHERE seq > ?');
  const countSeen = db.prepare('SELECT count(*) AS n FROM sync_seen');
  const putCheckpoint = db.prepare('INSERT OR REPLACE INTO sync_state VALUES (?, ?)');
  const getCheckpoint = db.prepare('SELECT checkpoint FROM sync_state WHERE resource = ?');
  const countQuarantine = db.prepare('SELECT count(*) AS n FROM quarantine');
  const edges = db.prepare('SELECT min(trade_time) AS oldest FROM trade');
  const newest = db.prepare('SELECT max(trade_time) AS newest FROM trade');
  const days = createDayBook(db, words);
  // Rows are never deleted, so the largest seq is the count.
  const largest = db.prepare('SELECT coalesce(max(seq), 0) AS n FROM trade');
  let last = asInteger(largest.get()?.['n']);
  let seen = asInteger(countSeen.get()?.['n']);

  /** All or nothing, on disk when it returns (synchronous=FULL). What is held in memory follows a roll-back. */
  function transaction(work: () => void): void {
    // An import's own transaction is around it: it ends there, and this writer with it when that fails.
    if (db.isTransaction) return work();
    const before = { last, seen };
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      // A full disk may have rolled back by itself.
      if (db.isTransaction) db.exec('ROLLBACK');
      ({ last, seen } = before);
      days.drop();
      words.reload();
      throw error;
    }
  }

  /** Stores rows that are all new, `TOGETHER` at a time; returns how many, from the first, before it met another. */
  function insertNew(trades: readonly Trade[]): number {
    let done = 0;
    for (; done + TOGETHER <= trades.length; done += TOGETHER) {
      const part = trades.slice(done, done + TOGETHER);
      try {
        insertTogether.run(...part.flatMap((trade, index) => rowOf(trade, last + 1 + index, words)));
      } catch (error) {
        // SQLite has undone this statement, and only it.
        if (isConflict(error)) return done;
        throw error;
      }
      last += TOGETHER;
      for (const trade of part) days.count(trade);
    }
    return done;
  }

  return {
    insert(rows, checkpoint, receivedAt) {
      let known = 0;
      let quarantined = 0;
      const before = last;
      const trades = rows.map(wellFormed);
      transaction(() => {
        for (const trade of trades.slice(insertNew(trades))) {
          if (insertRow.run(...rowOf(trade, last + 1, words)).changes === 1) {
            last += 1;
            days.count(trade);
            continue;
          }
          const row = stored.get(words.idOf(trade.symbol), storedId(trade.tradeId));
          if (row === undefined) throw new TypeError('a trade conflicts with a row that is not there');
          if (sameTrade(trade, tradeOf(row, words))) known += 1;
          else {
            quarantined += 1;
            quarantine.run(trade.symbol, trade.tradeId, JSON.stringify(trade), receivedAt);
          }
          const seq = asInteger(row['seq']);
          // The new ones are seen below, all at once.
          if (checkpoint !== null && seq <= before) seen += asInteger(see.run(seq).changes);
        }
        days.write();
        if (checkpoint === null) return;
        seen += asInteger(seeNew.run(before).changes);
        putCheckpoint.run(RESOURCE, checkpoint);
      });
      return { added: last - before, known, quarantined, seen };
    },
    beginWalk(checkpoint) {
      transaction(() => {
        db.exec('DELETE FROM sync_seen');
        seen = 0;
        putCheckpoint.run(RESOURCE, checkpoint);
      });
    },
    state() {
      const checkpoint = getCheckpoint.get(RESOURCE)?.['checkpoint'];
      const time = (value: unknown): number | null => (typeof value === 'number' ? value : null);
      return {
        stored: last,
        oldest: time(edges.get()?.['oldest']),
        newest: time(newest.get()?.['newest']),
        quarantined: asInteger(countQuarantine.get()?.['n']),
        checkpoint: checkpoint === undefined ? null : asText(checkpoint),
      };
    },
    stored: () => last,
    reload() {
      last = asInteger(largest.get()?.['n']);
      days.drop();
      words.reload();
    },
  };
}
