/** Runs check, backup and restore of one archive, one at a time, each in its own thread. */
import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { partOf } from '../../../src-files/atomic-file.ts';
import type { ArchiveBackup, ArchiveCheck, ArchiveWork } from '../../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../../src-shared/domain/reconcile/account-identity.ts';
import { blocked, type Result } from '../../../src-shared/ipc/failures.ts';
import { followJob, type WorkerJob } from '../../worker-job.ts';
import { removeDatabase, stagingPath } from '../sqlite/database-files.ts';
import type { ReadyBackup } from './restore.ts';
import type { MaintenanceJob, MaintenanceSetup } from './worker.ts';

export class ArchiveMaintenance {
  readonly #file: string;
  readonly #connectionId: string;
  readonly #spawn: (setup: MaintenanceSetup) => Worker;
  #running: { readonly running: WorkerJob<unknown>; readonly work: ArchiveWork } | null = null;

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
    return this.#run({ work: 'backup', path, part: partOf(path, randomUUID()) });
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
    await this.#running?.running.cancel();
  }

  async #run<T>(job: MaintenanceJob): Promise<Result<T | null>> {
    if (this.#running !== null) return blocked(BUSY, 'Wait until it ends, or cancel it.');
    const running = followJob<T>(this.#spawn({ file: this.#file, job }), {
      progress: (percent) => (this.#running = { running, work: { work: job.work, percent } }),
      stopped: `The ${job.work} of the archive stopped`,
      next: 'The archive is as it was. Try again.',
      removeUnfinished: () => this.#removeUnfinished(job),
    });
    this.#running = { running, work: { work: job.work, percent: 0 } };
    const result = await running.ended;
    this.#running = null;
    return result;
  }

  async #removeUnfinished(job: MaintenanceJob): Promise<void> {
    if (job.work === 'backup') await removeDatabase(job.part);
    if (job.work === 'restore') await removeDatabase(stagingPath(this.#file));
  }
}

const BUSY = 'A check, a backup or a restore of this archive is already running.';
