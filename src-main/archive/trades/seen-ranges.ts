/**
 * Stores which trades the current backfill pass has seen, so that "distinct ids equal total" can be verified across a
 * kill. Stored as ranges of row numbers (table `seen_stretch`), since a page's rows are nearly always consecutive.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { asInteger } from '../sqlite/row-types.ts';

export class SeenRanges {
  readonly #sum: StatementSync;
  readonly #upTo: StatementSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleteAll: StatementSync;
  #seen = 0;

  constructor(db: DatabaseSync) {
    this.#sum = db.prepare('SELECT coalesce(sum(last_seq - first_seq + 1), 0) AS n FROM seen_stretch');
    this.#upTo = db.prepare(
      'SELECT first_seq, last_seq FROM seen_stretch WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1',
    );
    this.#put = db.prepare('INSERT OR REPLACE INTO seen_stretch VALUES (?, ?)');
    this.#delete = db.prepare('DELETE FROM seen_stretch WHERE first_seq = ?');
    this.#deleteAll = db.prepare('DELETE FROM seen_stretch');
    this.reload();
  }

  /** Adds rows `first` … `last`, none of them seen before. Requires a transaction. */
  addNew(first: number, last: number): void {
    const before = this.#upTo.get(first);
    const joined = before?.['last_seq'] === first - 1 ? asInteger(before['first_seq']) : first;
    this.#put.run(joined, last);
    // With newest-first pages, the previous range begins where this one ends.
    const after = this.#upTo.get(last + 1);
    if (after?.['first_seq'] === last + 1) {
      this.#delete.run(last + 1);
      this.#put.run(joined, asInteger(after['last_seq']));
    }
    this.#seen += last - first + 1;
  }

  /** Adds a row that may have been seen before. Requires a transaction. */
  add(seq: number): void {
    const around = this.#upTo.get(seq);
    if (around === undefined || asInteger(around['last_seq']) < seq) this.addNew(seq, seq);
  }

  clear(): void {
    this.#deleteAll.run();
    this.#seen = 0;
  }

  /** Returns the number of distinct rows seen. */
  count(): number {
    return this.#seen;
  }

  /** Reads the state again, after a rollback. */
  reload(): void {
    this.#seen = asInteger(this.#sum.get()?.['n']);
  }
}
