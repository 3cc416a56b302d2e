/**
 * Starts and stops the app's practice exchange in a worker thread, so that its matching does not delay the main thread.
 * It is the same program as the stand-alone one and is reached over HTTP.
 */
import { Worker } from 'node:worker_threads';
import type { Practice, PracticeOptions } from '../../src-practice/index.ts';
import { workerEntry } from '../worker-entry.ts';

/** What the worker reports once the exchange responds. */
type PracticeReport = Omit<Practice, 'stop'>;

/**
 * Starts the exchange; resolves once it responds. Rejects if it cannot start (port in use, worker missing).
 * @param onFailure called once if the worker ends unexpectedly
 */
export async function startPracticeForApp(
  options: PracticeOptions,
  onFailure: (why: Error) => void = () => undefined,
): Promise<Practice> {
  const worker = new Worker(workerEntry('practice-worker'), { workerData: options });
  const report = await firstReport(worker);
  let stopping = false;
  let failure: Error | null = null;
  worker.once('error', (why: Error) => (failure = why));
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', (code) => {
      if (failure !== null || !stopping)
        onFailure(failure ?? new Error(`the practice exchange ended by itself (${code})`));
      resolve();
    }),
  );
  return {
    ...report,
    /** Resolves when the worker has ended. */
    stop: async () => {
      stopping = true;
      worker.postMessage('stop');
      await ended;
    },
  };
}

function firstReport(worker: Worker): Promise<PracticeReport> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new Error(`the practice exchange did not start (${code})`));
    worker.once('error', reject);
    worker.once('exit', ended);
    worker.once('message', (report: PracticeReport) => {
      worker.off('error', reject);
      worker.off('exit', ended);
      resolve(report);
    });
  });
}
