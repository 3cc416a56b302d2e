import { flushSync } from 'svelte';
import type { TimeSource } from './clock.svelte.ts';

/** How much of a frame's 16 ms the tasks and their effects may take; the rest is for layout and paint. */
const WORK_MS = 4;

/**
 * Runs tasks right after a frame, as many as fit before the next one, since what a poll of a large account changes
 * needs a frame of its own to be drawn in. In a hidden window the newest task of each kind waits until it is shown.
 */
export class FrameQueue {
  readonly #time: TimeSource;
  readonly #waiting = new Map<string, () => void>();

  constructor(time: TimeSource) {
    this.#time = time;
  }

  /** @param kind a waiting task is replaced by a newer one of its kind */
  add(kind: string, run: () => void): void {
    this.#waiting.set(kind, run);
    if (this.#waiting.size === 1) this.#schedule();
  }

  #schedule(): void {
    this.#time.whenShown(() => this.#time.afterFrame(() => this.#next()));
  }

  #next(): void {
    const end = this.#time.mono() + WORK_MS;
    try {
      for (const [kind, run] of this.#waiting) {
        this.#waiting.delete(kind);
        flushSync(run);
        if (this.#time.mono() >= end) break;
      }
    } finally {
      if (this.#waiting.size > 0) this.#schedule();
    }
  }
}
