/**
 * Polls the four live resources of one connection: one request in flight per resource, replies after `stop` dropped,
 * the last good value kept through failures. Orders never wait for a poll.
 */
import {
  FEED_INTERVAL_MS,
  type Feed,
  type FeedName,
  type Feeds,
  type FeedValues,
} from '../../src-shared/ipc/feeds.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { SetAside } from '../../src-shared/exchange-api/replies.ts';
import { elapsed, type Moment, momentOf } from '../../src-shared/domain/display/elapsed.ts';
import type { RequestLimiter } from './request-limiter.ts';

/** Reads a resource. `latencyMs` is the round trip. */
export type FeedRead<K extends FeedName> = () => Promise<
  | {
      readonly ok: true;
      readonly data: FeedValues[K];
      readonly meta: { readonly latencyMs: number; readonly setAside?: readonly SetAside[] };
    }
  | { readonly ok: false; readonly failure: Failure }
>;

export interface Timers {
  /** Calls once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): () => void;
}

export interface FeedPorts {
  readonly connectionId: string;
  readonly reads: { readonly [K in FeedName]: FeedRead<K> };
  readonly limiter: RequestLimiter;
  /** Factor of every polling interval; default 1. */
  readonly intervalFactor?: number;
  readonly clock: { now(): number; mono(): number };
  readonly timers: Timers;
  readonly changed: (name: FeedName) => void;
}

export interface FeedSet {
  start(): void;
  /** Stops polling and keeps the values. `because` becomes the failure of every feed. */
  stop(because?: Failure): void;
  get<K extends FeedName>(name: K): Feed<FeedValues[K]>;
  all(): Pick<Feeds, FeedName>;
  /** Polls as soon as the limiter allows, for example after an order. */
  refresh(name: FeedName): void;
}

const NAMES = Object.keys(FEED_INTERVAL_MS) as FeedName[];
/** Least delay after a failed poll. */
const RETRY_MS = 2_000;

/** Counts across all connections of a run, so that a reopened connection's feeds are newer than the window's. */
let lastSerial = 0;

type State = { -readonly [K in FeedName]: Feed<FeedValues[K]> };

const empty = {
  value: null,
  receivedAt: null,
  age: null,
  latencyMs: null,
  failure: null,
  failingSince: null,
  serial: 0,
};

export function createFeeds(ports: FeedPorts): FeedSet {
  const { clock, limiter, timers } = ports;
  const intervalFactor = ports.intervalFactor ?? 1;
  const initial = intervalFactor === 1 ? empty : { ...empty, pace: intervalFactor };
  const state: State = { account: initial, openOrders: initial, history: initial, contracts: initial };
  /** When each resource's last good reply arrived, by wall and monotonic clock. */
  const received = new Map<FeedName, Moment>();
  const withAge = <K extends FeedName>(name: K): State[K] => {
    const since = received.get(name);
    return since === undefined ? state[name] : { ...state[name], age: elapsed(since, momentOf(clock)) };
  };
  const cancel = new Map<FeedName, () => void>();
  const inFlight = new Set<FeedName>();
  const refreshQueued = new Set<FeedName>();
  /** By the monotonic clock. */
  let startedAt = 0;
  /** Checked after each await: polling may have been stopped meanwhile. */
  let running = false;
  const isRunning = (): boolean => running;

  function schedule(name: FeedName, ms: number): void {
    cancel.get(name)?.();
    if (running)
      cancel.set(
        name,
        timers.after(ms, () => void poll(name)),
      );
  }

  /**
   * ms until the next multiple of the interval since the start: replies of all resources come together, and the window
   * draws once. A slow reply leaves a quarter of the interval at least.
   */
  function untilDue(interval: number): number {
    const left = interval - ((clock.mono() - startedAt) % interval);
    return left < interval / 4 ? left + interval : left;
  }

  function fail<K extends FeedName>(name: K, failure: Failure, at: number): void {
    const before = state[name];
    state[name] = { ...before, failure, failingSince: before.failingSince ?? at };
  }

  async function poll<K extends FeedName>(name: K): Promise<void> {
    if (!running) return;
    if (inFlight.has(name)) {
      refreshQueued.add(name);
      return;
    }
    const now = clock.now();
    if (!limiter.tryAcquire(now)) {
      const until = limiter.blockedUntil(now);
      schedule(name, until > now && Number.isFinite(until) ? until - now : RETRY_MS);
      return;
    }
    inFlight.add(name);
    const serial = ++lastSerial;
    state[name] = { ...state[name], serial };
    const read = ports.reads[name] as FeedRead<K>;
    const answer = await read();
    inFlight.delete(name);
    if (!isRunning()) return;
    const at = clock.now();
    if (answer.ok) {
      limiter.succeeded();
      received.set(name, momentOf(clock));
      state[name] = {
        ...initial,
        value: answer.data,
        receivedAt: at,
        age: 0,
        latencyMs: answer.meta.latencyMs,
        failure: null,
        failingSince: null,
        serial,
        ...(answer.meta.setAside === undefined ? {} : { setAside: answer.meta.setAside }),
      } as State[K];
    } else {
      limiter.failed(answer.failure, at);
      fail(name, answer.failure, at);
    }
    ports.changed(name);
    const interval = FEED_INTERVAL_MS[name] * intervalFactor;
    const delay =
      refreshQueued.delete(name) && answer.ok
        ? 0
        : answer.ok
          ? untilDue(interval)
          : Math.max(RETRY_MS, Math.min(interval, 15_000));
    schedule(name, Math.max(delay, 0));
  }

  return {
    start() {
      running = true;
      startedAt = clock.mono();
      for (const name of NAMES) schedule(name, 0);
    },
    stop(because) {
      running = false;
      for (const stop of cancel.values()) stop();
      cancel.clear();
      if (because === undefined) return;
      for (const name of NAMES) {
        fail(name, because, clock.now());
        ports.changed(name);
      }
    },
    get: withAge,
    all: () => ({
      account: withAge('account'),
      openOrders: withAge('openOrders'),
      history: withAge('history'),
      contracts: withAge('contracts'),
    }),
    refresh(name) {
      if (inFlight.has(name)) refreshQueued.add(name);
      else schedule(name, 0);
    },
  };
}
