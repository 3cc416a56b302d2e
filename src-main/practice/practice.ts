/**
 * Starts and stops the app's practice exchange in a worker thread, so that its matching does not delay the main thread.
 * It is the same program as the stand-alone one and is reached over HTTP.
 */
import { Worker } from 'node:worker_threads';
import type { PracticeTerms } from '../../src-shared/ipc/practice.ts';
import { workerEntry } from '../worker-entry.ts';

/** What the worker is started with. */
export interface PracticeSetup {
  /** Folder of the exchange's state, which the next start resumes. */
  readonly dataDir: string;
  readonly seed?: number;
  readonly port?: number;
}

/** What the worker reports once the exchange responds. */
export interface PracticeReport {
  readonly url: string;
  readonly credentials: { readonly key: string; readonly secret: string };
  readonly controls: { readonly url: string; readonly token: string };
  /** Changes after a reset or when the stored state was unusable; data read before belongs to another exchange. */
  readonly exchangeId: string;
  /** Connection settings it requires. */
  readonly settings: PracticeTerms;
  /** False when a stored exchange was resumed. */
  readonly fresh: boolean;
  /** Where an incompatible or damaged state was moved; null if there was none. */
  readonly movedAside: string | null;
}

export interface AppPractice extends PracticeReport {
  /** Stops the exchange; resolves when the worker has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the exchange; resolves once it responds. Rejects if it cannot start (port in use, worker missing).
 * @param onFailure called when the worker ends unexpectedly
 */
export async function startPracticeForApp(
  setup: PracticeSetup,
  onFailure: (why: Error) => void = () => undefined,
): Promise<AppPractice> {
  const worker = new Worker(workerEntry('practice-worker'), { workerData: setup });
  const report = await firstReport(worker);
  let stopping = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('error', onFailure);
  worker.once('exit', (code) => {
    if (!stopping) onFailure(new Error(`the practice exchange ended by itself (${code})`));
  });
  return {
    ...report,
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
