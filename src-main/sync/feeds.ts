/**
 * Polls the four live resources of one connection: one request in flight per resource, late answers dropped by
 * serial number, the last good value kept through failures. An order never waits behind a poll.
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

/** How a resource is read. `latencyMs` of the round trip. */
export type Read<K extends FeedName> = () => Promise<
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
  readonly reads: { readonly [K in FeedName]: Read<K> };
  readonly limiter: RequestLimiter;
  /** How many times longer than usual to wait between reads; 1 without it. */
  readonly pace?: number;
  readonly clock: { now(): number; mono(): number };
  readonly timers: Timers;
  readonly changed: (name: FeedName) => void;
}

export interface FeedSet {
  start(): void;
  /** Nothing is read any more; what was read stays. `because` is then shown as why none of it is new. */
  stop(because?: Failure): void;
  get<K extends FeedName>(name: K): Feed<FeedValues[K]>;
  all(): Pick<Feeds, FeedName>;
  /** Reads as soon as the gate allows: after an order, or when the person asks. */
  refresh(name: FeedName): void;
}

const NAMES = Object.keys(FEED_INTERVAL_MS) as FeedName[];
/** A failing poll is repeated at this pace at the least, however fast the resource usually is. */
const RETRY_MS = 2_000;

/** Goes on over all connections of a run: one that is opened anew is newer to the window than it was before. */
let attempts = 0;

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
  const pace = ports.pace ?? 1;
  const unread = pace === 1 ? empty : { ...empty, pace };
  const state: State = { account: unread, openOrders: unread, history: unread, contracts: unread };
  /** When the last good reply of each was received, by both clocks. */
  const received = new Map<FeedName, Moment>();
  const aged = <K extends FeedName>(name: K): State[K] => {
    const since = received.get(name);
    return since === undefined ? state[name] : { ...state[name], age: elapsed(since, momentOf(clock)) };
  };
  const cancel = new Map<FeedName, () => void>();
  const inFlight = new Set<FeedName>();
  const again = new Set<FeedName>();
  /** Read anew after each await: polling may have been stopped meanwhile. */
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

  function fail<K extends FeedName>(name: K, failure: Failure, at: number): void {
    const before = state[name];
    state[name] = { ...before, failure, failingSince: before.failingSince ?? at };
  }

  async function poll<K extends FeedName>(name: K): Promise<void> {
    if (!running) return;
    if (inFlight.has(name)) {
      again.add(name);
      return;
    }
    const now = clock.now();
    if (!limiter.tryAcquire(now)) {
      const until = limiter.blockedUntil(now);
      schedule(name, until > now && Number.isFinite(until) ? until - now : RETRY_MS);
      return;
    }
    inFlight.add(name);
    const serial = ++attempts;
    state[name] = { ...state[name], serial };
    const read = ports.reads[name] as Read<K>;
    const answer = await read();
    inFlight.delete(name);
    if (!isRunning()) return;
    const at = clock.now();
    if (answer.ok) {
      limiter.succeeded();
      received.set(name, momentOf(clock));
      state[name] = {
        ...unread,
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
    const interval = FEED_INTERVAL_MS[name] * pace;
    const wanted =
      again.delete(name) && answer.ok
        ? 0
        : answer.ok
          ? interval
          : Math.max(RETRY_MS, Math.min(interval, 15_000));
    schedule(name, Math.max(wanted, 0));
  }

  return {
    start() {
      running = true;
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
    get: aged,
    all: () => ({
      account: aged('account'),
      openOrders: aged('openOrders'),
      history: aged('history'),
      contracts: aged('contracts'),
    }),
    refresh(name) {
      if (inFlight.has(name)) again.add(name);
      else schedule(name, 0);
    },
  };
}
