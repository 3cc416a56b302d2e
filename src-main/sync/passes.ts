/** What the passes of trades and of orders have in common: how far they reach, when they follow and what stops them. */
import type { Failure } from '../../src-shared/ipc/failures.ts';

/** Records younger than this may not be listed yet. */
export const LISTING_DELAY_MS = 60_000;
/** A pass begins this far before the last verified time. */
export const OVERLAP_MS = 24 * 3_600_000;
/** Delay of the next pass after a complete one. */
export const PASS_INTERVAL_MS = 15 * 60_000;
/** Delay after a failure; it doubles with each further one. */
export const FIRST_RETRY_MS = 30_000;
export const MAX_RETRY_MS = 10 * 60_000;

/** Pause between pages of a pass: live exchanges do not publish their rate limits. None on this computer. */
export const LIVE_REST_MS = 100;

/** Returns the failure of a sync that stopped at a defect, with the start of the error's message. */
export const syncDefect = (what: 'trade' | 'order', error: unknown): Failure => ({
  kind: 'bug',
  message: `The ${what} sync stopped: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}.`,
  next: 'Ballast retries automatically. Please report this line.',
});
