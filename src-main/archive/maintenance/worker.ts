/**
 * The check, the backup and what a restore begins with, in a thread of their own beside the archive's: each reads a whole
 * file, and no page, export or sync waits for them.
 */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rename } from '../../../src-files/rename.ts';
import type { ArchiveBackup, ArchiveCheck } from '../../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import { archiveFailure, ArchiveFault, exportFailure } from '../sqlite/errors.ts';
import { checkArchive } from './integrity.ts';
import { readyBackup, type ReadyBackup } from './restore.ts';

export type Upkeep =
  | { readonly work: 'check' }
  /** `part`: the unfinished copy; it takes the place of `path` once it is whole. */
  | { readonly work: 'backup'; readonly path: string; readonly part: string }
  /** Copies a backup beside the archive and examines it; `restore.ts` puts it in place once the archive is closed. */
  | {
      readonly work: 'restore';
      readonly backup: string;
      readonly connectionId: string;
      readonly account: AccountIdentity | null;
    };
/** Handed to the worker when it is spawned. */
export interface UpkeepSetup {
  readonly file: string;
  readonly upkeep: Upkeep;
}
export type FromUpkeep =
  | { readonly type: 'share'; readonly share: number }
  | { readonly type: 'result'; readonly result: Result<ArchiveCheck | ArchiveBackup | ReadyBackup> };

/** Pages of one step of a backup: 4 MB, so that it is told how far it is some dozen times a second. */
const PAGES_A_STEP = 1_000;

export async function runUpkeep(
  { file, upkeep }: UpkeepSetup,
  say: (message: FromUpkeep) => void,
): Promise<void> {
  const tell = (share: number): void => say({ type: 'share', share });
  try {
    if (upkeep.work === 'restore') {
      say({ type: 'result', result: done(readyBackup(upkeep, file)) });
      return;
    }
    const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      const found = upkeep.work === 'check' ? await checked(db, tell) : await copied(db, file, upkeep, tell);
      say({ type: 'result', result: done(found) });
    } finally {
      db.close();
    }
  } catch (error) {
    say({ type: 'result', result: failed(archiveFailure(error, file)) });
  }
}

async function checked(db: DatabaseSync, tell: (share: number) => void): Promise<ArchiveCheck> {
  const steps = checkArchive(db);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    tell(step.value);
    await nextTurn();
  }
}

async function copied(
  db: DatabaseSync,
  file: string,
  { path, part }: Extract<Upkeep, { readonly work: 'backup' }>,
  tell: (share: number) => void,
): Promise<ArchiveBackup> {
  if (resolve(path) === resolve(file))
    throw notWritten(path, 'this is the archive itself', 'Choose another name.');
  try {
    // By the system first: it says why a place cannot be written, SQLite only that it cannot be opened.
    closeSync(openSync(part, 'w', 0o600));
  } catch (error) {
    throw new ArchiveFault(exportFailure(error, path, file));
  }
  try {
    // Of one moment: without a transaction of its own the copy would begin again with every page the sync stores.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM meta').get();
    await backup(db, part, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) => tell((100 * (totalPages - remainingPages)) / totalPages),
    });
    await rename(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    const { message } = exportFailure(error, path, file);
    throw notWritten(path, message, 'Choose a folder that may be written and has room.');
  }
  return { path, bytes: statSync(path).size };
}

const notWritten = (path: string, why: string, next: string): ArchiveFault =>
  new ArchiveFault({
    kind: 'file',
    message: `The backup ${path} was not written: ${why}`,
    next,
    field: 'path',
  });
