/**
 * How long ago something was, for what must not look younger than it is. The wall clock can be set back; a monotonic
 * one may stand still while the computer sleeps. The one that says more is believed.
 */
export interface Moment {
  /** Wall clock, ms since the epoch. */
  readonly wall: number;
  /** A clock that only goes on, ms. */
  readonly mono: number;
}

export const momentOf = (clock: { now(): number; mono(): number }): Moment => ({
  wall: clock.now(),
  mono: clock.mono(),
});

/** Whole ms, as every time in a contract is, rounded; never less than 0. */
export const elapsed = (since: Moment, now: Moment): number =>
  Math.round(Math.max(now.wall - since.wall, now.mono - since.mono, 0));
