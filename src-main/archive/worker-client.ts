/** The main process's end of the archive's worker thread: requests by number, and jobs with their progress. */
import { randomUUID } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { ExportStep } from './export/job.ts';
import type { ImportStep } from './import/job.ts';
import type { FromWorker, OpenedArchive, Reply, Requests, Served, ToWorker } from './protocol.ts';

/** Of every request that a closing archive did not answer. */
export const ARCHIVE_CLOSED: Failure = {
  kind: 'file',
  message: 'The trade archive is closed.',
  next: 'Start Ballast again.',
};

export interface RunningJob<S> {
  /** The last step: done, cancelled or failed. Never rejects. */
  readonly done: Promise<S>;
  /** Cancels: an export's existing file, or the archive of an import, stays unchanged. No effect once done. */
  cancel(): void;
}

export class WorkerClient {
  /** Resolves when the worker has opened the file, or with the reason why not. */
  readonly opened: Promise<Result<OpenedArchive>>;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  readonly #pending = new Map<number, (result: Result<never>) => void>();
  readonly #progress = new Map<string, (step: never) => void>();
  #lastId = 0;
  /** Why requests fail from now on; null while the worker runs. */
  #ended: Failure | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    this.opened = new Promise((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve(done(message.opened));
        else this.#take(message);
      });
      worker.once('error', (error: Error) => this.#finish(stopped(error)));
      worker.once('exit', () => {
        this.#finish(ARCHIVE_CLOSED);
        resolve(failed(this.#ended ?? ARCHIVE_CLOSED));
      });
    });
  }

  request<M extends keyof Served>(method: M, ...input: Parameters<Served[M]>): Reply<M> {
    if (this.#ended !== null) return Promise.resolve(failed(this.#ended));
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      const message: ToWorker = { id, method, input: input as readonly never[] };
      this.#worker.postMessage(message);
    });
  }

  /** Returns a method for each of these requests. */
  methods(names: OpenedArchive['requests']): Requests {
    // `request` types each by its name.
    const methodOf = (name: keyof Requests) =>
      [name, (...input: []) => this.request(name, ...input) as Promise<never>] as const;
    return Object.fromEntries(names.map(methodOf)) as Record<keyof Requests, () => Promise<never>>;
  }

  /** Starts a job under a new name; `failedStep` is its last step if the request itself fails. */
  job<S extends ExportStep | ImportStep>(
    start: (job: string) => Promise<Result<S>>,
    failedStep: (failure: Failure) => S,
    onProgress: (step: S) => void,
  ): RunningJob<S> {
    // Random: process IDs repeat in containers, and an unfinished file of that name may be left.
    const job = randomUUID().slice(0, 8);
    this.#progress.set(job, onProgress);
    const ended = start(job).then((result) => {
      this.#progress.delete(job);
      return result.ok ? result.data : failedStep(result.failure);
    });
    return { done: ended, cancel: () => void this.request('cancelJob', job) };
  }

  /** Fails what is still pending; resolves when the thread has ended. */
  async end(): Promise<void> {
    this.#finish(ARCHIVE_CLOSED);
    await this.#exited;
  }

  #take(message: Exclude<FromWorker, { readonly type: 'ready' }>): void {
    switch (message.type) {
      case 'closed':
        return this.#finish(message.failure);
      case 'progress':
        // A job's steps are of one kind.
        return this.#progress.get(message.job)?.(message.step as never);
      case 'reply':
        this.#pending.get(message.id)?.(message.result);
        this.#pending.delete(message.id);
    }
  }

  #finish(failure: Failure): void {
    this.#ended ??= failure;
    for (const reply of this.#pending.values()) reply(failed(this.#ended));
    this.#pending.clear();
  }
}

const stopped = (error: Error): Failure => ({
  kind: 'bug',
  message: `The trade archive stopped: ${error.message.slice(0, 200)}`,
  next: 'Start Ballast again. What was stored is on disk.',
});
