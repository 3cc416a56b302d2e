/** Jobs of the archive's thread: they report their progress, leave room for other requests, and can be cancelled. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throttle } from './throttle.ts';

/** Reports a step and lets other requests be served. Resolves with false once the job is cancelled. */
export type Report<S> = (step: S) => Promise<boolean>;

interface Running {
  readonly ending: AbortController;
  readonly ended: Promise<unknown>;
}

export class Jobs<S> {
  readonly #progress: (id: string, step: S) => void;
  readonly #intervalMs: number;
  readonly #running = new Map<string, Running>();

  /** @param intervalMs least time between two progress reports of a job */
  constructor(progress: (id: string, step: S) => void, intervalMs: number) {
    this.#progress = progress;
    this.#intervalMs = intervalMs;
  }

  async run<T>(id: string, work: (report: Report<S>) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const show = throttle<S>(this.#intervalMs, (step) => this.#progress(id, step));
    const ended = work(async (step) => {
      show(step);
      await nextTurn();
      return !ending.signal.aborted;
    });
    this.#running.set(id, { ending, ended });
    try {
      return await ended;
    } finally {
      this.#running.delete(id);
    }
  }

  /** Takes effect after the current step. No effect on a finished job. */
  cancel(id: string): void {
    this.#running.get(id)?.ending.abort();
  }

  /** Cancels all jobs; resolves when the last has ended. */
  async cancelAll(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { ending } of running) ending.abort();
    await Promise.allSettled(running.map(({ ended }) => ended));
  }
}
