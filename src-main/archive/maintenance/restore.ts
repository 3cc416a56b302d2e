/**
 * A backup put in the archive's place. It is copied beside the archive and examined there first: read, not trusted. Its
 * schema has to be a fresh archive's before anything else is asked of it, so no trigger, view or endless query of it
 * ever runs. The archive it replaces is kept under a name of its own.
 */
import { copyFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { renameSync } from '../../../src-files/rename.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import { beside, dropProof, nameAccount } from '../sqlite/account.ts';
import { moveAside, moveDatabase, removeDatabase } from '../sqlite/database-files.ts';
import { ArchiveFault, isDamage, notWritten, reasonOf } from '../sqlite/errors.ts';
import { adopt, hasOwnSchema, migrate } from '../sqlite/migrations.ts';

export interface ReadyBackup {
  /** The examined copy, beside the archive. */
  readonly part: string;
  readonly trades: number;
  readonly orders: number;
  /** It is of this very account, so what it proves complete still is; else that is proven again. */
  readonly proofKept: boolean;
}

export interface BackupRequest {
  readonly backup: string;
  readonly connectionId: string;
  /** Whose archive it shall be; null binds it to nobody. */
  readonly account: AccountIdentity | null;
}

/** Where a backup is examined before it takes the archive's place. */
export const partOf = (file: string): string => `${file}.restoring`;

const refused = (backup: string, why: string, next: string): ArchiveFault =>
  new ArchiveFault({
    kind: 'file',
    message: `The backup ${basename(backup)} was not restored: ${why}. The archive is as it was.`,
    next,
    field: 'path',
  });

/**
 * Copies the backup to `part`, makes it this connection's and this version's. Throws ArchiveFault in words; then nothing
 * of it is left.
 */
export function readyBackup(request: BackupRequest, file: string): ReadyBackup {
  const { backup } = request;
  if (resolve(backup) === resolve(file))
    throw refused(backup, 'this is the archive itself', 'Choose a backup of it.');
  const part = partOf(file);
  removeDatabase(part);
  try {
    copy(backup, part);
    return { part, ...examined(part, request) };
  } catch (error) {
    removeDatabase(part);
    throw error;
  }
}

function copy(backup: string, part: string): void {
  try {
    // A pipe or a device might never end.
    if (!statSync(backup).isFile()) throw refused(backup, 'it is not a file', 'Choose a backup.');
    copyFileSync(backup, part);
    // A file that was taken as it lay may have rows in its log only.
    if (statSync(`${backup}-wal`, { throwIfNoEntry: false })?.isFile() === true)
      copyFileSync(`${backup}-wal`, `${part}-wal`);
  } catch (error) {
    if (error instanceof ArchiveFault) throw error;
    throw refused(
      backup,
      `its copy beside the archive failed: ${reasonOf(error)}`,
      'Make room, or choose another file.',
    );
  }
}

function examined(part: string, { backup, connectionId, account }: BackupRequest): Omit<ReadyBackup, 'part'> {
  const broken = () => refused(backup, 'it is damaged or no archive of Ballast', 'Choose another backup.');
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(part);
  } catch {
    throw broken(); // SQLite would name the copy, which nobody knows
  }
  try {
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    if (!hasOwnSchema(db))
      throw refused(
        backup,
        'it was changed by another program, or not made by Ballast',
        'Choose a backup as Ballast wrote it.',
      );
    // The whole check: an index that does not fit its table would let queries answer otherwise than the rows.
    if (db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] !== 'ok') throw broken();
    adopt(db, connectionId);
    migrate(db, connectionId);
    const proofKept = account === null || bind(db, backup, account);
    const count = (table: 'trade' | 'history_order'): number => {
      const found = db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];
      return typeof found === 'number' ? found : 0;
    };
    return { trades: count('trade'), orders: count('history_order'), proofKept };
  } catch (error) {
    if (isDamage(error)) throw broken();
    // In words of their own: those of a start would speak of the archive's own file.
    if (error instanceof ArchiveFault && error.failure.field !== 'path')
      throw refused(
        backup,
        /newer/.test(error.failure.message) ? 'a newer Ballast wrote it' : 'it is no archive of Ballast',
        'Choose another backup.',
      );
    throw error;
  } finally {
    db.close();
  }
}

/** Makes it this account's; false where it may have been read as another, so that its proof does not count. */
function bind(db: DatabaseSync, backup: string, account: AccountIdentity): boolean {
  const { is, proves } = beside(db, account);
  if (is === 'other')
    throw refused(
      backup,
      'it is of another account',
      'Choose a backup of this account, or add the other account as a connection of its own.',
    );
  if (!proves) dropProof(db);
  nameAccount(db, account);
  return proves;
}

/**
 * Puts the examined copy in the archive's place; the archive has to be closed. Answers where the replaced one is; a
 * failure leaves it where it was.
 */
export function putInPlace(part: string, file: string, now: number): Result<string> {
  let aside: string | null = null;
  try {
    aside = moveAside(file, 'replaced', now);
    renameSync(part, file);
    return done(aside);
  } catch (error) {
    if (aside !== null) moveDatabase(aside, file);
    removeDatabase(part);
    return failed(notWritten(error, file));
  }
}
