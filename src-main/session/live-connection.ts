/**
 * The connection in use: client, polling, archive, sync and reconciliation. Created when it is opened and torn down
 * completely when another one is.
 */
import type { Events } from '../../src-shared/ipc/calls.ts';
import type { ConnectionSummary, SecretInput } from '../../src-shared/ipc/connections.ts';
import { pauseOf, type FeedName, type Feeds, type Pause } from '../../src-shared/ipc/feeds.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { EventName } from '../../src-shared/ipc/names.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { Drift } from '../../src-shared/exchange-api/replies.ts';
import { exchangeTime, type MonotonicClock, type Timers } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import type { ExchangeClient } from '../exchange/client.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';
import { serializeReads } from '../exchange/serial-reads.ts';
import { TIMEOUTS } from '../exchange/transport.ts';
import type { Journal } from '../orders/journal/journal.ts';
import type { DayReading } from '../orders/day/day-results.ts';
import { positionText } from '../orders/reconcile/evidence.ts';
import { Reconciler } from '../orders/reconcile/reconciler.ts';
import { ArchiveSync } from '../sync/archive-sync.ts';
import { EquityRecorder } from '../sync/equity-recorder.ts';
import { FeedSet, intervalFactorOf } from '../sync/feeds.ts';
import { newestOrders } from '../sync/newest-orders.ts';
import { LIVE_REST_MS } from '../sync/passes.ts';
import { RequestLimiter } from '../sync/request-limiter.ts';
import { NOT_OWN, UNLOADED } from './failures.ts';

/** What every connection uses. */
export interface ConnectionServices {
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly journal: Journal;
  readonly client: (
    summary: ConnectionSummary,
    secret: SecretInput | null,
    onDrift: (drift: Drift) => void,
  ) => ExchangeClient;
  readonly openArchive: (summary: ConnectionSummary) => Promise<Result<Archive>>;
  readonly limitOf: (baseUrl: string) => RateLimit;
  readonly accountOf: (summary: ConnectionSummary) => AccountIdentity;
  readonly connectionIds: () => readonly string[];
  readonly push: <K extends EventName>(name: K, value: Events[K]) => void;
  /** Called after each read of a feed, also while the window is hidden. */
  readonly feedRead: () => void;
  readonly intentChanged: (record: Events['intent']) => void;
  /** Called when a signed read succeeded. */
  readonly verified: (connection: LiveConnection) => void;
  /** Called when the archive turns out to belong to another account. */
  readonly otherAccount: (connection: LiveConnection) => void;
  readonly notice: (message: string, next: string, stays?: boolean) => void;
  readonly isWindowHidden: () => boolean;
}

export interface TradeHistory {
  readonly archive: Archive;
  readonly sync: ArchiveSync;
  readonly recorder: EquityRecorder;
}

const MAX_DRIFT = 200;
/** Of the polling intervals while the window is hidden and only alerts use what is read. */
const HIDDEN_INTERVAL_FACTOR = 3;
/** Values that the practice exchange uses where the API documents none; they are not reported as drift. */
const PRACTICE_VALUES = ['trade liquidity MAKER', 'order history cancelReason 0'];
const isPracticeValue = ({ record, field, value }: Drift): boolean =>
  PRACTICE_VALUES.includes(`${record} ${field} ${value ?? ''}`);

export class LiveConnection {
  readonly id: string;
  readonly client: ExchangeClient;
  readonly feeds: FeedSet;
  /** Reconciles unknown outcomes while the connection is open. */
  readonly reconciler: Reconciler;
  /**
   * Resolves once the archive is open; account data does not wait for it. After a failure the connection trades
   * without an archive.
   */
  readonly history: Promise<Result<TradeHistory>>;

  readonly #summary: ConnectionSummary;
  readonly #services: ConnectionServices;
  readonly #limit: RateLimit;
  readonly #limiter: RequestLimiter;
  readonly #stopWatchingLimit: () => void;
  readonly #drift = new Map<string, Drift>();
  /** Resolves after the first account read, successful or not. */
  readonly #firstRead = Promise.withResolvers<undefined>();
  /** What the last poll of a list showed, to find changes. */
  readonly #seen: Record<'account' | 'openOrders', string | null> = { account: null, openOrders: null };
  #account: AccountIdentity;
  /** `history` once it may be written to: nothing shows that it is another account's. */
  #ownHistory: TradeHistory | null = null;
  /** Whether the archive could not say whose it is: it is asked again after the next account read. */
  #isOwnerUnknown = false;
  #lastOffset: number | null = null;
  #isUnloaded = false;
  /** Why it does not read; null while it does. */
  #stopped: Failure | null = null;
  #isClosed = false;

  constructor(summary: ConnectionSummary, secret: SecretInput | null, services: ConnectionServices) {
    this.id = summary.id;
    this.#summary = summary;
    this.#services = services;
    this.client = serializeReads(services.client(summary, secret, (drift) => this.#addDrift(drift)));
    this.#limit = services.limitOf(summary.settings.baseUrl);
    this.#limiter = new RequestLimiter(this.#limit, services.clock);
    this.#stopWatchingLimit = this.#limit.onChange(() =>
      services.push('pause', { connectionId: this.id, until: this.#pause() }),
    );
    this.history = this.#openHistory();
    this.#account = services.accountOf(summary);
    this.#assignOrders();
    this.feeds = this.#createFeeds();
    this.reconciler = this.#createReconciler();

    this.feeds.start();
    this.reconciler.start();
    void this.#startHistory();
  }

  snapshot(): Feeds {
    return {
      connectionId: this.id,
      ...this.feeds.all(),
      clockOffsetMs: this.client.clockOffsetMs(),
      pausedUntil: this.#pause(),
      drift: [...this.#drift.values()],
    };
  }

  /** Returns the ids of a symbol's orders in the newest open orders and history. */
  knownOrderIds(symbolId: string): readonly string[] {
    return [
      ...new Set([
        ...idsOf(this.feeds.get('openOrders').value, symbolId, (one) => one.orderId),
        ...idsOf(this.feeds.get('history').value, symbolId, (one) => one.id),
      ]),
    ];
  }

  /** Returns the symbol's position as last read, as text; null if unknown. */
  position(symbolId: string): string | null {
    const account = this.feeds.current('account');
    return account && positionText(account.positions.filter((one) => one.symbolId === symbolId));
  }

  /** Returns the account's identity, with the user id once a record contained one. */
  account(): AccountIdentity {
    return this.#account;
  }

  /** Returns why the rate limit allows nothing to be sent now, with the time left, or null. */
  pauseFailure(): Failure | null {
    return this.#limit.sendFailure(this.#services.clock.now());
  }

  /** Returns what the daily limits are measured by. */
  dayReading(): DayReading {
    return {
      id: this.id,
      account: this.#account,
      feeds: () => this.feeds.all(),
      clockOffsetMs: () => this.client.clockOffsetMs(),
      summary: async (from) => {
        const opened = await this.history;
        return opened.ok ? opened.data.archive.statsSummary({ from, to: null, symbol: null }) : opened;
      },
    };
  }

  /** Polls without waiting for the interval, after an order: the account may have changed. */
  refresh(): void {
    for (const name of ['openOrders', 'account', 'history'] as const) this.feeds.refresh(name);
    this.#ownHistory?.sync.syncTail();
  }

  /** Sends the window what was read while it was hidden, and polls at once: the intervals were longer meanwhile. */
  windowShown(): void {
    for (const name of ['account', 'openOrders', 'history', 'contracts'] as const) {
      // Contracts are read daily anyway.
      if (name !== 'contracts') this.feeds.refresh(name);
      this.#pushFeed(name);
    }
  }

  /** Polls at the user's request, ignoring the backoff. */
  retry(name: FeedName): void {
    this.#limiter.resume();
    this.feeds.refresh(name);
  }

  /** Unloads the secret for good: reading and reconciliation stop, while values and archive stay available. */
  unload(): Promise<void> {
    this.#isUnloaded = true;
    return this.stopReading(UNLOADED);
  }

  async stopReading(because: Failure): Promise<void> {
    this.#stopped = because;
    this.feeds.stop(because);
    this.#ownHistory?.sync.pause();
    const stopped = this.reconciler.stop();
    await this.client.close(because);
    await stopped;
  }

  /** Starts the sync, or returns why nothing can be read or written. */
  startSync(): Result<null> {
    if (this.#stopped !== null) return failed(this.#stopped);
    if (this.#ownHistory === null) return failed(NOT_OWN);
    this.#ownHistory.sync.start();
    return done(null);
  }

  isUnloaded(): boolean {
    return this.#isUnloaded;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatchingLimit();
    this.feeds.stop();
    const stopped = this.reconciler.stop();
    const opened = await this.history;
    if (opened.ok) {
      const { archive, sync, recorder } = opened.data;
      await Promise.all([sync.stop(), recorder.stop()]);
      await archive.close();
    }
    await this.client.close();
    await stopped;
  }

  #createFeeds(): FeedSet {
    const { client } = this;
    const { clock, timers, isWindowHidden } = this.#services;
    return new FeedSet({
      intervalFactor: (name) =>
        Math.max(
          intervalFactorOf(this.#summary.settings),
          name !== 'contracts' && isWindowHidden() ? HIDDEN_INTERVAL_FACTOR : 1,
        ),
      reads: {
        account: () => client.account(),
        openOrders: () => client.openOrders({}),
        history: newestOrders(client, clock),
        contracts: () => client.symbolConfig(),
      },
      limiter: this.#limiter,
      clock,
      timers,
      changed: (name) => this.#feedChanged(name),
    });
  }

  #createReconciler(): Reconciler {
    const { journal, clock, timers, intentChanged, notice } = this.#services;
    return new Reconciler({
      connectionId: this.id,
      journal,
      client: this.client,
      limiter: this.#limiter,
      clock,
      timers,
      sendTimeoutMs: TIMEOUTS.order,
      position: (symbolId) => this.position(symbolId),
      orderTime: (orderId) => this.#orderTime(orderId),
      changed: intentChanged,
      unwritten: () =>
        notice(
          'A check of an unknown outcome could not be saved to the journal.',
          'Free up disk space. Ballast checks again automatically.',
        ),
    });
  }

  #orderTime(orderId: string): number | null {
    return (
      this.feeds.get('history').value?.find((one) => one.id === orderId)?.orderTime ??
      this.feeds.get('openOrders').value?.find((one) => one.orderId === orderId)?.ctime ??
      null
    );
  }

  #pause(): Pause {
    return pauseOf(this.#limit.until(this.#services.clock.now()));
  }

  #addDrift(drift: Drift): void {
    if (this.#summary.kind === 'practice' && isPracticeValue(drift)) return;
    const key = JSON.stringify(drift);
    if (this.#drift.has(key) || this.#drift.size >= MAX_DRIFT) return;
    this.#drift.set(key, drift);
    this.#services.push('drift', [...this.#drift.values()]);
  }

  #pushFeed(name: FeedName): void {
    this.#services.push('feed', { connectionId: this.id, name, feed: this.feeds.get(name) });
  }

  #feedChanged(name: FeedName): void {
    const { push, verified, feedRead, isWindowHidden } = this.#services;
    if (!isWindowHidden()) this.#pushFeed(name);
    feedRead();
    const offsetMs = this.client.clockOffsetMs();
    if (offsetMs !== null && offsetMs !== this.#lastOffset) {
      this.#lastOffset = offsetMs;
      push('clock', { connectionId: this.id, offsetMs });
    }
    if (name === 'account' && this.feeds.get('account').failure === null) verified(this);
    if (name === 'account' || name === 'openOrders') this.#followChanges(name);
    if (this.#account.uid === null) this.#findUser();
    if (name === 'account') {
      this.#firstRead.resolve(undefined);
      if (this.#isOwnerUnknown) void this.#startHistory();
    }
    if (this.#ownHistory !== null) this.#store(this.#ownHistory, name);
  }

  /** Polls history and trades after a change in positions or open orders, where fills show first. */
  #followChanges(name: 'account' | 'openOrders'): void {
    const rows =
      name === 'account'
        ? this.feeds.get(name).value?.positions.map((one) => [one.positionId, one.quantity, one.side])
        : this.feeds.get(name).value?.map((one) => [one.orderId, one.tradeQuantity]);
    if (rows === undefined) return;
    const before = this.#seen[name];
    const next = JSON.stringify(rows);
    this.#seen[name] = next;
    if (next === before || before === null) return;
    this.feeds.refresh('history');
    this.#ownHistory?.sync.syncTail();
  }

  /** Takes the user id from a record, by which the journal may have orders under another key. */
  #findUser(): void {
    const uid = this.feeds.userId();
    if (uid === null) return;
    this.#account = { ...this.#account, uid };
    this.#assignOrders();
    this.reconciler.start();
    if (this.#ownHistory !== null) void this.#belongsHere(this.#ownHistory);
  }

  /** Assigns the journal's orders of this account to the connection. */
  #assignOrders(): void {
    const { journal, connectionIds, push } = this.#services;
    const { id, kind } = this.#summary;
    if (journal.follow({ id, kind, account: this.#account }, (one) => connectionIds().includes(one)))
      push('journal', { connectionId: id });
  }

  async #openHistory(): Promise<Result<TradeHistory>> {
    const { notice, clock, timers, push } = this.#services;
    const { id, kind, settings } = this.#summary;
    const opened = await this.#openArchive();
    if (!opened.ok) {
      notice(opened.failure.message, opened.failure.next);
      return opened;
    }
    const archive = opened.data;
    if (archive.movedAside !== null)
      notice(archive.movedAside, 'Ballast is downloading a new one from the exchange.', true);
    const sync = new ArchiveSync({
      connectionId: id,
      client: this.client,
      archive,
      limiter: this.#limiter,
      listed: () => (this.feeds.get('contracts').value ?? []).map((one) => one.symbolId),
      onVerified: (verifiedTo) => void archive.classifyMoves(verifiedTo),
      onStatus: (status) => push('sync', status),
      clock,
      timers,
      restMs: kind === 'practice' ? 0 : LIVE_REST_MS,
      ...(settings.pageSize === undefined ? {} : { pageSize: settings.pageSize }),
    });
    await sync.load();
    return done({ archive, sync, recorder: new EquityRecorder(archive) });
  }

  /** Opens the archive. Its folder may be missing or not writable. */
  async #openArchive(): Promise<Result<Archive>> {
    try {
      return await this.#services.openArchive(this.#summary);
    } catch {
      return failed({
        kind: 'file',
        message: 'The archive of this connection could not be opened.',
        next: 'Make sure the profile folder is writable, then restart Ballast.',
      });
    }
  }

  /** Starts storing and syncing. The connection may be closed during each wait. */
  async #startHistory(): Promise<void> {
    this.#isOwnerUnknown = false;
    const opened = await this.history;
    if (!opened.ok) return;
    // Nothing is stored before the first records identify the account.
    await this.#firstRead.promise;
    if (this.#isClosed || !(await this.#belongsHere(opened.data)) || this.#closedMeanwhile()) return;
    this.#ownHistory = opened.data;
    // Stores what was read while the archive opened.
    for (const name of ['account', 'history'] as const) this.#store(opened.data, name);
    this.startSync();
  }

  /** A method, because the type checker would narrow the field across an await. */
  #closedMeanwhile(): boolean {
    return this.#isClosed;
  }

  /** Checks that the archive belongs to this account, as far as records have shown it; if not, it is not written to. */
  async #belongsHere({ archive, sync }: TradeHistory): Promise<boolean> {
    if (this.#account.uid === null || this.#summary.kind === 'practice') return true;
    const is = await archive.bindUser(this.#account.uid);
    if (is.ok && is.data === 'same') return true;
    this.#ownHistory = null;
    this.#isOwnerUnknown = !is.ok;
    sync.pause();
    if (is.ok && !this.#isClosed) this.#services.otherAccount(this);
    return false;
  }

  /** Stores polled values in the archive. */
  #store({ recorder, sync }: TradeHistory, name: FeedName): void {
    const [account, history] = [this.feeds.current('account'), this.feeds.current('history')];
    if (name === 'account' && account !== null)
      recorder.record(account, exchangeTime(this.#services.clock, this.client));
    if (name === 'history' && history !== null) sync.offer(history);
  }
}

function idsOf<T extends { readonly symbolId: string }>(
  records: readonly T[] | null,
  symbolId: string,
  id: (record: T) => string,
): string[] {
  return (records ?? []).filter((one) => one.symbolId === symbolId).map(id);
}
