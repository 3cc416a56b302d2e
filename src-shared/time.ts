/** Clocks and timers, passed in by the composition root so that tests control time. */
export interface Clock {
  /** Wall clock, ms since 1970. */
  now(): number;
}

export interface MonotonicClock extends Clock {
  /** Monotonic clock, ms: setting the wall clock does not move it. */
  mono(): number;
}

export interface Timers {
  /** Calls once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
}

/** Two times in ms, both included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Writes the UTC day of a time: `2026-11-26`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Writes a time to the second, in UTC: `2026-11-26 18:04:09`. */
export const utcSecond = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** The time by the exchange's clock, ms since 1970; by the computer's own until the difference is known. */
export const exchangeTime = (clock: Clock, exchange: { clockOffsetMs(): number | null }): number =>
  clock.now() + (exchange.clockOffsetMs() ?? 0);
