import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` in a transaction and returns its result. After a rollback `reset` brings what is cached back in line; the
 * error is thrown on.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T, reset?: () => void): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK');
    reset?.();
    throw error;
  }
}
