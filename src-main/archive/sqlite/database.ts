/** Opens a connection's archive file; a damaged one is renamed, never overwritten. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { syncFolderSync } from '../../../src-files/sync-folder.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { isOfAccount, bindAccount } from './account.ts';
import { isPresent, moveAside, moveDatabase, newPath, removeDatabaseSync } from './database-files.ts';
import { ArchiveFault, isDamage, SQLITE_CORRUPT } from './errors.ts';
import { defineFunctions } from './functions.ts';
import { migrate, pendingVersion } from './migrations.ts';
import { openDurable } from './open-durable.ts';
import { copyBeforeMigration } from './schema-copy.ts';
import { mergeReadableNotes } from '../notes/merge.ts';

export interface OpenedDatabase {
  readonly db: DatabaseSync;
  /** For display if a damaged file, or another account's, was renamed: what happened, where it is, what follows. */
  readonly movedAside: string | null;
}

/**
 * Opens `file`, created if missing. A damaged file, or one of another account than `account`, is moved aside under a
 * name with `now` (wall clock, ms). Without `account` the file is bound to none. Throws ArchiveFault (another
 * connection's, program's or newer version's file) or SQLite's error; both leave the file unchanged.
 */
export function openDatabase(
  file: string,
  connectionId: string,
  now: number,
  account: AccountIdentity | null = null,
): OpenedDatabase {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const replaceFile = (why: 'damaged' | 'other-account'): OpenedDatabase => {
    const path = moveFileAside(file, why, now);
    const db = open(file, connectionId);
    if (account !== null) bindAccount(db, account);
    // The exchange has everything but the notes. SQLite deletes the WAL of an empty file, the rest of an archive.
    if (why === 'damaged' && hasContent(path)) mergeReadableNotes(file, path);
    return { db, movedAside: MOVED_ASIDE[why](path) };
  };
  if (isEmptied(file)) return replaceFile('damaged');
  let db: DatabaseSync;
  try {
    db = open(file, connectionId);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return replaceFile('damaged');
  }
  if (account === null || isOfAccount(db, account)) return { db, movedAside: null };
  db.close();
  return replaceFile('other-account');
}

const hasContent = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Reports whether an archive lost its content, as by a failing disk; SQLite would take what is left for a new one. */
export const isEmptied = (file: string): boolean => !hasContent(file) && isPresent(file);

/** SQLite's name of a database that has no file. */
const IN_MEMORY = ':memory:';
const MOVED_ASIDE = {
  damaged: (path: string) =>
    `The trade archive was damaged. It is kept as ${path}; a new one is filled from the exchange. Notes that could be read were carried over.`,
  'other-account': (path: string) =>
    `The address or key of this connection has changed, so its archive may be another account’s. It is kept as ${path}; a new one is filled from the exchange. If only the key of the same account was replaced, restore it in Settings › Data.`,
} as const;

function open(file: string, connectionId: string): DatabaseSync {
  if (file !== IN_MEMORY && !isPresent(file)) create(file, connectionId);
  return openPresent(file, connectionId);
}

/** Creates an archive under its name only when it is whole: an end of the app meanwhile must not look like damage. */
function create(file: string, connectionId: string): void {
  const part = newPath(file);
  removeDatabaseSync(part);
  try {
    openPresent(part, connectionId).close();
    moveDatabase(part, file);
  } catch (error) {
    removeDatabaseSync(part);
    throw error;
  }
  syncFolderSync(dirname(file));
}

function openPresent(file: string, connectionId: string): DatabaseSync {
  const db = openDurable(file);
  try {
    // Durable: the exchange may no longer list what a power cut took. Only pages of a backfill pass use NORMAL
    // (`trades/writer.ts`).
    // A WAL of up to 80 MB stores a million rows a third faster than the default; it is checkpointed in a worker
    // (`maintenance/wal-checkpoint.ts`).
    db.exec(`PRAGMA wal_autocheckpoint = 20000;
      PRAGMA cache_size = -32000;
      PRAGMA temp_store = MEMORY;
      PRAGMA foreign_keys = OFF;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;`);
    defineFunctions(db);
    const found = db.prepare('PRAGMA quick_check(1)').get();
    if (found?.['quick_check'] !== 'ok') throw new Damage();
    const target = pendingVersion(db);
    if (target !== null) copyBeforeMigration(db, file, target);
    migrate(db, connectionId);
    // Last, since it writes to the file, which may be refused above.
    db.exec('PRAGMA journal_mode = WAL');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Damage found by quick_check, treated like SQLite's own error. */
class Damage extends Error {
  override readonly name = 'Damage';
  readonly errcode = SQLITE_CORRUPT;
}

/** Moves the file with its WAL, which may contain rows. Throws ArchiveFault. */
function moveFileAside(file: string, why: 'damaged' | 'other-account', now: number): string {
  try {
    return moveAside(file, why, now);
  } catch {
    const what = why === 'damaged' ? 'damaged' : 'of another account';
    throw new ArchiveFault({
      kind: 'file',
      message: `The trade archive ${file} is ${what} and could not be renamed.`,
      next: `Move it to another folder, or allow writing to its folder, then start Ballast again.`,
      field: 'file',
    });
  }
}
