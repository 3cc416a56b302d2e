import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a database whose commits survive a power cut: with NORMAL the last ones may be lost, and on macOS also with FULL,
 * since its fsync leaves them in the drive's cache. Throws SQLite's error.
 */
export function openDurable(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
