import type { TimeSource } from './clock.svelte.ts';

/**
 * Runs tasks one a frame, each right behind it: what a poll changes has a frame of its own to be drawn in. While nobody
 * can see the window nothing runs; of each kind the newest waits until it is shown.
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
    const [first] = this.#waiting;
    if (first === undefined) return;
    const [kind, run] = first;
    this.#waiting.delete(kind);
    if (this.#waiting.size > 0) this.#schedule();
    run();
  }
}
