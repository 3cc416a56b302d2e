/**
 * Starts and stops the app's practice exchange in a worker thread, so that its matching does not delay the main thread.
 * It is the same program as the stand-alone one and is reached over HTTP.
 */
import { Worker } from 'node:worker_threads';
import type { PracticeTerms } from '../../src-shared/ipc/practice.ts';
import { workerEntry } from '../worker-entry.ts';
import type { WorkerInput, WorkerReport } from './worker-messages.ts';
import { reportOf } from './worker-messages.ts';

export interface AppPractice {
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
  /** Stops the exchange; resolves when the worker has ended. */
  stop(): Promise<void>;
}

export interface AppPracticeOptions {
  /** Folder of the exchange's state, which the next start resumes. */
  readonly dataDir: string;
  readonly seed?: number;
  readonly speed?: number;
  readonly history?: number;
  readonly port?: number;
  /** Called when the worker ends unexpectedly. */
  readonly onFailure?: (why: Error) => void;
}

/** Starts the exchange; resolves once it responds. Rejects if it cannot start (port in use, worker missing). */
export async function startPracticeForApp(options: AppPracticeOptions): Promise<AppPractice> {
  const { onFailure, ...input } = options;
  const worker = new Worker(workerEntry('practice-worker'), { workerData: input satisfies WorkerInput });
  const { url, credentials, controls, exchangeId, settings, fresh, movedAside } = await firstReport(worker);
  let stopping = false;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('error', (why: Error) => onFailure?.(why));
  worker.once('exit', (code) => {
    if (!stopping) onFailure?.(new Error(`the practice exchange ended by itself (${code})`));
  });
  return {
    url,
    credentials,
    controls,
    exchangeId,
    settings,
    fresh,
    movedAside,
    stop: async () => {
      stopping = true;
      worker.postMessage('stop');
      await ended;
    },
  };
}

function firstReport(worker: Worker): Promise<WorkerReport> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new Error(`the practice exchange did not start (${code})`));
    worker.once('error', reject);
    worker.once('exit', ended);
    worker.once('message', (message: unknown) => {
      worker.off('error', reject);
      worker.off('exit', ended);
      resolve(reportOf(message));
    });
  });
}
