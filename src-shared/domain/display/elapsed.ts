/**
 * Measures elapsed time for values that must not look newer than they are. The wall clock can be set back and a
 * monotonic clock may stop during sleep, so the larger result counts.
 */
import type { MonotonicClock } from '../../time.ts';
export interface Moment {
  /** Wall clock, ms since the epoch. */
  readonly wall: number;
  /** Monotonic clock, in ms. */
  readonly mono: number;
}

export const momentOf = (clock: MonotonicClock): Moment => ({
  wall: clock.now(),
  mono: clock.mono(),
});

/** Returns the elapsed whole milliseconds, at least 0. */
export const elapsed = (since: Moment, now: Moment): number =>
  Math.round(Math.max(now.wall - since.wall, now.mono - since.mono, 0));
