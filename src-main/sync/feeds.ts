/**
 * Polls the live resources of one connection: one request in flight per resource, replies after `stop` dropped, the
 * last good value kept through failures. Orders never wait for a poll.
 */
import {
  EMPTY_FEED,
  type Feed,
  type FeedName,
  type Feeds,
  type FeedValues,
  intervalOf,
} from '../../src-shared/ipc/feeds.ts';
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { uidOf } from '../../src-shared/domain/reconcile/account-identity.ts';
import { elapsed, type Moment, momentOf } from '../../src-shared/domain/display/elapsed.ts';
import { DAY_MS, type MonotonicClock, type Timers } from '../../src-shared/time.ts';
import type { ReadMeta, ReadResult } from '../exchange/client.ts';
import type { RequestLimiter } from './request-limiter.ts';

/** Reads a resource. */
export type FeedRead<K extends FeedName> = () => Promise<FeedReply<K>>;
type FeedReply<K extends FeedName> = ReadResult<FeedValues[K], Pick<ReadMeta, 'latencyMs' | 'unreadable'>>;

export interface FeedPorts {
  /** Resources without a read are not polled and stay empty. */
  readonly reads: { readonly [K in FeedName]?: FeedRead<K> };
  readonly limiter: RequestLimiter;
  /** Returns the factor of a polling interval, which is asked for at each reply and refresh. */
  readonly intervalFactor: (name: FeedName) => number;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly changed: (name: FeedName) => void;
}

/** Returns the factor of the polling intervals that a connection is set to. */
export const intervalFactorOf = ({ pace }: Pick<ConnectionSettings, 'pace'>): number =>
  pace === 'gentle' ? 3 : 1;

/** Longest delay before a poll; timers take at most 24 days, and fire at once beyond that. */
const MAX_INTERVAL_MS = 7 * DAY_MS;
/** Least delay after a failed poll. */
const RETRY_MS = 2_000;

/** Counts across all connections of a run, so that a reopened connection's feeds are newer than the window's. */
let lastSerial = 0;

type State = { -readonly [K in FeedName]: Feed<FeedValues[K]> };

export class FeedSet {
  readonly #ports: FeedPorts;
  readonly #names: readonly FeedName[];
  readonly #state: State;
  /** When each resource's last good reply arrived, by wall and monotonic clock. */
  readonly #received = new Map<FeedName, Moment>();
  readonly #cancel = new Map<FeedName, () => void>();
  readonly #inFlight = new Set<FeedName>();
  readonly #refreshQueued = new Set<FeedName>();
  #running = false;
  /** By the monotonic clock. */
  #startedAt = 0;

  constructor(ports: FeedPorts) {
    this.#ports = ports;
    this.#names = Object.keys(ports.reads) as FeedName[];
    const unread = (name: FeedName) => ({ ...EMPTY_FEED, intervalFactor: ports.intervalFactor(name) });
    this.#state = {
      account: unread('account'),
      openOrders: unread('openOrders'),
      history: unread('history'),
      contracts: unread('contracts'),
    };
  }

  start(): void {
    this.#running = true;
    this.#startedAt = this.#ports.clock.mono();
    for (const name of this.#names) this.#schedule(name, 0);
  }

  /** Stops polling and keeps the values. `because` becomes the failure of every feed. */
  stop(because?: Failure): void {
    this.#running = false;
    for (const cancel of this.#cancel.values()) cancel();
    this.#cancel.clear();
    if (because === undefined) return;
    for (const name of this.#names) {
      this.#renumber(name);
      this.#fail(name, because, this.#ports.clock.now());
      this.#ports.changed(name);
    }
  }

  get<K extends FeedName>(name: K): State[K] {
    const since = this.#received.get(name);
    return since === undefined
      ? this.#state[name]
      : { ...this.#state[name], age: elapsed(since, momentOf(this.#ports.clock)) };
  }

  /** Returns the value of a resource; null before the first read and after a failed one, which does not mean empty. */
  current<K extends FeedName>(name: K): FeedValues[K] | null {
    const { value, failure } = this.#state[name];
    return failure === null ? value : null;
  }

  /** Returns the account's user id, as the records name it; null while none does. */
  userId(): string | null {
    return uidOf([
      ...(this.get('account').value?.positions ?? []),
      ...(this.get('openOrders').value ?? []),
      ...(this.get('history').value ?? []),
    ]);
  }

  all(): Pick<Feeds, FeedName> {
    return {
      account: this.get('account'),
      openOrders: this.get('openOrders'),
      history: this.get('history'),
      contracts: this.get('contracts'),
    };
  }

  /** Polls as soon as the limiter allows, for example after an order. */
  refresh<K extends FeedName>(name: K): void {
    if (!this.#names.includes(name)) return;
    // By a shorter interval than it was read at, the value is too old sooner.
    this.#state[name] = { ...this.#state[name], intervalFactor: this.#ports.intervalFactor(name) };
    if (this.#inFlight.has(name)) this.#refreshQueued.add(name);
    else this.#schedule(name, 0);
  }

  /** Checked after each await: polling may have been stopped meanwhile. */
  #isRunning(): boolean {
    return this.#running;
  }

  #schedule(name: FeedName, ms: number): void {
    this.#cancel.get(name)?.();
    if (!this.#running) return;
    const cancel = this.#ports.timers.after(ms, () => void this.#poll(name));
    this.#cancel.set(name, cancel);
  }

  async #poll<K extends FeedName>(name: K): Promise<void> {
    const { clock, limiter, reads } = this.#ports;
    if (!this.#running) return;
    if (this.#inFlight.has(name)) {
      this.#refreshQueued.add(name);
      return;
    }
    this.#inFlight.add(name);
    let serial = 0;
    const result = await limiter.read(() => {
      serial = ++lastSerial;
      this.#state[name] = { ...this.#state[name], serial };
      return (reads[name] as FeedRead<K>)();
    });
    this.#inFlight.delete(name);
    if ('waitMs' in result) {
      this.#schedule(name, result.waitMs);
      return;
    }
    if (!this.#isRunning()) return;
    const at = clock.now();
    if (result.ok) this.#succeed(name, result, at, serial);
    else this.#fail(name, result.failure, at);
    try {
      this.#ports.changed(name);
    } finally {
      // A defect of a listener does not end the polling.
      this.#schedule(name, this.#nextDelay(name, result.ok));
    }
  }

  #succeed<K extends FeedName>(
    name: K,
    { data, meta }: Extract<FeedReply<K>, { readonly ok: true }>,
    at: number,
    serial: number,
  ): void {
    const before: FeedValues[K] | null = this.#state[name].value;
    this.#received.set(name, momentOf(this.#ports.clock));
    this.#state[name] = {
      ...EMPTY_FEED,
      intervalFactor: this.#ports.intervalFactor(name),
      value: before === null ? data : IN_FORMER_ORDER[name](before, data),
      receivedAt: at,
      age: 0,
      latencyMs: meta.latencyMs,
      serial,
      ...(meta.unreadable === undefined ? {} : { unreadable: meta.unreadable }),
    } as State[K];
  }

  /** Also where nothing was read: the window may have what the connection read before it was opened anew. */
  #renumber<K extends FeedName>(name: K): void {
    this.#state[name] = { ...this.#state[name], serial: ++lastSerial };
  }

  #fail<K extends FeedName>(name: K, failure: Failure, at: number): void {
    const before = this.#state[name];
    this.#state[name] = { ...before, failure, failingSince: before.failingSince ?? at };
  }

  #nextDelay(name: FeedName, succeeded: boolean): number {
    const interval = Math.min(intervalOf(this.#state[name], name), MAX_INTERVAL_MS);
    const isQueued = this.#refreshQueued.delete(name);
    if (!succeeded) return Math.max(RETRY_MS, Math.min(interval, 15_000));
    return isQueued ? 0 : this.#untilDue(interval);
  }

  /**
   * Returns the ms until the next multiple of the interval since the start: replies of all resources come together, and
   * the window draws once. A slow reply leaves a quarter of the interval at least.
   */
  #untilDue(interval: number): number {
    const left = interval - ((this.#ports.clock.mono() - this.#startedAt) % interval);
    return left < interval / 4 ? left + interval : left;
  }
}

/** Returns a reply's rows in the order of the last reply if they are the same ones: their order is not documented. */
function inFormerOrder<R>(before: readonly R[], after: readonly R[], idOf: (row: R) => string): readonly R[] {
  if (before.length !== after.length) return after;
  const byId = new Map(after.map((row) => [idOf(row), row]));
  // A row listed twice is in the set once.
  const ordered = new Set(before.flatMap((row) => byId.get(idOf(row)) ?? []));
  return ordered.size === after.length ? [...ordered] : after;
}

const IN_FORMER_ORDER: {
  readonly [K in FeedName]: (before: FeedValues[K], after: FeedValues[K]) => FeedValues[K];
} = {
  account: (before, after) => ({
    ...after,
    assets: inFormerOrder(before.assets, after.assets, ({ coin }) => coin),
    positions: inFormerOrder(before.positions, after.positions, (one) =>
      [one.positionId, one.symbolId, one.side].join(' '),
    ),
  }),
  openOrders: (before, after) => inFormerOrder(before, after, ({ orderId }) => orderId),
  history: (before, after) => inFormerOrder(before, after, ({ id }) => id),
  contracts: (before, after) => inFormerOrder(before, after, ({ symbolId }) => symbolId),
};
