/**
 * A backup put in the archive's place. It is copied beside the archive and examined there first; the archive it replaces
 * is kept under a name of its own.
 */
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { done, failed, type Result } from '../../src-shared/contract/failures.ts';
import { moveAside, moveDatabase, removeDatabase } from './database-files.ts';
import { ArchiveFault, isDamage, notWritten, reasonOf } from './faults.ts';
import { adopt, migrate } from './migrations.ts';

export interface ReadyBackup {
  /** The examined copy, beside the archive. */
  readonly part: string;
  readonly trades: number;
  readonly orders: number;
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
export function readyBackup(backup: string, file: string, connectionId: string): ReadyBackup {
  if (resolve(backup) === resolve(file))
    throw refused(backup, 'this is the archive itself', 'Choose a backup of it.');
  const part = partOf(file);
  removeDatabase(part);
  try {
    copy(backup, part);
    return { part, ...examined(part, backup, connectionId) };
  } catch (error) {
    removeDatabase(part);
    throw error;
  }
}

function copy(backup: string, part: string): void {
  try {
    copyFileSync(backup, part);
    // A file that was taken as it lay may have rows in its log only.
    if (existsSync(`${backup}-wal`)) copyFileSync(`${backup}-wal`, `${part}-wal`);
  } catch (error) {
    throw refused(
      backup,
      `its copy beside the archive failed: ${reasonOf(error)}`,
      'Make room, or choose another file.',
    );
  }
}

function examined(part: string, backup: string, connectionId: string): Omit<ReadyBackup, 'part'> {
  const broken = () => refused(backup, 'it is damaged or no archive of Ballast', 'Choose another backup.');
  let db: DatabaseSync;
  try {
    db = new DatabaseSync(part);
  } catch {
    throw broken(); // SQLite would name the copy, which nobody knows
  }
  try {
    if (db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') throw broken();
    adopt(db, connectionId);
    migrate(db, connectionId);
    const count = (table: 'trade' | 'history_order'): number => {
      const found = db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'];
      return typeof found === 'number' ? found : 0;
    };
    return { trades: count('trade'), orders: count('history_order') };
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
