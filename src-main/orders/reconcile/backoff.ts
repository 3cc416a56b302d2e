/** Delays between reconciliation rounds. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src-shared/time.ts';

/**
 * Short at first, since most lost orders are listed within seconds; then every 20 s for five minutes, so that an order is
 * found within 30 s of becoming visible, each minute for an hour, every ten minutes for a day, then each hour: every round
 * is a line of the journal for each outcome that is unknown.
 */
const FIRST_MS = [1_000, 2_000, 5_000, 10_000, 15_000] as const;
const LATER_MS = [
  { untilMs: 5 * MINUTE_MS, eachMs: 20_000 },
  { untilMs: HOUR_MS, eachMs: MINUTE_MS },
  { untilMs: DAY_MS, eachMs: 10 * MINUTE_MS },
] as const;

/** Returns the delay in ms. `rounds`: since the send or the app's start; `ageMs`: since the latest send. */
export function pauseAfter(rounds: number, ageMs: number, failuresInARow: number): number {
  const planned = FIRST_MS[rounds - 1] ?? LATER_MS.find(({ untilMs }) => ageMs < untilMs)?.eachMs ?? HOUR_MS;
  return failuresInARow === 0 ? planned : Math.min(planned, 2_000 * 2 ** Math.min(failuresInARow - 1, 8));
}
