import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in a transaction. After a rollback `reset` brings what is cached back in line; the error is thrown on. */
export function inTransaction(db: DatabaseSync, work: () => void, reset: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    // A full disk may have rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    reset();
    throw error;
  }
}
