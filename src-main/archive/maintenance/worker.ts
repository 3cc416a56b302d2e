/**
 * Runs a check, a backup or the validation of a restore in its own thread: each reads a whole file, and the archive's
 * thread stays free.
 */
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { removeAbandoned } from '../../../src-files/atomic-file.ts';
import { rename } from '../../../src-files/rename.ts';
import { isSameFile } from '../../../src-files/same-file.ts';
import type { ArchiveBackup, ArchiveCheck } from '../../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { reportJob } from '../../worker-job.ts';
import { removeDatabaseSync } from '../sqlite/database-files.ts';
import { archiveFailure, ArchiveFault, exportFailure } from '../sqlite/errors.ts';
import { copyDatabase } from './copy.ts';
import { checkArchive } from './integrity.ts';
import { readyBackup, type ReadyBackup } from './restore.ts';

export type MaintenanceJob =
  | { readonly work: 'check' }
  /** `part`: the unfinished copy, renamed to `path` once complete. */
  | { readonly work: 'backup'; readonly path: string; readonly part: string }
  /** Copies a backup beside the archive and validates it; `restore.ts` puts it in place once the archive is closed. */
  | {
      readonly work: 'restore';
      readonly backup: string;
      readonly connectionId: string;
      readonly account: AccountIdentity | null;
    };
/** Passed to the worker when it is spawned. */
export interface MaintenanceSetup {
  readonly file: string;
  readonly job: MaintenanceJob;
}

export const runMaintenance = ({ file, job }: MaintenanceSetup, port: MessagePort): Promise<void> =>
  reportJob(
    port,
    (reportPercent) => run(file, job, reportPercent),
    (error) => archiveFailure(error, file),
  );

async function run(
  file: string,
  job: MaintenanceJob,
  reportPercent: (percent: number) => void,
): Promise<ArchiveCheck | ArchiveBackup | ReadyBackup> {
  if (job.work === 'restore') return readyBackup(job, file);
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return job.work === 'check'
      ? await runCheck(db, reportPercent)
      : await runBackup(db, file, job, reportPercent);
  } finally {
    db.close();
  }
}

async function runCheck(db: DatabaseSync, reportPercent: (percent: number) => void): Promise<ArchiveCheck> {
  const steps = checkArchive(db);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    reportPercent(step.value);
    await nextTurn();
  }
}

async function runBackup(
  db: DatabaseSync,
  file: string,
  { path, part }: Extract<MaintenanceJob, { readonly work: 'backup' }>,
  reportPercent: (percent: number) => void,
): Promise<ArchiveBackup> {
  try {
    if (isSameFile(path, file)) throw notWritten(path, 'this is the archive itself', 'Choose another name.');
    // Created with the file system first, whose error gives the reason; SQLite's does not.
    closeSync(openSync(part, 'wx', 0o600));
    removeAbandoned(part);
  } catch (error) {
    throw new ArchiveFault(exportFailure(error, path, file));
  }
  try {
    await copyDatabase(db, part, reportPercent);
    await rename(part, path);
  } catch (error) {
    removeDatabaseSync(part);
    const { message } = exportFailure(error, path, file);
    throw notWritten(path, message, 'Choose a writable folder with enough free space.');
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
