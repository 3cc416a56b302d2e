/**
 * Starts and stops the practice exchange of this app, in a worker thread: its matching and its clock must not
 * delay the app's main thread. Apart from where it runs it is the stand-alone program, spoken to over HTTP.
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
  /** Another after a reset or when the kept state could not be used: what was read from the old one is not of it. */
  readonly exchangeId: string;
  /** What a connection to it has to be set to. */
  readonly settings: PracticeTerms;
  /** False when a kept exchange was taken up. */
  readonly fresh: boolean;
  /** Where a kept state of another version, or a damaged one, was put; `null` when there was none. */
  readonly setAside: string | null;
  /** Resolves when the worker has ended. */
  stop(): Promise<void>;
}

export interface AppPracticeOptions {
  /** Folder the exchange's state is kept in: it is taken up again from there at the next start. */
  readonly dataDir: string;
  readonly seed?: number;
  readonly speed?: number;
  readonly history?: number;
  readonly port?: number;
  /** Told when the worker dies without being asked to. */
  readonly onFailure?: (why: Error) => void;
}

/** Resolves when the exchange answers; rejects when it can't start (port taken, worker missing). */
export async function startPracticeForApp(options: AppPracticeOptions): Promise<AppPractice> {
  const { onFailure, ...input } = options;
  const worker = new Worker(workerEntry('practice-worker'), { workerData: input satisfies WorkerInput });
  const { url, credentials, controls, exchangeId, settings, fresh, setAside } = await firstReport(worker);
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
    setAside,
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
