/** Finds where Ballast was closed between two recorded equity samples. */
import { DAY_MS, MINUTE_MS } from '../../../src-shared/time.ts';

/** Returns the interval of samples of an age: one minute at first, longer as the archive downsamples them. */
function sampleInterval(age: number): number {
  if (age <= 7 * DAY_MS) return MINUTE_MS;
  if (age <= 91 * DAY_MS) return 15 * MINUTE_MS;
  return age <= 365 * DAY_MS ? 60 * MINUTE_MS : DAY_MS;
}

/**
 * Whether the interval between two neighbouring points means that Ballast was closed; `pointMs` is the time one point
 * stands for, ms.
 */
export const isGap = (from: number, to: number, now: number, pointMs: number): boolean =>
  to - from > 4 * Math.max(sampleInterval(now - from), pointMs);
