/** Runs check, backup and restore of one archive, one at a time, each in its own thread. */
import { rmSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { ArchiveBackup, ArchiveCheck, ArchiveWork } from '../../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { denied, done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import { removeDatabase } from '../sqlite/database-files.ts';
import { stagingPath, type ReadyBackup } from './restore.ts';
import type { FromMaintenance, MaintenanceJob, MaintenanceSetup } from './worker.ts';

export interface ArchiveMaintenance {
  /** Checks every row; null if cancelled. */
  check(): Promise<Result<ArchiveCheck | null>>;
  /** Writes a complete copy to `path`; an existing file stays until then. null if cancelled. */
  backup(path: string): Promise<Result<ArchiveBackup | null>>;
  /**
   * Copies a backup beside the archive, validates it and assigns it to this connection. Rejected if it belongs to
   * another account than `account` (null binds it to none). null if cancelled.
   */
  readyBackup(backup: string, account: AccountIdentity | null): Promise<Result<ReadyBackup | null>>;
  /** Returns the running job, or null. */
  working(): ArchiveWork | null;
  /** Cancels the running job; resolves when it has ended. */
  cancelWork(): Promise<void>;
}

export function createMaintenance(
  file: string,
  connectionId: string,
  spawn: (setup: MaintenanceSetup) => Worker,
): ArchiveMaintenance {
  let running: { readonly worker: Worker; readonly ended: Promise<void>; work: ArchiveWork } | null = null;

  function run<T extends ArchiveCheck | ArchiveBackup | ReadyBackup>(
    job: MaintenanceJob,
  ): Promise<Result<T | null>> {
    if (running !== null)
      return Promise.resolve(
        failed(
          denied(
            'A check, a backup or a restore of this archive is under way.',
            'Wait for it, or cancel it.',
          ),
        ),
      );
    const worker = spawn({ file, job });
    let result: Result<T | null> = done(null);
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const own = { worker, ended, work: { work: job.work, share: 0 } };
    running = own;
    worker.on('message', (message: FromMaintenance) => {
      if (message.type === 'share') own.work = { ...own.work, share: message.share };
      // The result matches the job: only `runMaintenance` sends these.
      else result = message.result as Result<T>;
    });
    worker.once('error', (error: Error) => {
      result = failed({
        kind: 'bug',
        message: `The ${job.work} of the archive stopped: ${error.message.slice(0, 200)}`,
        next: 'The archive is as it was. Try again.',
      });
    });
    return ended.then(() => {
      running = null;
      const cancelled = result.ok && result.data === null;
      if (cancelled && job.work === 'backup') rmSync(job.part, { force: true });
      if (cancelled && job.work === 'restore') removeDatabase(stagingPath(file));
      return result;
    });
  }

  return {
    check: () => run({ work: 'check' }),
    backup: (path) => run({ work: 'backup', path, part: `${path}.part` }),
    readyBackup: (backup, account) => run({ work: 'restore', backup, connectionId, account }),
    working: () => running?.work ?? null,
    async cancelWork() {
      const { worker, ended } = running ?? {};
      await worker?.terminate();
      await ended;
    },
  };
}
