/**
 * Fills a connection's archive with its order history, and keeps asking for orders that can still change.
 *
 * - The walk: from 24 h before what was proven last (at first: from the beginning of time) to now − 60 s by the
 *   exchange's clock, in windows that are halved until each is told whole (`order-paging.ts`). Rows, gaps and
 *   checkpoint are one transaction, so a kill costs one answer.
 * - The settling: every archived order that is not final is asked for by its id until it is. Old resting orders lie
 *   outside any overlap.
 *
 * One request in flight, each behind the connection's gate and with a rest after it: the client's lane of this
 * resource serves in the order asked, so a poll of the newest orders waits for one answer at the most.
 */
import type { CoverageGap, OrderSyncStatus } from '../../src-shared/ipc/archive.ts';
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import {
  afterWindow,
  beginOrderPass,
  nextWindow,
  orderShare,
} from '../../src-shared/domain/history/order-windows.ts';
import type { OrderHistoryQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import type { SetAside } from '../../src-shared/exchange-api/replies.ts';
import type { Timers } from './feeds.ts';
import type { RequestLimiter } from './request-limiter.ts';
import type { OrderClient, OrderStore, OrderStoreState } from './order-source.ts';
import { gapsOf, unreadRecords } from './unread-records.ts';
import { brokenOff } from './trade-checkpoint.ts';
import { printOrderCheckpoint, readOrderCheckpoint, type OrderCheckpoint } from './order-checkpoint.ts';

export interface OrderSyncPorts {
  readonly client: OrderClient;
  readonly archive: OrderStore;
  readonly limiter: RequestLimiter;
  /** This computer's wall clock. */
  readonly clock: { now(): number };
  readonly timers: Timers;
  readonly onStatus: () => void;
  /** Contracts the exchange lists now. */
  readonly listed: () => readonly string[];
  /** Everything created up to `provenTo` is stored and asked for again. */
  readonly onProven?: (provenTo: number) => void;
  readonly restMs?: number;
}

export interface OrderSync {
  /** Walks, settles, then again from time to time. Also resumes after a pause and asks again after a failure. */
  start(): void;
  pause(): void;
  /** The newest orders as just polled: what changed among them is stored at once. */
  offer(rows: readonly HistoryOrder[]): void;
  status(): OrderSyncStatus;
  /** When everything created up to then was proven, and the wall clock of that. */
  proven(): { readonly provenTo: number | null; readonly completedAt: number | null };
  /** For good; resolves when nothing is written any more. */
  stop(): Promise<void>;
}

const LISTING_DELAY_MS = 60_000;
const OVERLAP_MS = 24 * 3_600_000;
const PASS_INTERVAL_MS = 15 * 60_000;
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 10 * 60_000;
const BLOCKED_RETRY_MS = 2_000;
const FIRST_CHECKPOINT = readOrderCheckpoint(null);

type Step = { readonly kind: 'next' } | { readonly kind: 'wait'; readonly ms: number };
const NEXT: Step = { kind: 'next' };

interface Listing {
  readonly rows: readonly HistoryOrder[];
  /** With those that the filter left out: whether the answer was cut shows by these. */
  readonly listed: number;
  readonly setAside: readonly SetAside[];
}

export function createOrderSync(ports: OrderSyncPorts): OrderSync {
  const { archive, client, clock, limiter, timers } = ports;
  const restMs = ports.restMs ?? 0;
  let state: OrderSyncStatus['state'] = 'idle';
  let failure: Failure | null = null;
  let store: OrderStoreState | null = null;
  let checkpoint: OrderCheckpoint = FIRST_CHECKPOINT;
  /** Row after which the settling goes on; null while none is under way. */
  let settling: number | null = null;
  let offered = 0;
  let clockAsked = false;
  let retryMs = FIRST_RETRY_MS;
  let stopped = false;
  let busy = false;
  let cancelTimer = (): void => undefined;
  let writing: Promise<unknown> = Promise.resolve();

  /** Asked after an await, during which `pause` or `stop` may have come. */
  const isRunning = (): boolean => state === 'running' && !stopped;
  const exchangeNow = (): number => clock.now() + (client.clockOffsetMs() ?? 0);
  /** Archive work in hand, so that `stop` can wait for it. */
  const kept = <T>(work: Promise<T>): Promise<T> => {
    writing = Promise.all([writing, work]);
    return work;
  };
  const tell = (): void => {
    if (!stopped) ports.onStatus();
  };
  const setState = (next: OrderSyncStatus['state']): void => {
    state = next;
  };

  function plan(ms: number): void {
    cancelTimer();
    if (stopped) return;
    if (ms > 0) cancelTimer = timers.after(ms, () => void work());
    else void work();
  }

  function fail(reason: Failure): null {
    failure = reason;
    if (isRunning()) setState('failed');
    return null;
  }
  function taken<T>(answer: Result<T>): T | null {
    return answer.ok ? answer.data : fail(answer.failure);
  }

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    let after = 0;
    try {
      while (isRunning()) {
        const step = await next();
        if (step === null) break;
        after = step.kind === 'wait' ? step.ms : restMs;
        if (after > 0) break;
      }
    } catch (error) {
      fail(brokenOff('order', error));
    } finally {
      busy = false;
    }
    if (state === 'running') plan(after);
    else if (state === 'complete') planAgain(PASS_INTERVAL_MS);
    else if (state === 'failed') {
      planAgain(Math.max(retryMs, (failure?.retryAt ?? 0) - clock.now()));
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
    tell();
  }

  /** Goes on by itself after a rest, unless the person paused meanwhile. */
  function planAgain(ms: number): void {
    cancelTimer();
    if (stopped) return;
    cancelTimer = timers.after(ms, () => {
      if (state !== 'complete' && state !== 'failed') return;
      setState('running');
      void work();
    });
  }

  /** One request and what follows from it; null after a failure was told or the end was reached. */
  async function next(): Promise<Step | null> {
    if (store === null) {
      store = taken(await kept(archive.orderState()));
      if (store === null) return null;
      checkpoint = readOrderCheckpoint(store.checkpoint);
    }
    return settling === null ? passStep() : settleStep(settling);
  }

  async function ask(query: OrderHistoryQuery): Promise<Listing | Step | null> {
    const now = clock.now();
    if (!limiter.tryAcquire(now)) {
      const until = limiter.blockedUntil(now);
      return { kind: 'wait', ms: until > now && Number.isFinite(until) ? until - now : BLOCKED_RETRY_MS };
    }
    const answer = await client.orderHistory(query);
    if (answer.ok) {
      limiter.succeeded();
      const { listed, setAside = [] } = answer.meta;
      return { rows: answer.data, listed, setAside };
    }
    limiter.failed(answer.failure, clock.now());
    return fail(answer.failure);
  }

  async function keep(
    rows: readonly HistoryOrder[],
    next: OrderCheckpoint | null,
    gaps: readonly CoverageGap[] = [],
  ): Promise<boolean> {
    const text = next === null ? null : printOrderCheckpoint(next);
    if (taken(await kept(archive.insertOrders(rows, text, gaps))) === null) return false;
    if (next !== null) checkpoint = next;
    store = taken(await kept(archive.orderState())) ?? store;
    failure = null;
    retryMs = FIRST_RETRY_MS;
    tell();
    return true;
  }

  async function passStep(): Promise<Step | null> {
    if (checkpoint.pass === null && client.clockOffsetMs() === null && !clockAsked) {
      // A walk ends by the exchange's clock, which only a reply tells.
      const told = await ask({ limit: 1 });
      if (told === null || 'kind' in told) return told;
      clockAsked = true;
      return NEXT;
    }
    const from = checkpoint.verifiedTo === null ? 0 : Math.max(0, checkpoint.verifiedTo - OVERLAP_MS);
    const pass = checkpoint.pass ?? beginOrderPass(from, Math.max(from, exchangeNow() - LISTING_DELAY_MS));
    const query = nextWindow(pass);
    if (query === null) {
      const proven = { ...checkpoint, pass: null, verifiedTo: pass.to, completedAt: clock.now() };
      if (!(await keep([], proven))) return null;
      // A walk taken up long after it was begun ends in the past: the next one follows at once.
      if (exchangeNow() - LISTING_DELAY_MS - pass.to < PASS_INTERVAL_MS) settling = 0;
      return NEXT;
    }
    const answer = await ask(query);
    if (answer === null || 'kind' in answer) return answer;
    if (stopped) return null;
    const { rows, listed, setAside } = answer;
    const symbols = new Set([...ports.listed(), ...rows.map((one) => one.symbolId)]);
    const window = pass.left.at(-1);
    if (window?.from === window?.to && listed > 0) {
      const traded = taken(await kept(archive.symbols()));
      if (traded === null) return null;
      for (const symbol of traded) symbols.add(symbol);
    }
    const read = afterWindow(pass, { rows: listed, time: rows[0]?.orderTime ?? null }, [...symbols]);
    const gaps = read.gap === null ? [] : [{ ...read.gap, reason: reasonOf(listed) }];
    // Of a window that is asked for again in parts, only the smallest part says when they were.
    if (read.pass.left.length < pass.left.length) {
      const asked = { from: query.startTime ?? pass.from, to: query.endTime ?? pass.to };
      gaps.push(...gapsOf(unreadRecords(setAside, 'orderTime', asked)));
    }
    return (await keep(rows, { ...checkpoint, pass: read.pass }, gaps)) ? NEXT : null;
  }

  /** Asks for the next order that can still change; after the last of them all is done. */
  async function settleStep(after: number): Promise<Step | null> {
    const found = taken(await kept(archive.unsettledOrders(after, 1)));
    if (found === null) return null;
    const [order] = found;
    if (order === undefined) {
      settling = null;
      setState(isRunning() ? 'complete' : state);
      if (checkpoint.verifiedTo !== null) ports.onProven?.(checkpoint.verifiedTo);
      return null;
    }
    let answer = await ask({ orderId: order.id });
    // Others alone: the exchange ignores the filter, so the order is looked for at its own time.
    if (answer !== null && !('kind' in answer) && answer.rows.length === 0 && answer.listed > 0)
      answer = await ask({
        orderId: order.id,
        startTime: Math.max(0, order.orderTime - 1),
        endTime: order.orderTime + 1,
      });
    if (answer === null || 'kind' in answer) return answer;
    if (stopped) return null;
    settling = order.seq;
    return answer.rows.length === 0 || (await keep(answer.rows, null)) ? NEXT : null;
  }

  async function take(rows: readonly HistoryOrder[]): Promise<void> {
    const stored = await kept(archive.insertOrders(rows, null, []));
    // The next walk brings what could not be stored, and says why if it cannot either.
    if (!stored.ok || (stored.data.added === 0 && stored.data.changed === 0)) return;
    const now = await kept(archive.orderState());
    if (now.ok && store !== null) store = now.data;
    tell();
  }

  return {
    start() {
      if (stopped || state === 'running') return;
      setState('running');
      failure = null;
      plan(0);
      tell();
    },
    pause() {
      if (state !== 'running' && state !== 'failed') return;
      setState('paused');
      cancelTimer();
      tell();
    },
    offer(rows) {
      if (stopped) return;
      // The same millisecond again: the order that was polled in the middle of it.
      const fresh = rows.filter((one) => one.mtime >= offered);
      if (fresh.length === 0) return;
      offered = fresh.reduce((most, one) => Math.max(most, one.mtime), offered);
      void take(fresh);
    },
    status: () => ({
      state,
      stored: store?.stored ?? 0,
      unsettled: store?.unsettled ?? 0,
      quarantined: store?.quarantined ?? 0,
      gaps: store?.gaps ?? 0,
      share: checkpoint.pass === null ? null : orderShare(checkpoint.pass),
      completedAt: checkpoint.completedAt,
      failure,
    }),
    proven: () => ({ provenTo: checkpoint.verifiedTo, completedAt: checkpoint.completedAt }),
    async stop() {
      stopped = true;
      cancelTimer();
      await writing;
    },
  };
}

const reasonOf = (rows: number): string =>
  `the exchange lists no more than ${rows} orders of one contract in this millisecond`;
