/**
 * Restores a backup. It is copied beside the archive and validated as untrusted: its schema must equal a new archive's
 * before any other query, so that none of its triggers or views runs. The replaced archive is kept under another name.
 */
import { copyFileSync, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { renameSync } from '../../../src-files/rename.ts';
import { isSameFile } from '../../../src-files/same-file.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { done, failed, type Failure, type Result } from '../../../src-shared/ipc/failures.ts';
import { mergeReadableNotes } from '../notes/merge.ts';
import { compareFile, clearVerification, bindAccount } from '../sqlite/account.ts';
import { moveAside, moveDatabase, removeDatabaseSync, stagingPath } from '../sqlite/database-files.ts';
import { ArchiveFault, isDamage, notWritten, reasonOf } from '../sqlite/errors.ts';
import { assignConnection, hasOwnSchema, migrate, NewerArchive } from '../sqlite/migrations.ts';

export interface ReadyBackup {
  /** The validated copy, beside the archive. */
  readonly part: string;
  readonly trades: number;
  readonly orders: number;
  /** Whether its verification still holds, since it has the same account and key; else it is verified again. */
  readonly verificationKept: boolean;
}

export interface BackupRequest {
  readonly backup: string;
  readonly connectionId: string;
  /** The account to bind it to; null binds it to none. */
  readonly account: AccountIdentity | null;
}

const rejected = (backup: string, why: string, next: string): ArchiveFault =>
  new ArchiveFault({
    kind: 'file',
    message: `The backup ${basename(backup)} was not restored: ${why}. The archive is as it was.`,
    next,
    field: 'path',
  });

/**
 * Copies the backup, assigns it to this connection and migrates it. Throws ArchiveFault with a readable reason; the
 * copy is removed then.
 */
export function readyBackup(request: BackupRequest, file: string): ReadyBackup {
  const { backup } = request;
  const part = stagingPath(file);
  removeDatabaseSync(part);
  try {
    copy(backup, part, file);
    return { part, ...examine(part, request) };
  } catch (error) {
    removeDatabaseSync(part);
    throw error;
  }
}

function copy(backup: string, part: string, file: string): void {
  try {
    // A pipe or a device might never end.
    if (!statSync(backup).isFile()) throw rejected(backup, 'it is not a file', 'Choose a backup.');
    if (isSameFile(backup, file))
      throw rejected(backup, 'this is the archive itself', 'Choose a backup of it.');
    copyFileSync(backup, part);
    // A file copied while in use may have rows only in its WAL.
    if (statSync(`${backup}-wal`, { throwIfNoEntry: false })?.isFile() === true)
      copyFileSync(`${backup}-wal`, `${part}-wal`);
  } catch (error) {
    if (error instanceof ArchiveFault) throw error;
    throw rejected(
      backup,
      `its copy beside the archive failed: ${reasonOf(error)}`,
      'Free up space, or choose another file.',
    );
  }
}

/** Validates the copy, assigns it to the connection and migrates it. Throws ArchiveFault; the copy stays. */
export function examine(
  part: string,
  { backup, connectionId, account }: BackupRequest,
): Omit<ReadyBackup, 'part'> {
  const broken = () =>
    rejected(backup, 'it is damaged, or not an archive of Ballast', 'Choose another backup.');
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(part);
  } catch {
    throw broken(); // SQLite's message would name the copy
  }
  try {
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    if (!hasOwnSchema(db))
      throw rejected(
        backup,
        'it was changed by another program, or not made by Ballast',
        'Choose a backup that nothing else has changed.',
      );
    // The full check: with an inconsistent index, queries would return other rows than the table has.
    if (db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] !== 'ok') throw broken();
    assignConnection(db, connectionId);
    migrate(db, connectionId);
    const verificationKept = account === null || bind(db, backup, account);
    const count = (table: 'trade' | 'history_order'): number => {
      const found = db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];
      return typeof found === 'number' ? found : 0;
    };
    return { trades: count('trade'), orders: count('history_order'), verificationKept };
  } catch (error) {
    if (isDamage(error)) throw broken();
    // Messages for the archive's own file would be misleading here.
    if (error instanceof ArchiveFault && error.failure.field !== 'path')
      throw rejected(
        backup,
        error instanceof NewerArchive
          ? 'a newer version of Ballast wrote it'
          : 'it is not an archive of Ballast',
        'Choose another backup.',
      );
    throw error;
  } finally {
    db.close();
  }
}

/** Binds it to the account. Returns false if it may have been read with another key, so that nothing is verified. */
function bind(db: DatabaseSync, backup: string, account: AccountIdentity): boolean {
  const { is, isVerified } = compareFile(db, account);
  if (is === 'other')
    throw rejected(
      backup,
      'it belongs to another account',
      'Choose a backup of this account, or add the other account as a connection of its own.',
    );
  if (!isVerified) clearVerification(db);
  bindAccount(db, account);
  return isVerified;
}

const COPY_GONE: Failure = {
  kind: 'file',
  message: 'The backup was not restored: its copy beside the archive is gone. The archive is as it was.',
  next: 'Restore the backup again.',
  field: 'path',
};

/**
 * Replaces the archive, which must be closed, with the validated copy, into which its notes are merged: no exchange has
 * them. Returns the replaced archive's new path; on a failure it stays in place.
 */
export function putInPlace(part: string, file: string, now: number): Result<string> {
  // SQLite would create it, empty.
  if (!existsSync(part)) return failed(COPY_GONE);
  let aside: string | null = null;
  try {
    mergeReadableNotes(part, file);
    aside = moveAside(file, 'replaced', now);
    renameSync(part, file);
    return done(aside);
  } catch (error) {
    if (aside !== null) moveDatabase(aside, file);
    removeDatabaseSync(part);
    return failed(notWritten(error, file));
  }
}

/**
 * Finishes a restore that a kill ended between its two renames: without it an empty archive would be opened. The copy is
 * validated again; one that is not valid is removed.
 */
export function finishRestore(file: string, of: Omit<BackupRequest, 'backup'>, now: number): void {
  const part = stagingPath(file);
  if (existsSync(file) || !existsSync(part)) return;
  try {
    examine(part, { ...of, backup: part });
    // The kill may have left the WAL of the replaced archive.
    moveAside(file, 'replaced', now);
    moveDatabase(part, file);
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    removeDatabaseSync(part);
  }
}
