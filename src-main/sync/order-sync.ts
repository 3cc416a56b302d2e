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
import { exchangeReplied, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import {
  afterWindow,
  beginOrderPass,
  nextWindow,
  orderPercent,
  type OrderPass,
} from '../../src-shared/domain/history/order-windows.ts';
import type { OrderHistoryQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import type { UnreadableRecord } from '../../src-shared/exchange-api/replies.ts';
import { exchangeTime, type Clock, type Timers } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import type { OrderState } from '../archive/orders/writer.ts';
import type { ReadMeta, ReadResult } from '../exchange/client.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { dateUnreadable, gapsOf } from './unreadable-records.ts';
import {
  ArchiveWork,
  FIRST_RETRY_MS,
  listedTo,
  MAX_RETRY_MS,
  OVERLAP_MS,
  PASS_INTERVAL_MS,
  syncDefect,
} from './passes.ts';
import { printOrderCheckpoint, readOrderCheckpoint, type OrderCheckpoint } from './order-checkpoint.ts';

export interface OrderSyncPorts {
  readonly client: {
    orderHistory(
      query: OrderHistoryQuery,
    ): Promise<ReadResult<readonly HistoryOrder[], Pick<ReadMeta, 'listed' | 'unreadable'>>>;
    clockOffsetMs(): number | null;
  };
  readonly archive: Pick<Archive, 'orderState' | 'insertOrders' | 'nonFinalOrders' | 'symbols'>;
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

const FIRST_CHECKPOINT = readOrderCheckpoint(null);

type Step = { readonly kind: 'next' } | { readonly kind: 'wait'; readonly ms: number };
const NEXT: Step = { kind: 'next' };

interface Listing {
  readonly rows: readonly HistoryOrder[];
  /** All rows of the reply, also those the filter dropped: only these show a cut. */
  readonly listed: number;
  readonly unreadable: readonly UnreadableRecord[];
}

export class OrderSync {
  readonly #ports: OrderSyncPorts;
  readonly #restMs: number;
  readonly #work = new ArchiveWork();
  #state: OrderSyncStatus['state'] = 'idle';
  #failure: Failure | null = null;
  #store: OrderState | null = null;
  #checkpoint: OrderCheckpoint = FIRST_CHECKPOINT;
  /** Row number after which the refresh continues; null while none is running. */
  #refreshAfter: number | null = null;
  #newestOffered = 0;
  #clockRequested = false;
  #retryMs = FIRST_RETRY_MS;
  #stopped = false;
  #busy = false;
  #cancelTimer = (): void => undefined;

  constructor(ports: OrderSyncPorts) {
    this.#ports = ports;
    this.#restMs = ports.restMs ?? 0;
  }

  /** Reads what is stored, so that the status is right before the first pass, or where none starts. */
  async load(): Promise<void> {
    this.#store = this.#dataOrFail(await this.#work.follow(this.#ports.archive.orderState()));
    if (this.#store !== null) this.#checkpoint = readOrderCheckpoint(this.#store.checkpoint);
  }

  /** Starts passes and refreshes every 15 minutes. Also resumes after a pause or a failure. */
  start(): void {
    if (this.#stopped || this.#state === 'running') return;
    this.#state = 'running';
    this.#failure = null;
    this.#plan(0);
    this.#reportStatus();
  }

  pause(): void {
    if (this.#state !== 'running' && this.#state !== 'failed') return;
    this.#state = 'paused';
    this.#cancelTimer();
    this.#reportStatus();
  }

  /** Stores what changed among the newest orders, as just polled. */
  offer(rows: readonly HistoryOrder[]): void {
    if (this.#stopped) return;
    // `>=`: another order of the same millisecond may follow.
    const fresh = rows.filter((one) => one.mtime >= this.#newestOffered);
    if (fresh.length === 0) return;
    // After a time to come nothing would be fresh.
    const now = exchangeTime(this.#ports.clock, this.#ports.client);
    const times = fresh.map((one) => Math.min(one.mtime, now));
    this.#newestOffered = times.reduce((most, one) => Math.max(most, one), this.#newestOffered);
    void this.#storePolled(fresh);
  }

  status(): OrderSyncStatus {
    const [store, checkpoint] = [this.#store, this.#checkpoint];
    return {
      state: this.#state,
      stored: store?.stored ?? 0,
      unsettled: store?.unsettled ?? 0,
      quarantined: store?.quarantined ?? 0,
      gaps: store?.gaps ?? 0,
      percent: checkpoint.pass === null ? null : orderPercent(checkpoint.pass),
      completedAt: checkpoint.completedAt,
      failure: this.#failure,
    };
  }

  /** Stops for good; resolves when the last write has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    await this.#work.ended();
  }

  /** Checked after each await, during which `pause` or `stop` may have been called. */
  #isRunning(): boolean {
    return this.#state === 'running' && !this.#stopped;
  }

  #reportStatus(): void {
    if (!this.#stopped) this.#ports.onStatus();
  }

  #plan(ms: number): void {
    this.#cancelTimer();
    if (this.#stopped) return;
    if (ms > 0) this.#cancelTimer = this.#ports.timers.after(ms, () => void this.#run());
    else void this.#run();
  }

  /** Continues after `ms`, unless paused meanwhile. */
  #planAgain(ms: number): void {
    this.#cancelTimer();
    if (this.#stopped) return;
    this.#cancelTimer = this.#ports.timers.after(ms, () => {
      if (this.#state !== 'complete' && this.#state !== 'failed') return;
      this.#state = 'running';
      void this.#run();
    });
  }

  #fail(reason: Failure): null {
    this.#failure = reason;
    if (this.#isRunning()) this.#state = 'failed';
    return null;
  }

  #dataOrFail<T>(result: Result<T>): T | null {
    return result.ok ? result.data : this.#fail(result.failure);
  }

  async #run(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    let after = 0;
    try {
      while (this.#isRunning()) {
        const step = await this.#next();
        if (step === null) break;
        after = step.kind === 'wait' ? step.ms : this.#restMs;
        if (after > 0) break;
      }
    } catch (error) {
      this.#fail(syncDefect('order', error));
    } finally {
      this.#busy = false;
    }
    this.#planNext(after);
    this.#reportStatus();
  }

  #planNext(after: number): void {
    if (this.#state === 'running') this.#plan(after);
    else if (this.#state === 'complete') this.#planAgain(PASS_INTERVAL_MS);
    else if (this.#state === 'failed') {
      this.#planAgain(Math.max(this.#retryMs, (this.#failure?.retryAt ?? 0) - this.#ports.clock.now()));
      this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
    }
  }

  /** Makes one request and stores its result; null after a failure or at the end. */
  async #next(): Promise<Step | null> {
    if (this.#store === null) await this.load();
    if (this.#store === null) return null;
    return this.#refreshAfter === null ? this.#passStep() : this.#refreshStep(this.#refreshAfter);
  }

  async #request(query: OrderHistoryQuery): Promise<Listing | Step | null> {
    const { client, limiter } = this.#ports;
    const result = await limiter.read(() => client.orderHistory(query));
    if ('waitMs' in result) return { kind: 'wait', ms: result.waitMs };
    if (!result.ok) return this.#fail(result.failure);
    const { listed, unreadable = [] } = result.meta;
    return { rows: result.data, listed, unreadable };
  }

  async #save(
    rows: readonly HistoryOrder[],
    next: OrderCheckpoint | null,
    gaps: readonly CoverageGap[] = [],
  ): Promise<boolean> {
    const { archive } = this.#ports;
    const text = next === null ? null : printOrderCheckpoint(next);
    if (this.#dataOrFail(await this.#work.follow(archive.insertOrders(rows, text, gaps))) === null)
      return false;
    if (next !== null) this.#checkpoint = next;
    this.#store = this.#dataOrFail(await this.#work.follow(archive.orderState())) ?? this.#store;
    this.#failure = null;
    this.#retryMs = FIRST_RETRY_MS;
    this.#reportStatus();
    return true;
  }

  async #passStep(): Promise<Step | null> {
    const checkpoint = this.#checkpoint;
    if (checkpoint.pass === null && this.#ports.client.clockOffsetMs() === null && !this.#clockRequested) {
      // The pass's end is by the exchange's clock, which only a reply gives.
      const reply = await this.#request({ limit: 1 });
      if (reply === null || 'kind' in reply) return reply;
      this.#clockRequested = true;
      return NEXT;
    }
    const to = listedTo(this.#ports.clock, this.#ports.client);
    // A clock that was ahead may have left a verified time that has not come yet.
    const from = Math.max(0, Math.min(checkpoint.verifiedTo ?? 0, to) - OVERLAP_MS);
    const pass = checkpoint.pass ?? beginOrderPass(from, to);
    const query = nextWindow(pass);
    if (query === null) return this.#finishPass(pass);
    const result = await this.#request(query);
    if (result === null || 'kind' in result) return result;
    return this.#stopped ? null : this.#storeWindow(pass, query, result);
  }

  async #finishPass(pass: OrderPass): Promise<Step | null> {
    const { clock, client } = this.#ports;
    const completedAt = clock.now();
    const latest = listedTo(clock, client);
    // The pass may have begun by a wrong clock; its replies have corrected it.
    const verifiedTo = Math.min(pass.to, latest);
    if (!(await this.#save([], { ...this.#checkpoint, pass: null, verifiedTo, completedAt }))) return null;
    // A pass resumed long after its start ends in the past, so the next one follows at once.
    if (latest - pass.to < PASS_INTERVAL_MS) this.#refreshAfter = 0;
    return NEXT;
  }

  async #storeWindow(
    pass: OrderPass,
    query: OrderHistoryQuery,
    { rows, listed, unreadable }: Listing,
  ): Promise<Step | null> {
    const symbols = await this.#symbolsFor(pass, rows, listed);
    if (symbols === null) return null;
    const outside = rows.filter((one) => !isWithin(query, one.orderTime) && !isWithin(query, one.mtime));
    const read = afterWindow(pass, { rows: listed, time: rows[0]?.orderTime ?? null }, symbols);
    // Smaller windows would list the same orders again, without end.
    if (read.pass.left.length >= pass.left.length && 2 * outside.length > rows.length)
      return this.#failIgnored(query, rows, listed);
    const gaps = read.gap === null ? [] : [{ ...read.gap, reason: gapReason(listed) }];
    // If the window is read again in parts, the smallest part dates its unreadable records best.
    if (read.pass.left.length < pass.left.length) {
      const requested = { from: query.startTime ?? pass.from, to: query.endTime ?? pass.to };
      gaps.push(...gapsOf(dateUnreadable(unreadable, 'orderTime', requested)));
    }
    return (await this.#save(rows, { ...this.#checkpoint, pass: read.pass }, gaps)) ? NEXT : null;
  }

  /** Stores orders that were listed whatever the time, and retries at growing intervals. */
  async #failIgnored(query: OrderHistoryQuery, rows: readonly HistoryOrder[], listed: number): Promise<null> {
    const retryMs = this.#retryMs;
    if (!(await this.#save(rows, null))) return null;
    this.#retryMs = retryMs;
    return this.#fail(timesIgnored(query, listed));
  }

  /** Returns the contracts a full millisecond is split by; null after a failure. */
  async #symbolsFor(
    pass: OrderPass,
    rows: readonly HistoryOrder[],
    listed: number,
  ): Promise<string[] | null> {
    const symbols = new Set([...this.#ports.listed(), ...rows.map((one) => one.symbolId)]);
    const window = pass.left.at(-1);
    if (window?.from === window?.to && listed > 0) {
      const traded = this.#dataOrFail(await this.#work.follow(this.#ports.archive.symbols()));
      if (traded === null) return null;
      for (const symbol of traded) symbols.add(symbol);
    }
    return [...symbols];
  }

  /** Requests the next order that can still change; ends the sync after the last. */
  async #refreshStep(after: number): Promise<Step | null> {
    const found = this.#dataOrFail(await this.#work.follow(this.#ports.archive.nonFinalOrders(after, 1)));
    if (found === null) return null;
    const [order] = found;
    if (order === undefined) {
      this.#refreshAfter = null;
      if (this.#isRunning()) this.#state = 'complete';
      const { verifiedTo } = this.#checkpoint;
      if (verifiedTo !== null) this.#ports.onVerified?.(verifiedTo);
      return null;
    }
    let result = await this.#request({ orderId: order.id });
    // Without a start only the last days may be listed. Only other orders: the exchange ignores the id filter, so request
    // the order's own time.
    if (result !== null && !('kind' in result) && result.rows.length === 0)
      result = await this.#request({
        orderId: order.id,
        startTime: Math.max(1, order.orderTime - 1),
        ...(result.listed > 0 ? { endTime: order.orderTime + 1 } : {}),
      });
    // The next try is for the order after one that the exchange refuses.
    if (result === null && this.#failure !== null && exchangeReplied(this.#failure))
      this.#refreshAfter = order.seq;
    if (result === null || 'kind' in result) return result;
    if (this.#stopped) return null;
    this.#refreshAfter = order.seq;
    return result.rows.length === 0 || (await this.#save(result.rows, null)) ? NEXT : null;
  }

  async #storePolled(rows: readonly HistoryOrder[]): Promise<void> {
    const { archive } = this.#ports;
    const stored = await this.#work.follow(archive.insertOrders(rows, null, []));
    // A failure here is not reported: the next pass reads the same rows and reports its own.
    if (!stored.ok || (stored.data.added === 0 && stored.data.changed === 0)) return;
    const now = await this.#work.follow(archive.orderState());
    if (now.ok && this.#store !== null) this.#store = now.data;
    this.#reportStatus();
  }
}

const isWithin = ({ startTime = 0, endTime = Infinity }: OrderHistoryQuery, time: number): boolean =>
  time >= startTime && time <= endTime;

const timesIgnored = ({ startTime, endTime }: OrderHistoryQuery, listed: number): Failure => ({
  kind: 'unreadable',
  message: `The exchange listed ${listed} orders, most of them outside the requested time (startTime ${startTime}, endTime ${endTime}), so older orders cannot be read.`,
  next: 'The orders listed are stored, but nothing is verified. Ask the exchange how its order history is read by time.',
});

const gapReason = (rows: number): string =>
  `the exchange lists at most ${rows} orders of one contract in this millisecond`;
