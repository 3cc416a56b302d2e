/** Starts a job in a worker thread: it writes a backup, or examines one. It can be cancelled. */
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { partOf } from '../../src-files/atomic-file.ts';
import type { BackupFile } from '../../src-shared/ipc/backup.ts';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { workerEntry } from '../worker-entry.ts';
import { discardRestore } from './place.ts';
import type { Staged, StageRequest } from './stage.ts';
import type { WriteRequest } from './write.ts';

export type BackupJob =
  /** `keep`: number of the schedule's files to keep. */
  | (WriteRequest & { readonly work: 'write'; readonly keep: number })
  | (StageRequest & { readonly work: 'examine' });

export interface WriteResult {
  readonly work: 'write';
  readonly written: BackupFile;
  /** Names of older files that could not be deleted. */
  readonly undeleted: readonly string[];
}
export type JobResult = WriteResult | (Staged & { readonly work: 'examine' });
type ResultOf<J extends BackupJob> = Extract<JobResult, Pick<J, 'work'>>;

export type WorkerMessage =
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'result'; readonly result: Result<JobResult> };

export interface RunningBackup<J extends BackupJob> {
  /** null if cancelled. Never rejects. */
  readonly ended: Promise<Result<ResultOf<J> | null>>;
  /** Resolves when the thread has ended and what it left is removed. */
  cancel(): Promise<void>;
}

export function startBackup<J extends BackupJob>(
  job: J,
  progress: (percent: number) => void,
): RunningBackup<J> {
  const worker = new Worker(workerEntry('backup-worker'), { workerData: job, name: `backup ${job.work}` });
  let result: Result<ResultOf<J> | null> = done(null);
  worker.on('message', (message: WorkerMessage) => {
    if (message.type === 'percent') progress(message.percent);
    // The result matches the job: the worker runs only this one.
    else result = message.result as Result<ResultOf<J>>;
  });
  worker.once('error', (error: Error) => {
    result = failed({
      kind: 'bug',
      message: `The backup stopped: ${error.message.slice(0, 200)}`,
      next: 'Nothing was changed. Try again.',
    });
  });
  const ended = new Promise<Result<ResultOf<J> | null>>((resolve) =>
    worker.once('exit', () => {
      if (!result.ok || result.data === null) removeUnfinished(job);
      resolve(result);
    }),
  );
  return {
    ended,
    async cancel() {
      await worker.terminate();
      await ended;
    },
  };
}

function removeUnfinished(job: BackupJob): void {
  if (job.work === 'examine') discardRestore(job.profile);
  else {
    rmSync(partOf(job.path, job.token), { force: true });
    rmSync(job.scratch, { recursive: true, force: true });
  }
}
