/** The text a sync stores of its progress in one resource, in the transaction of the rows it is about. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { asText } from './row-types.ts';

/** What the archive has of a resource. */
export interface StoredRecords {
  readonly stored: number;
  /** Time of the oldest and newest record, ms; null if nothing is stored. */
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly quarantined: number;
  /** The sync's last checkpoint; null before its first pass. */
  readonly checkpoint: string | null;
}

export class SyncState {
  readonly #resource: 'trades' | 'orders' | 'equity';
  readonly #get: StatementSync;
  readonly #put: StatementSync;

  constructor(db: DatabaseSync, resource: 'trades' | 'orders' | 'equity') {
    this.#resource = resource;
    this.#get = db.prepare('SELECT checkpoint FROM sync_state WHERE resource = ?');
    this.#put = db.prepare(`INSERT INTO sync_state VALUES (?, ?)
      ON CONFLICT (resource) DO UPDATE SET checkpoint = excluded.checkpoint`);
  }

  /** Returns the stored text; null before the first. */
  get(): string | null {
    const row = this.#get.get(this.#resource);
    return row === undefined ? null : asText(row['checkpoint']);
  }

  put(text: string): void {
    this.#put.run(this.#resource, text);
  }
}
