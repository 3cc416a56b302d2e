/** What the main process reads from the exchange and pushes to the window, with its age. */
import type { AccountInfo } from '../exchange-api/account.ts';
import type { OpenOrder } from '../exchange-api/open-order.ts';
import type { HistoryOrder } from '../exchange-api/order-history.ts';
import type { Drift, SetAside } from '../exchange-api/replies.ts';
import type { SymbolConfig } from '../exchange-api/symbol-config.ts';
import type { Failure } from './failures.ts';

/** The resources that are polled. `history` is the newest 1,000 orders, read after changes. */
export interface FeedValues {
  account: AccountInfo;
  openOrders: readonly OpenOrder[];
  history: readonly HistoryOrder[];
  contracts: readonly SymbolConfig[];
}
export type FeedName = keyof FeedValues;

/** How often each is asked for when all is well, ms; the measure of staleness. */
export const FEED_INTERVAL_MS: Readonly<Record<FeedName, number>> = {
  account: 1_000,
  openOrders: 2_000,
  history: 15_000,
  contracts: 86_400_000,
};

export interface Feed<T> {
  /** The last good reply; kept when a later one fails. */
  readonly value: T | null;
  /** Wall clock of the last good reply, ms: to be shown. How old it is says `age`. */
  readonly receivedAt: number | null;
  /** ms since the last good reply when this was said, by a clock nobody can set back. */
  readonly age: number | null;
  /** Round trip of the last good reply, ms. */
  readonly latencyMs: number | null;
  /** Why the newest attempt failed; null after a good one. */
  readonly failure: Failure | null;
  /** Wall clock of the first failure since the last good reply. */
  readonly failingSince: number | null;
  /** Attempts begun; answers that arrive out of order are dropped by it. */
  readonly serial: number;
  /** Records of the value's reply that could not be told from others; absent when there are none. */
  readonly setAside?: readonly SetAside[];
  /** How many times longer than usual it waits between reads; 1 when absent. */
  readonly pace?: number;
}

export interface FeedUpdate<K extends FeedName = FeedName> {
  readonly connectionId: string;
  readonly name: K;
  readonly feed: Feed<FeedValues[K]>;
}

/**
 * The exchange asked to wait: wall clock until which nothing is asked or sent, `resumed` when only the user ends it, null
 * when nothing forbids it.
 */
export type Pause = number | 'resumed' | null;

/** @param until 0: not paused; Infinity: until the user resumes */
export const pauseOf = (until: number): Pause =>
  until === 0 ? null : Number.isFinite(until) ? until : 'resumed';

export interface Feeds {
  readonly connectionId: string;
  readonly account: Feed<AccountInfo>;
  readonly openOrders: Feed<readonly OpenOrder[]>;
  readonly history: Feed<readonly HistoryOrder[]>;
  readonly contracts: Feed<readonly SymbolConfig[]>;
  /** Exchange clock − this computer's, ms, ±1 s; null until a reply carried a Date. */
  readonly clockOffsetMs: number | null;
  readonly pausedUntil: Pause;
  readonly drift: readonly Drift[];
}

export type Freshness = 'loading' | 'fresh' | 'slow' | 'stale' | 'offline';

/**
 * Slow after 3× the interval; tickets are blocked after 6×, or as soon as the newest attempt failed for that long.
 * `age`: where time has passed since the feed said its own.
 */
export function freshness(feed: Feed<unknown>, name: FeedName, age: number | null = feed.age): Freshness {
  // Nobody asks any more: nothing of it is fresh, however young.
  if (feed.failure?.kind === 'locked') return 'offline';
  if (age === null) return feed.failure === null ? 'loading' : 'offline';
  const interval = FEED_INTERVAL_MS[name] * (feed.pace ?? 1);
  if (feed.failure !== null && age > 3 * interval) return 'offline';
  if (age > 6 * interval) return 'stale';
  return age > 3 * interval ? 'slow' : 'fresh';
}

/** No order may rest on it: never read, or longer ago than a poll may take. */
export function isTooOld(feed: Feed<unknown>, name: FeedName, age: number | null = feed.age): boolean {
  const is = freshness(feed, name, age);
  return is !== 'fresh' && is !== 'slow';
}
