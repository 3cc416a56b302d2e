/**
 * Fills a connection's archive with its order history and refreshes orders that can still change.
 *
 * - Pass: from 24 h before the last verified time (at first from 0) to now − 60 s by the exchange's clock, in windows
 *   halved until each is complete (`order-windows.ts`). Rows, gaps and checkpoint are one transaction.
 * - Refresh: every archived order that is not final is requested by id, since old resting orders lie outside any
 *   overlap.
 *
 * One request in flight, through the request limiter, with a rest after it. The client serves order history in
 * sequence, so a poll waits for one reply at most.
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
import type { Clock, Timers } from '../../src-shared/time.ts';
import type { RequestLimiter } from './request-limiter.ts';
import type { OrderClient, OrderStore, OrderStoreState } from './order-source.ts';
import { gapsOf, unreadRecords } from './unread-records.ts';
import { syncDefect } from './trade-checkpoint.ts';
import { printOrderCheckpoint, readOrderCheckpoint, type OrderCheckpoint } from './order-checkpoint.ts';

export interface OrderSyncPorts {
  readonly client: OrderClient;
  readonly archive: OrderStore;
  readonly limiter: RequestLimiter;
  /** This computer's wall clock. */
  readonly clock: Clock;
  readonly timers: Timers;
  readonly onStatus: () => void;
  /** Returns the contracts the exchange lists now. */
  readonly listed: () => readonly string[];
  /** Called when every order created up to `verifiedTo` (ms) is stored and refreshed. */
  readonly onVerified?: (verifiedTo: number) => void;
  readonly restMs?: number;
}

export interface OrderSync {
  /** Starts passes and refreshes every 15 minutes. Also resumes after a pause or a failure. */
  start(): void;
  pause(): void;
  /** Stores what changed among the newest orders, as just polled. */
  offer(rows: readonly HistoryOrder[]): void;
  status(): OrderSyncStatus;
  /** Stops for good; resolves when the last write has ended. */
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
  /** All rows of the reply, also those the filter dropped: only these show a cut. */
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
  /** Row number after which the refresh continues; null while none is running. */
  let refreshAfter: number | null = null;
  let newestOffered = 0;
  let clockRequested = false;
  let retryMs = FIRST_RETRY_MS;
  let stopped = false;
  let busy = false;
  let cancelTimer = (): void => undefined;
  let writing: Promise<unknown> = Promise.resolve();

  /** Checked after each await, during which `pause` or `stop` may have been called. */
  const isRunning = (): boolean => state === 'running' && !stopped;
  const exchangeNow = (): number => clock.now() + (client.clockOffsetMs() ?? 0);
  /** Tracks archive work, so that `stop` can wait for it. */
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    writing = Promise.all([writing, work]);
    return work;
  };
  const reportStatus = (): void => {
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
  function dataOrFail<T>(answer: Result<T>): T | null {
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
      fail(syncDefect('order', error));
    } finally {
      busy = false;
    }
    if (state === 'running') plan(after);
    else if (state === 'complete') planAgain(PASS_INTERVAL_MS);
    else if (state === 'failed') {
      planAgain(Math.max(retryMs, (failure?.retryAt ?? 0) - clock.now()));
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
    reportStatus();
  }

  /** Continues after `ms`, unless paused meanwhile. */
  function planAgain(ms: number): void {
    cancelTimer();
    if (stopped) return;
    cancelTimer = timers.after(ms, () => {
      if (state !== 'complete' && state !== 'failed') return;
      setState('running');
      void work();
    });
  }

  /** Makes one request and stores its result; null after a failure or at the end. */
  async function next(): Promise<Step | null> {
    if (store === null) {
      store = dataOrFail(await tracked(archive.orderState()));
      if (store === null) return null;
      checkpoint = readOrderCheckpoint(store.checkpoint);
    }
    return refreshAfter === null ? passStep() : refreshStep(refreshAfter);
  }

  async function request(query: OrderHistoryQuery): Promise<Listing | Step | null> {
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

  async function save(
    rows: readonly HistoryOrder[],
    next: OrderCheckpoint | null,
    gaps: readonly CoverageGap[] = [],
  ): Promise<boolean> {
    const text = next === null ? null : printOrderCheckpoint(next);
    if (dataOrFail(await tracked(archive.insertOrders(rows, text, gaps))) === null) return false;
    if (next !== null) checkpoint = next;
    store = dataOrFail(await tracked(archive.orderState())) ?? store;
    failure = null;
    retryMs = FIRST_RETRY_MS;
    reportStatus();
    return true;
  }

  async function passStep(): Promise<Step | null> {
    if (checkpoint.pass === null && client.clockOffsetMs() === null && !clockRequested) {
      // The pass's end is by the exchange's clock, which only a reply gives.
      const reply = await request({ limit: 1 });
      if (reply === null || 'kind' in reply) return reply;
      clockRequested = true;
      return NEXT;
    }
    const from = checkpoint.verifiedTo === null ? 0 : Math.max(0, checkpoint.verifiedTo - OVERLAP_MS);
    const pass = checkpoint.pass ?? beginOrderPass(from, Math.max(from, exchangeNow() - LISTING_DELAY_MS));
    const query = nextWindow(pass);
    if (query === null) {
      const finished = { ...checkpoint, pass: null, verifiedTo: pass.to, completedAt: clock.now() };
      if (!(await save([], finished))) return null;
      // A pass resumed long after its start ends in the past, so the next one follows at once.
      if (exchangeNow() - LISTING_DELAY_MS - pass.to < PASS_INTERVAL_MS) refreshAfter = 0;
      return NEXT;
    }
    const answer = await request(query);
    if (answer === null || 'kind' in answer) return answer;
    if (stopped) return null;
    const { rows, listed, setAside } = answer;
    const symbols = new Set([...ports.listed(), ...rows.map((one) => one.symbolId)]);
    const window = pass.left.at(-1);
    if (window?.from === window?.to && listed > 0) {
      const traded = dataOrFail(await tracked(archive.symbols()));
      if (traded === null) return null;
      for (const symbol of traded) symbols.add(symbol);
    }
    const read = afterWindow(pass, { rows: listed, time: rows[0]?.orderTime ?? null }, [...symbols]);
    const gaps = read.gap === null ? [] : [{ ...read.gap, reason: gapReason(listed) }];
    // If the window is read again in parts, the smallest part dates its unreadable records best.
    if (read.pass.left.length < pass.left.length) {
      const requested = { from: query.startTime ?? pass.from, to: query.endTime ?? pass.to };
      gaps.push(...gapsOf(unreadRecords(setAside, 'orderTime', requested)));
    }
    return (await save(rows, { ...checkpoint, pass: read.pass }, gaps)) ? NEXT : null;
  }

  /** Requests the next order that can still change; ends the sync after the last. */
  async function refreshStep(after: number): Promise<Step | null> {
    const found = dataOrFail(await tracked(archive.nonFinalOrders(after, 1)));
    if (found === null) return null;
    const [order] = found;
    if (order === undefined) {
      refreshAfter = null;
      setState(isRunning() ? 'complete' : state);
      if (checkpoint.verifiedTo !== null) ports.onVerified?.(checkpoint.verifiedTo);
      return null;
    }
    let answer = await request({ orderId: order.id });
    // Only other orders: the exchange ignores the id filter, so request the order's own time.
    if (answer !== null && !('kind' in answer) && answer.rows.length === 0 && answer.listed > 0)
      answer = await request({
        orderId: order.id,
        startTime: Math.max(0, order.orderTime - 1),
        endTime: order.orderTime + 1,
      });
    if (answer === null || 'kind' in answer) return answer;
    if (stopped) return null;
    refreshAfter = order.seq;
    return answer.rows.length === 0 || (await save(answer.rows, null)) ? NEXT : null;
  }

  async function storePolled(rows: readonly HistoryOrder[]): Promise<void> {
    const stored = await tracked(archive.insertOrders(rows, null, []));
    // A failure here is not reported: the next pass reads the same rows and reports its own.
    if (!stored.ok || (stored.data.added === 0 && stored.data.changed === 0)) return;
    const now = await tracked(archive.orderState());
    if (now.ok && store !== null) store = now.data;
    reportStatus();
  }

  return {
    start() {
      if (stopped || state === 'running') return;
      setState('running');
      failure = null;
      plan(0);
      reportStatus();
    },
    pause() {
      if (state !== 'running' && state !== 'failed') return;
      setState('paused');
      cancelTimer();
      reportStatus();
    },
    offer(rows) {
      if (stopped) return;
      // `>=`: another order of the same millisecond may follow.
      const fresh = rows.filter((one) => one.mtime >= newestOffered);
      if (fresh.length === 0) return;
      newestOffered = fresh.reduce((most, one) => Math.max(most, one.mtime), newestOffered);
      void storePolled(fresh);
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
    async stop() {
      stopped = true;
      cancelTimer();
      await writing;
    },
  };
}

const gapReason = (rows: number): string =>
  `the exchange lists at most ${rows} orders of one contract in this millisecond`;
