/**
 * Stores which trades the current backfill pass has seen, so that "distinct ids equal total" can be verified across a
 * kill. Stored as ranges of row numbers (table `seen_stretch`), since a page's rows are nearly always consecutive.
 */
import type { DatabaseSync } from 'node:sqlite';
import { asInteger } from '../sqlite/row-types.ts';

export interface SeenRanges {
  /** Adds rows `first` … `last`, none of them seen before. Requires a transaction. */
  addNew(first: number, last: number): void;
  /** Adds a row that may have been seen before. Requires a transaction. */
  add(seq: number): void;
  clear(): void;
  /** Returns the number of distinct rows seen. */
  count(): number;
  /** Reads the state again, after a rollback. */
  reload(): void;
}

export function createSeenRanges(db: DatabaseSync): SeenRanges {
  const sum = db.prepare('SELECT coalesce(sum(last_seq - first_seq + 1), 0) AS n FROM seen_stretch');
  const upTo = db.prepare(
    'SELECT first_seq, last_seq FROM seen_stretch WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1',
  );
  const put = db.prepare('INSERT OR REPLACE INTO seen_stretch VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM seen_stretch WHERE first_seq = ?');
  const read = (): number => asInteger(sum.get()?.['n']);
  let seen = read();

  function addNew(first: number, last: number): void {
    const before = upTo.get(first);
    const joined = before?.['last_seq'] === first - 1 ? asInteger(before['first_seq']) : first;
    put.run(joined, last);
    // With newest-first pages, the previous range begins where this one ends.
    const after = upTo.get(last + 1);
    if (after?.['first_seq'] === last + 1) {
      drop.run(last + 1);
      put.run(joined, asInteger(after['last_seq']));
    }
    seen += last - first + 1;
  }
  return {
    addNew,
    add(seq) {
      const around = upTo.get(seq);
      if (around === undefined || asInteger(around['last_seq']) < seq) addNew(seq, seq);
    },
    clear() {
      db.exec('DELETE FROM seen_stretch');
      seen = 0;
    },
    count: () => seen,
    reload() {
      seen = read();
    },
  };
}
