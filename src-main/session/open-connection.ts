/**
 * Runs the connection in use: client, polling, archive and sync. Created when it is opened and torn down completely
 * when another one is.
 */
import type { ConnectionSummary, SecretInput } from '../../src-shared/ipc/connections.ts';
import { pauseOf, type FeedName, type Feeds, type Pause } from '../../src-shared/ipc/feeds.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { type AccountIdentity, uidOf } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { Drift } from '../../src-shared/exchange-api/replies.ts';
import type { MonotonicClock, Timers } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import type { ExchangeClient } from '../exchange/client.ts';
import { serializeReads } from '../exchange/serial-reads.ts';
import type { Reconciler, ReconcilerPorts } from '../orders/reconcile/reconciler.ts';
import { FeedSet } from '../sync/feeds.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';
import { createRequestLimiter, type RequestLimiter } from '../sync/request-limiter.ts';
import type { ArchiveSync, ArchiveSyncPorts } from '../sync/archive-sync.ts';
import { createEquityRecorder, type EquityRecorder } from '../sync/equity-recorder.ts';

export interface ConnectionPorts {
  readonly client: (
    summary: ConnectionSummary,
    secret: SecretInput | null,
    onDrift: (drift: Drift) => void,
  ) => ExchangeClient;
  readonly limitOf: (baseUrl: string) => RateLimit;
  readonly accountOf: (summary: ConnectionSummary) => AccountIdentity;
  /** Called when the archive turns out to belong to another account. */
  readonly otherAccount: (summary: ConnectionSummary) => void;
  /** Assigns the journal's orders of this account to the connection. */
  readonly follow: (summary: ConnectionSummary, account: AccountIdentity) => void;
  readonly archive: (summary: ConnectionSummary) => Promise<Result<Archive>>;
  readonly archiveSync: (
    deps: Pick<ArchiveSyncPorts, 'client' | 'archive' | 'limiter' | 'listed' | 'onVerified'>,
    summary: ConnectionSummary,
  ) => ArchiveSync;
  readonly reconciler: (
    deps: Pick<ReconcilerPorts, 'client' | 'limiter' | 'position' | 'orderTime'>,
    summary: ConnectionSummary,
  ) => Reconciler;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly feedChanged: <K extends FeedName>(id: string, name: K, feeds: FeedSet) => void;
  readonly pauseChanged: (id: string, until: Pause) => void;
  readonly clockChanged: (id: string, offsetMs: number) => void;
  readonly driftChanged: (drift: readonly Drift[]) => void;
  /** Called when a signed read succeeded. */
  readonly proven: (id: string) => void;
  readonly notice: (message: string, next: string) => void;
}

export interface TradeHistory {
  readonly archive: Archive;
  readonly sync: ArchiveSync;
  readonly recorder: EquityRecorder;
}

export interface LiveConnection {
  readonly id: string;
  readonly client: ExchangeClient;
  /**
   * Resolves once the archive is open; account data does not wait for it. A failure leaves the connection trading
   * without an archive.
   */
  readonly history: Promise<Result<TradeHistory>>;
  readonly feeds: FeedSet;
  /** Reconciles unknown outcomes while the connection is open. */
  readonly reconciler: Reconciler;
  snapshot(): Feeds;
  /** Returns the ids of a symbol's orders in the newest open orders and history. */
  knownOrderIds(symbolId: string): readonly string[];
  /** Returns the symbol's position as last read, as text; null if unknown. */
  position(symbolId: string): string | null;
  /** Returns the account's identity, with the user id once a record contained one. */
  account(): AccountIdentity;
  /** Returns why no request may be sent now, with the time left, or null. */
  paused(): Failure | null;
  /** Polls without waiting for the interval: the account may have changed. */
  touched(): void;
  /** Polls at the user's request, ignoring the backoff. */
  retry(name: FeedName): void;
  /** Unloads the secret for good: reading and reconciliation stop, while values and archive stay available. */
  unload(): Promise<void>;
  isUnloaded(): boolean;
  close(): Promise<void>;
}

const UNLOADED: Failure = {
  kind: 'locked',
  message: 'Locked. No data is being read.',
  next: 'Unlock trading to continue.',
};

const MAX_DRIFT = 200;
/** Values the practice exchange chose for undocumented enums; they are not reported as drift. */
const OF_PRACTICE = ['trade liquidity MAKER', 'order history cancelReason 0'];
const isOfPractice = ({ record, field, value }: Drift): boolean =>
  OF_PRACTICE.includes(`${record} ${field} ${value ?? ''}`);

/** Factor of the polling interval at the gentle rate. */
const GENTLE = 3;

export function openConnection(
  summary: ConnectionSummary,
  secret: SecretInput | null,
  ports: ConnectionPorts,
): LiveConnection {
  const { id } = summary;
  const drift = new Map<string, Drift>();
  const exchange = ports.client(summary, secret, (one) => {
    if (summary.kind === 'practice' && isOfPractice(one)) return;
    const key = JSON.stringify(one);
    if (drift.has(key) || drift.size >= MAX_DRIFT) return;
    drift.set(key, one);
    ports.driftChanged([...drift.values()]);
  });
  const client = serializeReads(exchange);
  const limit = ports.limitOf(summary.settings.baseUrl);
  const limiter = createRequestLimiter(limit, () => ports.clock.mono());
  const pause = (): Pause => pauseOf(limit.until(ports.clock.now()));
  const unwatch = limit.onChange(() => ports.pauseChanged(id, pause()));
  const contracts = (): readonly string[] => (feeds.get('contracts').value ?? []).map((one) => one.symbolId);
  let tradeHistory: TradeHistory | null = null;
  const history = openHistory(client, limiter, summary, contracts, ports);
  const syncTail = (): void => tradeHistory?.sync.syncTail();
  let lastOffset: number | null = null;
  let closed = false;
  let unloaded = false;
  /** Checked after each await, during which the connection may have been closed. */
  const isClosed = (): boolean => closed;
  const activity = { account: '', openOrders: '' };
  /** Resolves after the first account read, successful or not. */
  const firstRead = Promise.withResolvers<undefined>();
  let account = ports.accountOf(summary);
  ports.follow(summary, account);

  const feeds = new FeedSet({
    connectionId: id,
    intervalFactor: summary.settings.pace === 'gentle' ? GENTLE : 1,
    reads: {
      account: () => client.account(),
      openOrders: () => client.openOrders({}),
      history: () => client.orderHistory({}),
      contracts: () => client.symbolConfig(),
    },
    limiter,
    clock: ports.clock,
    timers: ports.timers,
    changed(name) {
      ports.feedChanged(id, name, feeds);
      const offset = client.clockOffsetMs();
      if (offset !== null && offset !== lastOffset) {
        lastOffset = offset;
        ports.clockChanged(id, offset);
      }
      if (name === 'account' && feeds.get('account').failure === null) ports.proven(id);
      if (name === 'account' || name === 'openOrders') followChanges(name);
      if (account.uid === null) learnUser();
      if (name === 'account') firstRead.resolve(undefined);
      if (tradeHistory !== null) keep(tradeHistory, name);
    },
  });

  /** Learns the user id from a record: the journal may have its orders under another key. */
  function learnUser(): void {
    const uid = uidOf([
      ...(feeds.get('account').value?.positions ?? []),
      ...(feeds.get('openOrders').value ?? []),
      ...(feeds.get('history').value ?? []),
    ]);
    if (uid === null) return;
    account = { ...account, uid };
    ports.follow(summary, account);
    reconciler.start();
    if (tradeHistory !== null) void recognised(tradeHistory);
  }

  /** Checks that the archive belongs to this account, as far as records have shown it. */
  async function recognised({ archive, sync }: TradeHistory): Promise<boolean> {
    if (account.uid === null || summary.kind === 'practice') return true;
    const is = await archive.bindUser(account.uid);
    if (!is.ok || is.data === 'same' || isClosed()) return true;
    sync.pause();
    ports.otherAccount(summary);
    return false;
  }

  /** Stores polled values in the archive. */
  function keep({ recorder, sync }: TradeHistory, name: FeedName): void {
    const { value, failure } = feeds.get(name);
    if (value === null || failure !== null) return;
    if (name === 'account') {
      const account = feeds.get('account').value;
      if (account !== null) recorder.record(account, ports.clock.now() + (client.clockOffsetMs() ?? 0));
    } else if (name === 'history') sync.offer(feeds.get('history').value ?? []);
  }

  /** Polls history and trades after a change in positions or open orders, where fills show first. */
  function followChanges(name: 'account' | 'openOrders'): void {
    const seen =
      name === 'account'
        ? feeds.get(name).value?.positions.map((one) => [one.positionId, one.quantity, one.side])
        : feeds.get(name).value?.map((one) => [one.orderId, one.tradeQuantity]);
    if (seen === undefined) return;
    const before = activity[name];
    const next = JSON.stringify(seen);
    activity[name] = next;
    if (next === before || before === '') return;
    feeds.refresh('history');
    syncTail();
  }

  const position = (symbolId: string): string | null => {
    const { value, failure } = feeds.get('account');
    // A failed read does not mean flat.
    if (value === null || failure !== null) return null;
    const own = value.positions.filter((one) => one.symbolId === symbolId);
    return own.map((one) => `${one.side === 'BUY' ? 'long' : 'short'} ${one.quantity}`).join(', ') || 'flat';
  };
  const orderTime = (orderId: string): number | null =>
    feeds.get('history').value?.find((one) => one.id === orderId)?.orderTime ??
    feeds.get('openOrders').value?.find((one) => one.orderId === orderId)?.ctime ??
    null;
  const reconciler = ports.reconciler({ client, limiter, position, orderTime }, summary);

  feeds.start();
  reconciler.start();
  void history.then(async (opened) => {
    if (!opened.ok) return;
    // Nothing is stored before the first records identify the account.
    await firstRead.promise;
    if (isClosed() || !(await recognised(opened.data)) || isClosed()) return;
    tradeHistory = opened.data;
    // Stores what was read while the archive opened.
    for (const name of ['account', 'history'] as const) keep(tradeHistory, name);
    if (!unloaded) tradeHistory.sync.start();
  });

  return {
    id,
    client,
    history,
    feeds,
    reconciler,
    snapshot: () => ({
      connectionId: id,
      ...feeds.all(),
      clockOffsetMs: client.clockOffsetMs(),
      pausedUntil: pause(),
      drift: [...drift.values()],
    }),
    knownOrderIds: (symbolId) => [
      ...new Set([
        ...idsOf(feeds.get('openOrders').value, symbolId, (one) => one.orderId),
        ...idsOf(feeds.get('history').value, symbolId, (one) => one.id),
      ]),
    ],
    position,
    account: () => account,
    paused: () => limit.failure(ports.clock.now()),
    touched() {
      for (const name of ['openOrders', 'account', 'history'] as const) feeds.refresh(name);
      syncTail();
    },
    retry(name) {
      limiter.resume();
      feeds.refresh(name);
    },
    async unload() {
      unloaded = true;
      feeds.stop(UNLOADED);
      tradeHistory?.sync.pause();
      const stopped = reconciler.stop();
      await client.close(UNLOADED);
      await stopped;
    },
    isUnloaded: () => unloaded,
    async close() {
      closed = true;
      unwatch();
      feeds.stop();
      const stopped = reconciler.stop();
      const opened = await history;
      if (opened.ok) {
        await Promise.all([opened.data.sync.stop(), opened.data.recorder.stop()]);
        await opened.data.archive.close();
      }
      await client.close();
      await stopped;
    },
  };
}

async function openHistory(
  client: ExchangeClient,
  limiter: RequestLimiter,
  summary: ConnectionSummary,
  listed: () => readonly string[],
  ports: ConnectionPorts,
): Promise<Result<TradeHistory>> {
  const opened = await openArchive(summary, ports);
  if (!opened.ok) {
    ports.notice(opened.failure.message, opened.failure.next);
    return opened;
  }
  const archive = opened.data;
  if (archive.movedAside !== null)
    ports.notice(archive.movedAside.message, 'Ballast is downloading a new one from the exchange.');
  const onVerified = (verifiedTo: number): void => void archive.classifyMoves(verifiedTo);
  return done({
    archive,
    sync: ports.archiveSync({ client, archive, limiter, listed, onVerified }, summary),
    recorder: createEquityRecorder(archive),
  });
}

/** Opens the archive. Its folder may be missing or not writable. */
async function openArchive(summary: ConnectionSummary, ports: ConnectionPorts): Promise<Result<Archive>> {
  try {
    return await ports.archive(summary);
  } catch {
    return failed({
      kind: 'file',
      message: 'The archive of this connection could not be opened.',
      next: 'Make sure the profile folder is writable, then restart Ballast.',
    });
  }
}

function idsOf<T extends { readonly symbolId: string }>(
  records: readonly T[] | null,
  symbolId: string,
  id: (record: T) => string,
): string[] {
  return (records ?? []).filter((one) => one.symbolId === symbolId).map(id);
}
