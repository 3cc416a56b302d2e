/** Defines the polled data the main process pushes to the window, with its age. */
import type { AccountInfo } from '../exchange-api/account.ts';
import type { OpenOrder } from '../exchange-api/open-order.ts';
import type { HistoryOrder } from '../exchange-api/order-history.ts';
import type { Drift, UnreadableRecord } from '../exchange-api/replies.ts';
import type { SymbolConfig } from '../exchange-api/symbol-config.ts';
import type { Failure } from './failures.ts';
import { DAY_MS } from '../time.ts';

/** The polled resources. `history` is the newest 1,000 orders, read after changes. */
export interface FeedValues {
  account: AccountInfo;
  openOrders: readonly OpenOrder[];
  history: readonly HistoryOrder[];
  contracts: readonly SymbolConfig[];
}
export type FeedName = keyof FeedValues;

/** Regular polling intervals in ms; staleness is measured by them. */
export const FEED_INTERVAL_MS: Readonly<Record<FeedName, number>> = {
  account: 1_000,
  openOrders: 2_000,
  history: 15_000,
  contracts: DAY_MS,
};

export interface Feed<T> {
  /** The last good reply; a failure does not clear it. */
  readonly value: T | null;
  /** Wall clock of the last good reply in ms, for display. Use `age` for its age. */
  readonly receivedAt: number | null;
  /** Age of the last good reply in ms, by a monotonic clock. */
  readonly age: number | null;
  /** Round trip of the last good reply, in ms. */
  readonly latencyMs: number | null;
  /** Why the newest attempt failed; null after a good one. */
  readonly failure: Failure | null;
  /** Wall clock of the first failure since the last good reply. */
  readonly failingSince: number | null;
  /** Number of attempts; replies out of order are dropped by it. */
  readonly serial: number;
  /** Quarantined records of the reply; absent when there are none. */
  readonly unreadable?: readonly UnreadableRecord[];
  /** Factor of the polling interval; 1 when absent. */
  readonly intervalFactor?: number;
  /** The value was read before the connection was opened, also by an earlier run. Only the window has such a feed. */
  readonly stored?: true;
}

/** A resource that was not read yet. */
export const EMPTY_FEED = {
  value: null,
  receivedAt: null,
  age: null,
  latencyMs: null,
  failure: null,
  failingSince: null,
  serial: 0,
} as const satisfies Feed<unknown>;

/** An account as last read in an earlier run, for the first frames. */
export interface LastAccount {
  readonly connectionId: string;
  /** Wall clock, ms. */
  readonly readAt: number;
  readonly value: AccountInfo;
}

export type FeedSnapshot = { readonly [K in FeedName]: Feed<FeedValues[K]> };

export interface FeedUpdate<K extends FeedName = FeedName> {
  readonly connectionId: string;
  readonly name: K;
  readonly feed: Feed<FeedValues[K]>;
}

/** Wall clock until which the exchange requested a pause; `resumed` if only the user ends it, null if there is none. */
export type Pause = number | 'resumed' | null;

/** @param until 0: not paused; Infinity: until the user resumes */
export const pauseOf = (until: number): Pause =>
  until === 0 ? null : Number.isFinite(until) ? until : 'resumed';

export interface Feeds extends FeedSnapshot {
  readonly connectionId: string;
  /** Exchange clock minus this computer's in ms, ±1 s; null until a reply had a Date header. */
  readonly clockOffsetMs: number | null;
  readonly pausedUntil: Pause;
  readonly drift: readonly Drift[];
}

/** Returns the ms after which a feed is polled again. */
export const intervalOf = (
  { intervalFactor = 1 }: Pick<Feed<unknown>, 'intervalFactor'>,
  name: FeedName,
): number => FEED_INTERVAL_MS[name] * intervalFactor;

export type Freshness = 'loading' | 'fresh' | 'slow' | 'stale' | 'offline';

/**
 * Returns a feed's freshness: after 3× the interval it is slow, or offline if the last attempt failed; after 6× stale.
 * Offline and stale block orders. `age` replaces the feed's own.
 */
export function freshness(feed: Feed<unknown>, name: FeedName, age: number | null = feed.age): Freshness {
  // Reading has stopped, so nothing is fresh.
  if (feed.failure?.kind === 'locked') return 'offline';
  // However recent by the wall clock, which can be set back.
  if (feed.stored === true) return feed.failure === null ? 'stale' : 'offline';
  if (age === null) return feed.failure === null ? 'loading' : 'offline';
  const interval = intervalOf(feed, name);
  if (feed.failure !== null && age > 3 * interval) return 'offline';
  if (age > 6 * interval) return 'stale';
  return age > 3 * interval ? 'slow' : 'fresh';
}

/** Reports whether the feed is unusable for orders: never read, or too old. */
export function isTooOld(feed: Feed<unknown>, name: FeedName, age: number | null = feed.age): boolean {
  const is = freshness(feed, name, age);
  return is !== 'fresh' && is !== 'slow';
}
