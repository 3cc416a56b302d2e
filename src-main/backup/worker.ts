/** The worker thread of one job: it writes a backup, or examines one. */
import { basename, dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { statSync } from 'node:fs';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { failureOf } from './fault.ts';
import type { BackupJob, WorkerMessage, JobResult } from './job.ts';
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

async function resultOf(job: BackupJob, post: (message: WorkerMessage) => void): Promise<Result<JobResult>> {
  let shown = -1;
  const progress = (percent: number): void => {
    if (Math.floor(percent) === shown) return;
    shown = Math.floor(percent);
    post({ type: 'percent', percent: shown });
  };
  try {
    return done(await run(job, progress));
  } catch (error) {
    const name = basename(job.path);
    return failed(
      job.work === 'write'
        ? failureOf(
            error,
            `The backup ${job.path} was not written.`,
            'Choose an existing, writable folder with enough free space.',
          )
        : failureOf(error, `“${name}” cannot be restored.`, 'Choose another backup. Nothing was changed.'),
    );
  }
}

if (parentPort === null) throw new Error('a backup runs in a worker thread');
const port = parentPort;
const post = (message: WorkerMessage): void => port.postMessage(message);
post({ type: 'result', result: await resultOf(workerData as BackupJob, post) });
