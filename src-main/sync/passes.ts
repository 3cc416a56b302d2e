/** What the passes of trades and of orders have in common: how far they reach. */
import { DAY_MS, exchangeTime, type Clock } from '../../src-shared/time.ts';
import type { ExchangeClient } from '../exchange/client.ts';

/** Records younger than this may not be listed yet. */
export const LISTING_DELAY_MS = 60_000;
/** A pass begins this far before the last verified time. */
export const OVERLAP_MS = DAY_MS;
/** Delay of the next pass after a complete one. */
export const PASS_INTERVAL_MS = 15 * 60_000;

/** The latest time, in ms, of records that are listed by now: a pass reads to here and verifies no later time. */
export const listedTo = (clock: Clock, client: Pick<ExchangeClient, 'clockOffsetMs'>): number =>
  Math.max(0, exchangeTime(clock, client) - LISTING_DELAY_MS);

/**
 * Reports whether a pass ends at a time to come, since it began by a clock that was ahead. It is begun again, as it would
 * verify the time until it is resumed, whatever came after its replies.
 */
export const endsAhead = (to: number, clock: Clock, client: Pick<ExchangeClient, 'clockOffsetMs'>): boolean =>
  to > exchangeTime(clock, client);

/** Pause between pages of a pass: live exchanges do not publish their rate limits. None on this computer. */
export const LIVE_REST_MS = 100;
