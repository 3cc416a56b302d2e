/** Stores trades without a readable identity as received, to count them in a pass. Their table keeps its older name. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DatedUnreadable } from '../../../src-shared/ipc/archive.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';

/** Most records returned. */
const MAX_LISTED = 500;

export class UnreadableTrades {
  readonly #put: StatementSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #met: StatementSync;
  readonly #all: StatementSync;
  readonly #list: StatementSync;

  constructor(db: DatabaseSync) {
    this.#put = db.prepare(`INSERT INTO trade_set_aside VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (raw, number) DO UPDATE SET is_met = max(is_met, excluded.is_met)`);
    this.#begin = db.prepare('UPDATE trade_set_aside SET is_met = 0');
    this.#end = db.prepare(
      'DELETE FROM trade_set_aside WHERE is_met = 0 AND from_time >= ? AND to_time <= ?',
    );
    this.#met = db.prepare('SELECT count(*) AS n FROM trade_set_aside WHERE is_met = 1');
    this.#all = db.prepare('SELECT count(*) AS n FROM trade_set_aside');
    this.#list = db.prepare(
      `SELECT * FROM trade_set_aside ORDER BY from_time, raw, number LIMIT ${MAX_LISTED}`,
    );
  }

  /** Stores records of one reply. `ofPass`: of the current pass. Requires a transaction. */
  put(records: readonly DatedUnreadable[], ofPass: boolean): void {
    const alike = new Map<string, number>();
    for (const { raw, record, message, symbolId, from, to } of records) {
      const number = alike.get(raw) ?? 0;
      alike.set(raw, number + 1);
      this.#put.run(raw, number, record, message, symbolId, from, to, ofPass ? 1 : 0);
    }
  }

  /** Marks all as not seen, at the start of a pass. Requires a transaction. */
  beginPass(): void {
    this.#begin.run();
  }

  /** Deletes records in `from` … `to` that the complete pass did not see: they are readable now, or gone. */
  endPass(from: number | null, to: number | null): void {
    this.#end.run(from ?? 0, to ?? Number.MAX_SAFE_INTEGER);
  }

  /** Returns the number seen by the current pass. */
  seen(): number {
    return asInteger(this.#met.get()?.['n']);
  }

  count(): number {
    return asInteger(this.#all.get()?.['n']);
  }

  /** Oldest first. */
  list(): readonly DatedUnreadable[] {
    return this.#list.all().map((row) => ({
      raw: asText(row['raw']),
      record: asText(row['record']),
      message: asText(row['message']),
      symbolId: row['symbol'] === null ? null : asText(row['symbol']),
      from: asInteger(row['from_time']),
      to: asInteger(row['to_time']),
    }));
  }
}
