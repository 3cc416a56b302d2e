/** Stores trades: each once by (symbol, tradeId), with the sync's checkpoint in the same transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { Trade } from '../../src-shared/interface/trade.ts';
import { asInteger, asText } from './columns.ts';
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
}

const RESOURCE = 'trades';

export function createTradeWriter(db: DatabaseSync, words: Words): TradeWriter {
  const insertRow = db.prepare(
    `INSERT INTO trade VALUES (${Array.from({ length: 13 }, () => '?').join(', ')})
     ON CONFLICT (symbol, trade_id) DO NOTHING`,
  );
  const stored = db.prepare(`SELECT t.seq, ${TRADE_ROW} FROM trade t WHERE symbol = ? AND trade_id = ?`);
  const quarantine = db.prepare(`INSERT INTO quarantine (symbol, trade_id, content, received_at)
    VALUES (?, ?, ?, ?) ON CONFLICT (content) DO NOTHING`);
  const see = db.prepare('INSERT OR IGNORE INTO sync_seen VALUES (?)');
  const countSeen = db.prepare('SELECT count(*) AS n FROM sync_seen');
  const putCheckpoint = db.prepare('INSERT OR REPLACE INTO sync_state VALUES (?, ?)');
  const getCheckpoint = db.prepare('SELECT checkpoint FROM sync_state WHERE resource = ?');
  const countQuarantine = db.prepare('SELECT count(*) AS n FROM quarantine');
  const edges = db.prepare('SELECT min(trade_time) AS oldest FROM trade');
  const newest = db.prepare('SELECT max(trade_time) AS newest FROM trade');
  const days = createDayBook(db, words);
  // Rows are never deleted, so the largest seq is the count.
  let last = asInteger(db.prepare('SELECT coalesce(max(seq), 0) AS n FROM trade').get()?.['n']);
  let seen = asInteger(countSeen.get()?.['n']);

  /** All or nothing, on disk when it returns (synchronous=FULL). What is held in memory follows a roll-back. */
  function transaction(work: () => void): void {
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

  function markSeen(seq: number): void {
    if (see.run(seq).changes === 1) seen += 1;
  }

  return {
    insert(rows, checkpoint, receivedAt) {
      let added = 0;
      let known = 0;
      let quarantined = 0;
      transaction(() => {
        for (const received of rows) {
          const trade = wellFormed(received);
          let seq = last + 1;
          if (insertRow.run(...rowOf(trade, seq, words)).changes === 1) {
            last = seq;
            added += 1;
            days.count(trade);
          } else {
            const row = stored.get(words.idOf(trade.symbol), storedId(trade.tradeId));
            if (row === undefined) throw new TypeError('a trade conflicts with a row that is not there');
            seq = asInteger(row['seq']);
            if (sameTrade(trade, tradeOf(row, words))) known += 1;
            else {
              quarantined += 1;
              quarantine.run(trade.symbol, trade.tradeId, JSON.stringify(trade), receivedAt);
            }
          }
          if (checkpoint !== null) markSeen(seq);
        }
        days.write();
        if (checkpoint !== null) putCheckpoint.run(RESOURCE, checkpoint);
      });
      return { added, known, quarantined, seen };
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
  };
}
