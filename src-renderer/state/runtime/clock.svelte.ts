import { untrack } from 'svelte';
import { elapsed, type Moment, momentOf } from '../../../src-shared/domain/display/elapsed.ts';

/** Wall clock and timers, injected so that tests control time. */
export interface TimeSource {
  /** ms since the epoch */
  now(): number;
  /** Monotonic ms. */
  mono(): number;
  /** `every` and `after` return the function that stops the timer. */
  every(ms: number, tick: () => void): () => void;
  after(ms: number, then: () => void): () => void;
  /** Runs right after the next frame, which leaves the time until the one after it; at once in a hidden window. */
  afterFrame(then: () => void): void;
  /** Runs at once in a visible window, else when it is shown again. */
  whenShown(then: () => void): void;
}

/** Longest wait for a frame, ms: a covered window may not be drawn although it is not hidden. */
const UNSEEN_MS = 100;

export const windowTime: TimeSource = {
  now: () => Date.now(),
  mono: () => performance.now(),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  afterFrame: (then) => {
    // Timers of a hidden window fire once a second or a minute, so faster work would pile up.
    if (document.hidden) {
      then();
      return;
    }
    const run = (): void => {
      cancelAnimationFrame(frame);
      then();
    };
    const timer = setTimeout(run, UNSEEN_MS);
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(then);
    });
  },
  whenShown: (then) => {
    if (!document.hidden) {
      then();
      return;
    }
    const shown = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', shown);
      then();
    };
    document.addEventListener('visibilitychange', shown);
  },
};

const TICK_MS = 1_000;
/** How long a tick waits for the next poll, so that both are drawn in one frame. */
const POLL_LATE_MS = 250;

/**
 * The window's one ticking clock. Only what reads `now` runs each second: put it behind a `$derived` that ends in
 * a word or a short text, and nothing below it runs until that changes. While the window is hidden it stands still.
 */
export class Clock {
  now = $state(0);
  /** ms since the start, for ages: never set back, and it includes the time the computer slept. */
  steady = $state(0);
  #last: Moment;
  #stop = (): void => undefined;
  readonly time: TimeSource;

  constructor(time: TimeSource) {
    this.time = time;
    this.#last = momentOf(time);
    this.now = this.#last.wall;
  }

  start(): () => void {
    this.#wait(TICK_MS);
    return () => this.#stop();
  }

  tick(): void {
    const now = momentOf(this.time);
    this.steady += elapsed(this.#last, now);
    this.#last = now;
    this.now = now.wall;
  }

  /** Ticks with a poll that is being applied, and expects the next one in a second. */
  tickWithPoll(): void {
    this.tick();
    this.#wait(TICK_MS + POLL_LATE_MS, TICK_MS - POLL_LATE_MS);
  }

  #wait(ms: number, next = TICK_MS): void {
    this.#stop();
    this.#stop = this.time.after(ms, () =>
      this.time.whenShown(() => {
        this.tick();
        this.#wait(next);
      }),
    );
  }

  /** Returns `steady` at this moment, between two ticks. */
  steadyNow(): number {
    return untrack(() => this.steady) + elapsed(this.#last, momentOf(this.time));
  }
}
