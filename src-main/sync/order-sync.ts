/**
 * Fills a connection's archive with its order history and refreshes orders that can still change.
 *
 * - Pass: from 24 h before the last verified time (at first from 0) to now − 60 s by the exchange's clock, in windows
 *   halved until each is complete (`order-windows.ts`). Rows, gaps and checkpoint are one transaction.
 * - Refresh: every archived order that is not final is requested by id, since old resting orders lie outside any
 *   overlap. One of an undocumented status, which may be over, only until a week after its last change; one that is
 *   listed no more at growing intervals, up to a day.
 *
 * One request in flight, through the request limiter, with a rest after it. The client serves order history in
 * sequence, so a poll waits for one reply at most.
 */
import type { CoverageGap, OrderSyncStatus } from '../../src-shared/ipc/archive.ts';
import { done, exchangeReplied, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import {
  afterWindow,
  beginOrderPass,
  nextWindow,
  orderPercent,
  type OrderPass,
} from '../../src-shared/domain/history/order-windows.ts';
import {
  MAX_RESULTS,
  mayBeLimited,
  type OrderHistoryQuery,
} from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import type { UnreadableRecord } from '../../src-shared/exchange-api/replies.ts';
import { DAY_MS, exchangeTime, type Clock, type Timers } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import type { StoredOrders } from '../archive/orders/writer.ts';
import type { ReadMeta, ReadResult } from '../exchange/client.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { dateUnreadable, gapsOf } from './unreadable-records.ts';
import { endsAhead, LISTING_DELAY_MS, listedTo, OVERLAP_MS, PASS_INTERVAL_MS } from './passes.ts';
import { printOrderCheckpoint, readOrderCheckpoint, type OrderCheckpoint } from './order-checkpoint.ts';
import { SyncRun } from './sync-run.ts';

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
  readonly restMs: number;
}

/** How long after its last change an order of an undocumented status is requested. */
const UNDOCUMENTED_MS = 7 * DAY_MS;
const FIRST_CHECKPOINT = readOrderCheckpoint(null);

interface Listing {
  readonly rows: readonly HistoryOrder[];
  /** All rows of the reply, also those the filter dropped: only these show a cut. */
  readonly listed: number;
  readonly unreadable: readonly UnreadableRecord[];
}

export class OrderSync extends SyncRun<StoredOrders, OrderSyncPorts> {
  #checkpoint: OrderCheckpoint = FIRST_CHECKPOINT;
  /** Row number after which the refresh continues; null while none is running. */
  #refreshAfter: number | null = null;
  /** Orders that were not listed when they were last requested, by id: when they are requested again, ms. */
  readonly #unlisted = new Map<string, { readonly at: number; readonly waitMs: number }>();
  #newestOffered = 0;
  #clockRequested = false;

  constructor(ports: OrderSyncPorts) {
    super('order', ports);
  }

  protected readArchived(): Promise<Result<StoredOrders>> {
    return this.ports.archive.orderState();
  }
  protected continueFrom({ checkpoint }: StoredOrders): void {
    this.#checkpoint = readOrderCheckpoint(checkpoint);
  }
  protected step(): Promise<void> {
    return this.#refreshAfter === null ? this.#passStep() : this.#refreshStep(this.#refreshAfter);
  }
  protected announce(): void {
    this.ports.onStatus();
  }

  /** Starts passes and refreshes every 15 minutes. Also resumes after a pause or a failure. */
  start(): void {
    if (this.startPasses()) this.plan('pass', 0);
  }

  /** Stores what changed among the newest orders, as just polled. */
  offer(rows: readonly HistoryOrder[]): void {
    if (this.isStopped()) return;
    // `>=`: another order of the same millisecond may follow.
    const fresh = rows.filter((one) => one.mtime >= this.#newestOffered);
    if (fresh.length === 0) return;
    // After a time to come nothing would be fresh.
    const now = exchangeTime(this.ports.clock, this.ports.client);
    const times = fresh.map((one) => Math.min(one.mtime, now));
    this.#newestOffered = times.reduce((most, one) => Math.max(most, one), this.#newestOffered);
    void this.#storePolled(fresh);
  }

  status(): OrderSyncStatus {
    const [archived, checkpoint] = [this.archived, this.#checkpoint];
    return {
      state: this.state,
      stored: archived?.stored ?? 0,
      unsettled: archived?.unsettled ?? 0,
      quarantined: archived?.quarantined ?? 0,
      gaps: archived?.gaps ?? 0,
      percent: checkpoint.pass === null ? null : orderPercent(checkpoint.pass),
      completedAt: checkpoint.completedAt,
      failure: this.failure,
    };
  }

  /** Plans the next request, unless paused meanwhile. */
  #next(ms = this.ports.restMs): void {
    if (this.isRunning()) this.plan('pass', ms);
  }

  /** Makes a request; null where reads are blocked: the step is then repeated later. */
  async #request(query: OrderHistoryQuery): Promise<Result<Listing> | null> {
    const { client, limiter } = this.ports;
    const result = await limiter.read(() => client.orderHistory(query));
    if ('waitMs' in result) {
      this.#next(result.waitMs);
      return null;
    }
    if (!result.ok) {
      this.fail(result.failure);
      return result;
    }
    const { listed, unreadable = [] } = result.meta;
    return done({ rows: result.data, listed, unreadable });
  }

  async #save(
    rows: readonly HistoryOrder[],
    next: OrderCheckpoint | null,
    gaps: readonly CoverageGap[] = [],
  ): Promise<boolean> {
    const text = next === null ? null : printOrderCheckpoint(next);
    const inserted = await this.checked(this.ports.archive.insertOrders(rows, text, gaps));
    if (!inserted.ok) return false;
    if (next !== null) this.#checkpoint = next;
    await this.refresh();
    return true;
  }

  /** Plans the next request after a step that succeeded. */
  #proceed(): void {
    this.succeeded();
    this.report();
    this.#next();
  }

  async #passStep(): Promise<void> {
    const checkpoint = this.#checkpoint;
    if (checkpoint.pass === null && this.ports.client.clockOffsetMs() === null && !this.#clockRequested) {
      // The pass's end is by the exchange's clock, which only a reply gives.
      const reply = await this.#request({ limit: 1 });
      if (reply?.ok !== true) return;
      this.#clockRequested = true;
      this.#next();
      return;
    }
    const to = listedTo(this.ports.clock, this.ports.client);
    // A clock that was ahead may have left a verified time that has not come yet.
    const from = Math.max(0, Math.min(checkpoint.verifiedTo ?? 0, to) - OVERLAP_MS);
    const pass = checkpoint.pass ?? beginOrderPass(from, to);
    const query = nextWindow(pass);
    if (query === null) return this.#finishPass(pass);
    const result = await this.#request(query);
    if (result?.ok !== true || this.isStopped()) return;
    if (endsAhead(pass.to, this.ports.clock, this.ports.client)) {
      this.#checkpoint = { ...checkpoint, pass: null };
      return this.#next();
    }
    await this.#storeWindow(pass, query, result.data);
  }

  /** Stores what changed during the pass, too: where times filter by last change, it may be in no window of the pass. */
  async #finishPass(pass: OrderPass): Promise<void> {
    const { clock, client } = this.ports;
    const newest = await this.#request({ startTime: Math.max(1, pass.to), limit: MAX_RESULTS });
    if (newest?.ok !== true || this.isStopped()) return;
    const completedAt = clock.now();
    const latest = listedTo(clock, client);
    // The pass may have begun by a clock that was a little ahead; its replies have corrected it.
    const verifiedTo = Math.min(pass.to, latest);
    const { rows, listed } = newest.data;
    // What changed during a long pass is then read in windows, too: this ends, as they are ever shorter.
    if (mayBeLimited(listed) && latest - pass.to > LISTING_DELAY_MS) {
      const rest = { ...beginOrderPass(pass.to, latest), from: pass.from, most: pass.most };
      if (await this.#save(rows, { ...this.#checkpoint, pass: { ...pass, ...rest } })) this.#proceed();
      return;
    }
    if (!(await this.#save(rows, { ...this.#checkpoint, pass: null, verifiedTo, completedAt }))) return;
    // A pass resumed long after its start ends in the past, so the next one follows at once.
    if (latest - pass.to < PASS_INTERVAL_MS) this.#refreshAfter = 0;
    this.#proceed();
  }

  async #storeWindow(
    pass: OrderPass,
    query: OrderHistoryQuery,
    { rows, listed, unreadable }: Listing,
  ): Promise<void> {
    const symbols = await this.#symbolsFor(pass, rows, listed);
    if (symbols === null) return;
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
    if (await this.#save(rows, { ...this.#checkpoint, pass: read.pass }, gaps)) this.#proceed();
  }

  /** Stores orders that were listed whatever the time, and retries at growing intervals. */
  async #failIgnored(query: OrderHistoryQuery, rows: readonly HistoryOrder[], listed: number): Promise<void> {
    if (await this.#save(rows, null)) this.fail(timesIgnored(query, listed));
  }

  /** Returns the contracts a full millisecond is split by; null after a failure. */
  async #symbolsFor(
    pass: OrderPass,
    rows: readonly HistoryOrder[],
    listed: number,
  ): Promise<string[] | null> {
    const symbols = new Set([...this.ports.listed(), ...rows.map((one) => one.symbolId)]);
    const window = pass.left.at(-1);
    if (window?.from === window?.to && listed > 0) {
      const traded = await this.checked(this.ports.archive.symbols());
      if (!traded.ok) return null;
      for (const symbol of traded.data) symbols.add(symbol);
    }
    return [...symbols];
  }

  /** Requests the next order that can still change; ends the sync after the last. */
  async #refreshStep(after: number): Promise<void> {
    const changedSince = exchangeTime(this.ports.clock, this.ports.client) - UNDOCUMENTED_MS;
    const found = await this.checked(this.ports.archive.nonFinalOrders(after, 1, changedSince));
    if (!found.ok) return;
    const [order] = found.data;
    if (order === undefined) {
      this.#refreshAfter = null;
      const { verifiedTo } = this.#checkpoint;
      if (verifiedTo !== null) this.ports.onVerified?.(verifiedTo);
      this.complete();
      return;
    }
    const now = this.ports.clock.now();
    const { at = 0, waitMs = PASS_INTERVAL_MS } = this.#unlisted.get(order.id) ?? {};
    // After the clock was set back it may be due much later.
    if (now < at && at <= now + waitMs) {
      this.#refreshAfter = order.seq;
      this.#next(0);
      return;
    }
    const result = await this.#requestOrder(order);
    if (result === null) return;
    // The next try is for the order after one that the exchange refuses.
    if (result.ok || exchangeReplied(result.failure)) this.#refreshAfter = order.seq;
    if (!result.ok || this.isStopped()) return;
    const { rows } = result.data;
    if (rows.length === 0) {
      const next = Math.min(2 * waitMs, DAY_MS);
      this.#unlisted.set(order.id, { at: now + next, waitMs: next });
      this.#next();
      return;
    }
    this.#unlisted.delete(order.id);
    if (await this.#save(rows, null)) this.#proceed();
  }

  async #requestOrder({
    id,
    orderTime,
  }: Pick<HistoryOrder, 'id' | 'orderTime'>): Promise<Result<Listing> | null> {
    const result = await this.#request({ orderId: id });
    if (result?.ok !== true || result.data.rows.length > 0) return result;
    // Without a start only the last days may be listed. Only other orders: the exchange ignores the id filter, so request
    // the order's own time.
    return this.#request({
      orderId: id,
      startTime: Math.max(1, orderTime - 1),
      ...(result.data.listed > 0 ? { endTime: orderTime + 1 } : {}),
    });
  }

  async #storePolled(rows: readonly HistoryOrder[]): Promise<void> {
    const { archive } = this.ports;
    const stored = await this.follow(archive.insertOrders(rows, null, []));
    // A failure here is not reported: the next pass reads the same rows and reports its own.
    if (!stored.ok || (stored.data.added === 0 && stored.data.changed === 0)) return;
    const now = await this.follow(archive.orderState());
    if (now.ok && this.archived !== null) this.archived = now.data;
    this.report();
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
