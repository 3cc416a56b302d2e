/** Starts a job in a worker thread: it writes a backup, or examines one. It can be cancelled. */
import { Worker } from 'node:worker_threads';
import { partOf } from '../../src-files/atomic-file.ts';
import { remove } from '../../src-files/remove.ts';
import type { BackupFile } from '../../src-shared/ipc/backup.ts';
import { workerEntry } from '../worker-entry.ts';
import { followJob, type WorkerJob } from '../worker-job.ts';
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

export function startBackup<J extends BackupJob>(
  job: J,
  progress: (percent: number) => void,
): WorkerJob<ResultOf<J>> {
  const worker = new Worker(workerEntry('backup-worker'), { workerData: job, name: `backup ${job.work}` });
  return followJob(worker, {
    progress,
    stopped: 'The backup stopped',
    next: 'Nothing was changed. Try again.',
    removeUnfinished: () => removeUnfinished(job),
  });
}

async function removeUnfinished(job: BackupJob): Promise<void> {
  if (job.work === 'examine') await discardRestore(job.profile);
  else {
    await remove(partOf(job.path, job.token));
    await remove(job.scratch, { recursive: true });
  }
}
