/** Delays between reconciliation rounds. */
import { HOUR_MS } from '../../../src-shared/time.ts';

/**
 * Short at first, since most lost orders are listed within seconds; then every 20 s for five minutes, so that an order is
 * found within 30 s of becoming visible, each minute for an hour, then every ten minutes.
 */
const FIRST_MS = [1_000, 2_000, 5_000, 10_000, 15_000] as const;
const WATCH_MS = 5 * 60_000;

/** Returns the delay in ms. `rounds`: since the send or the app's start; `ageMs`: since the latest send. */
export function pauseAfter(rounds: number, ageMs: number, failuresInARow: number): number {
  const planned =
    FIRST_MS[rounds - 1] ?? (ageMs < WATCH_MS ? 20_000 : ageMs < HOUR_MS ? 60_000 : 10 * 60_000);
  return failuresInARow === 0 ? planned : Math.min(planned, 2_000 * 2 ** Math.min(failuresInARow - 1, 8));
}
