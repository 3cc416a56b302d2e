import { flushSync } from 'svelte';
import type { TimeSource } from './clock.svelte.ts';

/** Of a frame's 16 ms, what its tasks may take with the effects they cause; the rest is for layout and paint. */
const WORK_MS = 8;

/**
 * Runs tasks right behind a frame, as many as the next one has time for: each frame costs its painting, and a poll of a
 * large account needs one of its own. While nobody can see the window nothing runs; of each kind the newest waits until
 * it is shown.
 */
export class FrameQueue {
  readonly #time: TimeSource;
  readonly #waiting = new Map<string, () => void>();

  constructor(time: TimeSource) {
    this.#time = time;
  }

  /** @param kind a task that waits is replaced by a newer one of its kind */
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
