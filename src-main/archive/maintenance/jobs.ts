/** Runs check, backup and restore of one archive, one at a time, each in its own thread. */
import { rmSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { ArchiveBackup, ArchiveCheck, ArchiveWork } from '../../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { blocked, done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import { removeDatabase } from '../sqlite/database-files.ts';
import { stagingPath, type ReadyBackup } from './restore.ts';
import type { FromMaintenance, MaintenanceJob, MaintenanceSetup } from './worker.ts';

type JobResult = ArchiveCheck | ArchiveBackup | ReadyBackup;

export class ArchiveMaintenance {
  readonly #file: string;
  readonly #connectionId: string;
  readonly #spawn: (setup: MaintenanceSetup) => Worker;
  #running: { readonly worker: Worker; readonly ended: Promise<void>; work: ArchiveWork } | null = null;

  constructor(file: string, connectionId: string, spawn: (setup: MaintenanceSetup) => Worker) {
    this.#file = file;
    this.#connectionId = connectionId;
    this.#spawn = spawn;
  }

  /** Checks every row; null if cancelled. */
  check(): Promise<Result<ArchiveCheck | null>> {
    return this.#run({ work: 'check' });
  }

  /** Writes a complete copy to `path`; an existing file stays until then. null if cancelled. */
  backup(path: string): Promise<Result<ArchiveBackup | null>> {
    return this.#run({ work: 'backup', path, part: `${path}.part` });
  }

  /**
   * Copies a backup beside the archive, validates it and assigns it to this connection. Rejected if it belongs to
   * another account than `account` (null binds it to none). null if cancelled.
   */
  readyBackup(backup: string, account: AccountIdentity | null): Promise<Result<ReadyBackup | null>> {
    return this.#run({ work: 'restore', backup, connectionId: this.#connectionId, account });
  }

  /** Returns the running job, or null. */
  running(): ArchiveWork | null {
    return this.#running?.work ?? null;
  }

  /** Cancels the running job; resolves when it has ended. */
  async cancel(): Promise<void> {
    const { worker, ended } = this.#running ?? {};
    await worker?.terminate();
    await ended;
  }

  async #run<T extends JobResult>(job: MaintenanceJob): Promise<Result<T | null>> {
    if (this.#running !== null) return blocked(BUSY, 'Wait until it ends, or cancel it.');
    const worker = this.#spawn({ file: this.#file, job });
    let result: Result<T | null> = done(null);
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const own = { worker, ended, work: { work: job.work, percent: 0 } };
    this.#running = own;
    worker.on('message', (message: FromMaintenance) => {
      if (message.type === 'percent') own.work = { ...own.work, percent: message.percent };
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
    await ended;
    this.#running = null;
    if (result.ok && result.data === null) this.#removeUnfinished(job);
    return result;
  }

  #removeUnfinished(job: MaintenanceJob): void {
    if (job.work === 'backup') rmSync(job.part, { force: true });
    if (job.work === 'restore') removeDatabase(stagingPath(this.#file));
  }
}

const BUSY = 'A check, a backup or a restore of this archive is already running.';
