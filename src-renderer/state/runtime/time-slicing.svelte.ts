import type { Steps } from '../../../src-shared/domain/numeric/steps.ts';
import type { TimeSource } from './clock.svelte.ts';

/** Longest slice, ms: well under a frame (docs/performance.md). The step that exceeds it is still completed. */
const SLICE_MS = 5;

/**
 * Runs a calculation in slices of a few ms, so that no frame waits for it; a short one finishes at once. Construct it in a
 * component: it stops with it.
 */
export class SlicedCalculation {
  readonly #time: TimeSource;
  /** What the running calculation, else the last finished one, is of. */
  #of: string | null = null;
  #isRunning = false;
  #next: (() => void) | null = null;
  #cancel = (): void => undefined;

  constructor(time: TimeSource) {
    this.#time = time;
    $effect(() => () => this.stop());
  }

  /**
   * Runs `steps` and passes their result to `then`. A running calculation of the same (`of`) is finished first, with the
   * data it began with: where polls come faster than it ends, it would never end. One of something else is stopped.
   */
  run<T>(of: string, steps: Steps<T>, then: (value: T) => void): void {
    if (this.#isRunning && of === this.#of) {
      this.#next = () => this.run(of, steps, then);
      return;
    }
    // An older result is shown meanwhile, so it may wait for the current task.
    const isShown = of === this.#of;
    this.stop();
    this.#of = of;
    this.#isRunning = true;
    const slice = (): void => this.#slice(steps, then);
    if (isShown) this.#cancel = this.#time.after(0, slice);
    else slice();
  }
  stop(): void {
    this.#cancel();
    this.#isRunning = false;
    this.#next = null;
    this.#of = null;
  }

  #slice<T>(steps: Steps<T>, then: (value: T) => void): void {
    const until = this.#time.now() + SLICE_MS;
    let isLeft = false;
    try {
      do {
        const step = steps.next();
        if (step.done === true) {
          then(step.value);
          return;
        }
      } while (this.#time.now() < until);
      isLeft = true;
    } finally {
      if (isLeft) this.#cancel = this.#time.after(0, () => this.#slice(steps, then));
      else this.#ended();
    }
  }
  /** Goes on with newer data, also after a calculation that threw. */
  #ended(): void {
    const next = this.#next;
    this.#isRunning = false;
    this.#next = null;
    next?.();
  }
}
