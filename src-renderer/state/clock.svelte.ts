/** Wall clock and timers, handed in so that a test moves time by hand. */
export interface TimeSource {
  /** ms since the epoch */
  now(): number;
  /** Both answer the function that stops it. */
  every(ms: number, tick: () => void): () => void;
  after(ms: number, then: () => void): () => void;
  /** Right behind the next frame, so that there is time until the one after; at once where nobody can see any. */
  afterFrame(then: () => void): void;
}

/** ms without a frame, after which a window that is no longer drawn goes on. */
const UNSEEN_MS = 100;

export const windowTime: TimeSource = {
  now: () => Date.now(),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  afterFrame: (then) => {
    // Timers of a hidden window fire once a second or a minute: what comes faster would pile up.
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
};

/**
 * The window's one ticking clock. Only what reads `now` runs each second: put it behind a `$derived` that ends in
 * a word or a short text, and nothing below it runs until that changes.
 */
export class Clock {
  now = $state(0);
  readonly time: TimeSource;

  constructor(time: TimeSource) {
    this.time = time;
    this.now = time.now();
  }

  start(): () => void {
    return this.time.every(1_000, () => {
      this.now = this.time.now();
    });
  }
}
