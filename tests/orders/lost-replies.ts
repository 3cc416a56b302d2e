/**
 * Order service, journal and reconciler against the real practice exchange over HTTP, with manual time and scripted
 * faults. Delayed listing of orders is simulated here, by exchange time.
 */
import type { OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import type { BatchIntent, BatchProgress, BatchRecord } from '../../src-shared/ipc/batch.ts';
import type { IntentRecord, OrderIntent } from '../../src-shared/ipc/orders.ts';
import { startPractice } from '../../src-practice/index.ts';
import { createClient, type ExchangeClient, type ReadResult } from '../../src-main/exchange/client.ts';
import { practiceSettings } from '../../src-main/session/stored.ts';
import { RateLimit } from '../../src-main/exchange/rate-limit.ts';
import { RequestLimiter } from '../../src-main/sync/request-limiter.ts';
import type { OrderService } from '../../src-main/orders/order-service.ts';
import { Reconciler } from '../../src-main/orders/reconcile/reconciler.ts';
import { openJournal, type Journal, type JournalFile } from '../../src-main/orders/journal/journal.ts';
import { ManualTime } from '../shared/manual-time.ts';
import { control } from '../practice/controls.ts';
import { memoryFile } from './memory-file.ts';
import { openConnection, orderServiceOf, PRACTICE } from './simple-order-service.ts';
import { dataOf } from '../shared/data-of.ts';

/** Where the practice exchange's manual clock starts (src-practice/start.ts). */
const START = 1_795_392_000_000;
/** Real timeout of a reply; in exchange time it is the app's own. */
const REAL_TIMEOUT_MS = 150;
const ANSWER_WITHIN_MS = 15_000;

const ACCOUNT = { address: 'test', key: '', uid: null };

export interface Fault {
  readonly action: string;
  readonly accept?: boolean;
  readonly [option: string]: string | number | boolean | undefined;
}

export interface Fixture {
  readonly time: ManualTime;
  readonly client: ExchangeClient;
  /** Another client of the account: reads without delay and places foreign orders. */
  readonly observer: ExchangeClient;
  /** The app's reads; manual time waits for them. */
  readonly lists: Pick<ExchangeClient, 'openOrders' | 'orderHistory' | 'trades' | 'clockOffsetMs'>;
  readonly journal: Journal;
  readonly orders: OrderService;
  readonly reconciler: Reconciler;
  readonly control: (method: string, path: string, input?: unknown) => Promise<Record<string, unknown>>;
  /** Reviews, confirms and sends, with a fault of the exchange. */
  readonly send: (request: OrderRequest, fault: Fault | null) => Promise<IntentRecord>;
  /** The same for a batch; resolves when it has ended. Faults choose their call by `nth`. */
  readonly sendBatch: (batch: BatchIntent, faults: readonly Fault[]) => Promise<BatchRecord>;
  /** Returns the ids of the account's orders created since, also unlisted ones, oldest first. */
  readonly trueIds: (symbolId: string, since: number) => Promise<string[]>;
  /** Exchange time from which an order is listed. */
  readonly showFrom: Map<string, number>;
  readonly poll: (symbolId: string) => Promise<void>;
  readonly posts: () => number;
  /** Opens the journal's file as a restarted app does. */
  readonly restart: (text: string, connectionId?: string) => Promise<Pick<Fixture, 'journal' | 'reconciler'>>;
  readonly stop: () => Promise<void>;
}

export interface FixtureOptions {
  readonly seed?: number;
  readonly file?: JournalFile;
  /** This computer's clock − the exchange's, ms. */
  readonly clockAheadMs?: number;
  /** The `Date` header − the exchange's clock, ms. */
  readonly headerAheadMs?: number;
  /** Delay between an order's creation and its listing, ms. */
  readonly visibleAfter?: (orderId: string) => number;
}

/** Returns random delays of up to 120 s for `visibleAfter`, the same for an order each time. */
export function listingDelays(random: () => number): (orderId: string) => number {
  const delays = new Map<string, number>();
  return (orderId) => {
    const delay = delays.get(orderId) ?? Math.floor(random() * 120_000);
    delays.set(orderId, delay);
    return delay;
  };
}

export async function startFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { clockAheadMs = 0, headerAheadMs = 0, visibleAfter = () => 0, file = memoryFile() } = options;
  const practice = await startPractice({
    port: 0,
    seed: options.seed ?? 7,
    speed: 0,
    history: 20,
    start: START,
  });
  let inFlight = 0;
  const time = new ManualTime(
    START + clockAheadMs,
    async (advanceMs) => void (await control(practice, 'POST', '/clock', { advanceMs })),
    () => inFlight > 0,
  );
  const exchangeNow = (): number => time.now() - clockAheadMs;

  const limit = new RateLimit();
  const asked = {
    baseUrl: practice.url,
    credentials: practice.credentials,
    signing: 'practice',
    clock: time,
  } as const;
  const client = createClient({ ...asked, limit, timeouts: { order: REAL_TIMEOUT_MS } });
  const observer = createClient(asked);
  const headerOffset = (): number | null => {
    const offset = client.clockOffsetMs();
    return offset === null ? null : offset + headerAheadMs;
  };
  /** Waits for the end of a rate limit. */
  const free = async (): Promise<void> => {
    const until = limit.until(time.now());
    if (until > 0) await time.passUntil(until);
  };
  const showFrom = new Map<string, number>();
  const shows = (orderId: string, createdAt: number): boolean => {
    const from = showFrom.get(orderId) ?? createdAt + visibleAfter(orderId);
    showFrom.set(orderId, from);
    return from <= exchangeNow();
  };
  async function counted<T>(read: () => Promise<ReadResult<T>>): Promise<ReadResult<T>> {
    inFlight++;
    try {
      return await read();
    } finally {
      inFlight--;
    }
  }
  const only = <T>(result: ReadResult<readonly T[]>, keep: (one: T) => boolean): ReadResult<readonly T[]> =>
    result.ok ? { ...result, data: result.data.filter(keep) } : result;
  const lists = {
    openOrders: async (query: Parameters<ExchangeClient['openOrders']>[0]) =>
      only(await counted(() => client.openOrders(query)), (one) => shows(one.orderId, one.ctime ?? 0)),
    orderHistory: async (query: Parameters<ExchangeClient['orderHistory']>[0]) =>
      only(await counted(() => client.orderHistory(query)), (one) => shows(one.id, one.orderTime)),
    trades: (query: Parameters<ExchangeClient['trades']>[0]) => counted(() => client.trades(query)),
    clockOffsetMs: headerOffset,
  };

  const journal = await openJournal(file);
  const known = new Map<string, Set<string>>();
  const orderTimes = new Map<string, number>();
  let ids = 0;
  let posts = 0;
  let batchEnded: (progress: BatchProgress) => void = () => undefined;
  const createFor = (into: Journal, connectionId = 'practice'): Reconciler =>
    new Reconciler({
      connectionId,
      journal: into,
      client: lists,
      limiter: new RequestLimiter(limit, time),
      clock: time,
      timers: time,
      sendTimeoutMs: ANSWER_WITHIN_MS,
      position: () => null,
      orderTime: (orderId) => orderTimes.get(orderId) ?? null,
      changed: () => undefined,
      unwritten: () => undefined,
    });
  const reconciler = createFor(journal);
  const connection = openConnection({
    summary: { ...PRACTICE, settings: practiceSettings(practice.url, practice.credentials.key) },
    async send(endpoint, body, kind) {
      const outcome = await client.send(endpoint, body, kind);
      // Not sent if a rate limit began after the pre-trade checks.
      if (outcome.outcome !== 'not-sent' || outcome.failure.kind !== 'limited') posts++;
      return outcome;
    },
    knownOrderIds: (symbolId) => [...(known.get(symbolId) ?? [])],
    clockOffsetMs: headerOffset,
    pauseFailure: () => limit.sendFailure(time.now()),
  });
  const orders = orderServiceOf({
    journal,
    connection: () => connection,
    clock: time,
    newId: () => `intent-${String(++ids)}`,
    changed(record) {
      if (record.state === 'unknown') reconciler.reconcile(record.symbolId);
    },
    batchChanged: (progress) => batchEnded(progress),
  });
  // A minute away from the account's first orders; then the first reply sets the clock offset.
  await time.passUntil(time.now() + 60_000);
  await client.account();

  return {
    time,
    client,
    observer,
    lists,
    journal,
    orders,
    reconciler,
    control: async (method, path, input) =>
      JSON.parse(await control(practice, method, path, input)) as Record<string, unknown>,
    showFrom,
    posts: () => posts,
    async restart(text, connectionId = 'practice') {
      const kept = await openJournal(memoryFile(text));
      kept.follow({ id: connectionId, kind: 'practice', account: ACCOUNT }, () => true);
      return { journal: kept, reconciler: createFor(kept, connectionId) };
    },
    async poll(symbolId) {
      await free();
      const open = await lists.openOrders({ symbolId });
      const past = await lists.orderHistory({ symbolId, startTime: exchangeNow() - 600_000 });
      if (!open.ok || !past.ok) throw new Error('a poll failed');
      for (const one of open.data) if (one.ctime !== null) orderTimes.set(one.orderId, one.ctime);
      for (const one of past.data) orderTimes.set(one.id, one.orderTime);
      known.set(
        symbolId,
        new Set([...open.data.map((one) => one.orderId), ...past.data.map((one) => one.id)]),
      );
    },
    async trueIds(symbolId, since) {
      const result = dataOf(await observer.orderHistory({ symbolId, startTime: since }));
      return result
        .filter((one) => one.source === 0)
        .map((one) => one.id)
        .sort();
    },
    async send(request, fault) {
      await free();
      if (fault !== null) await control(practice, 'POST', '/faults', { endpoint: 'order', ...fault });
      const intent: OrderIntent = { connectionId: 'practice', kind: 'order', request, reference: null };
      const review = dataOf(orders.review(intent));
      const sent = await orders.send(review.token, request.symbolId);
      await control(practice, 'DELETE', '/faults');
      if (!sent.ok) throw new Error(sent.failure.message);
      return sent.data;
    },
    async sendBatch(batch, faults) {
      await free();
      const endpoint = batch.callSize === 1 ? 'order' : 'batchOrders';
      for (const fault of faults) await control(practice, 'POST', '/faults', { endpoint, ...fault });
      const review = await orders.batches.review(batch);
      if (!review.ok) throw new Error(review.failure.message);
      if (!('review' in review.data)) throw new Error(review.data.faults[0]?.failure.message);
      const ended = new Promise<void>((resolve) => {
        batchEnded = ({ state }) => {
          if (state !== 'sending') resolve();
        };
      });
      const symbols = batch.rows.map((one) => one.request.symbolId);
      const started = dataOf(await orders.batches.send(review.data.review.token, symbols));
      await ended;
      await control(practice, 'DELETE', '/faults');
      const sent = orders.batches.list('practice').find((one) => one.progress.id === started.id);
      if (sent === undefined) throw new Error('the batch is not in the journal');
      return sent;
    },
    async stop() {
      await reconciler.stop();
      await client.close();
      await observer.close();
      await practice.stop();
    },
  };
}
