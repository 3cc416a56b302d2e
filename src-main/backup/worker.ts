/** The worker thread of one job: it writes a backup, or examines one. */
import { basename, dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { statSync } from 'node:fs';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { reportJob } from '../worker-job.ts';
import { failureOf } from './fault.ts';
import type { BackupJob, JobResult } from './job.ts';
import { prune } from './prune.ts';
import { stageBackup } from './stage.ts';
import { writeBackup } from './write.ts';

async function run(job: BackupJob, progress: (percent: number) => void): Promise<JobResult> {
  if (job.work === 'examine') return { work: 'examine', ...(await stageBackup(job, progress)) };
  const { origin, path, keep } = job;
  const { files } = await writeBackup(job, progress);
  const undeleted =
    origin.schedule === null
      ? []
      : await prune({ folder: dirname(path), schedule: origin.schedule, keep, verified: basename(path) });
  const { size } = statSync(path);
  return {
    work: 'write',
    written: { at: origin.createdAt, path, bytes: size, files: files.length },
    undeleted,
  };
}

const failureIn = (job: BackupJob, error: unknown): Failure =>
  job.work === 'write'
    ? failureOf(
        error,
        `The backup ${job.path} was not written.`,
        'Choose an existing, writable folder with enough free space.',
      )
    : failureOf(
        error,
        `“${basename(job.path)}” cannot be restored.`,
        'Choose another backup. Nothing was changed.',
      );

if (parentPort === null) throw new Error('a backup runs in a worker thread');
const job = workerData as BackupJob;
await reportJob(
  parentPort,
  (progress) => run(job, progress),
  (error) => failureIn(job, error),
);
