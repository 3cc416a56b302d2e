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
  let failure: Error | null = null;
  let stopping = false;
  // From the start: the report, an error and the exit may all arrive before the caller goes on.
  worker.once('error', (why: Error) => (failure = why));
  const ended = new Promise<Error>((resolve) =>
    worker.once('exit', (code) => resolve(failure ?? new Error(`the practice exchange ended (${code})`))),
  );
  const report = await new Promise<PracticeReport>((resolve, reject) => {
    worker.once('message', resolve);
    void ended.then(reject);
  });
  void ended.then((why) => {
    if (failure !== null || !stopping) onFailure(why);
  });
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
