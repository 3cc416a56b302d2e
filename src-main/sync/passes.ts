/** What the passes of trades and of orders have in common: how far they reach, when they follow and what stops them. */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { DAY_MS, exchangeTime, type Clock } from '../../src-shared/time.ts';
import type { ExchangeClient } from '../exchange/client.ts';

/** Records younger than this may not be listed yet. */
export const LISTING_DELAY_MS = 60_000;
/** A pass begins this far before the last verified time. */
export const OVERLAP_MS = DAY_MS;
/** Delay of the next pass after a complete one. */
export const PASS_INTERVAL_MS = 15 * 60_000;
/** Delay after a failure; it doubles with each further one. */
export const FIRST_RETRY_MS = 30_000;
export const MAX_RETRY_MS = 10 * 60_000;

/** The latest time, in ms, of records that are listed by now: a pass reads to here and verifies no later time. */
export const listedTo = (clock: Clock, client: Pick<ExchangeClient, 'clockOffsetMs'>): number =>
  Math.max(0, exchangeTime(clock, client) - LISTING_DELAY_MS);

/** Pause between pages of a pass: live exchanges do not publish their rate limits. None on this computer. */
export const LIVE_REST_MS = 100;

/** Returns the failure of a sync that stopped at a defect, with the start of the error's message. */
export const syncDefect = (what: 'trade' | 'order', error: unknown): Failure => ({
  kind: 'bug',
  message: `The ${what} sync stopped: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}.`,
  next: 'Ballast retries automatically. Please report this line.',
});

/** Follows a sync's work in the archive, so that its stop can wait for the last. */
export class ArchiveWork {
  #pending: Promise<unknown> = Promise.resolve();

  follow<T>(work: Promise<T>): Promise<T> {
    this.#pending = Promise.allSettled([this.#pending, work]).then(() => undefined);
    return work;
  }

  async ended(): Promise<void> {
    await this.#pending;
  }
}
