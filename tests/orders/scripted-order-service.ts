/**
 * An order service over a file in memory and an exchange scripted by the test; records what was on disk at each
 * POST.
 */
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { BatchProgress } from '../../src-shared/ipc/batch.ts';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { IntentRecord, OrderIntent } from '../../src-shared/ipc/orders.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import type { DayUsage } from '../../src-shared/domain/instrument/trading-context.ts';
import type { OrderEndpoint, PostOutcome } from '../../src-main/exchange/outcome.ts';
import { encodeOrder } from '../../src-main/exchange/order-body.ts';
import type { OrderService } from '../../src-main/orders/order-service.ts';
import { LOCKED } from '../../src-main/orders/send/pre-trade-checks.ts';
import { openJournal, type Journal } from '../../src-main/orders/journal/journal.ts';
import { orderFailure } from '../../src-main/orders/send/order-failure.ts';
import { LIMIT, LINEAR } from '../domain/order-samples.ts';
import { memoryFile, type MemoryFile } from './memory-file.ts';
import { orderServiceOf, PRACTICE } from './simple-order-service.ts';
import { dataOf } from '../shared/data-of.ts';
import { feedOf } from '../shared/feed-of.ts';

export const acceptedAs = (data: string | true): PostOutcome => ({ outcome: 'accepted', data });
export const accepted = acceptedAs('734829105569914880');
export const lost: PostOutcome = {
  outcome: 'unknown',
  failure: { kind: 'unknown', message: 'The reply was lost.', next: 'Ballast looks for it.' },
};
export const rejected: PostOutcome = {
  outcome: 'rejected',
  code: '700017',
  failure: { kind: 'rejected', code: '700017', message: 'Balance insufficient', next: 'Lower the quantity.' },
};

export const intent = (
  change: Partial<OrderIntent> = {},
  request: Partial<OrderIntent['request']> = {},
): OrderIntent => ({
  connectionId: 'practice',
  kind: 'order',
  reference: null,
  ...change,
  request: {
    ...LIMIT,
    reduceOnly: false,
    postOnly: false,
    ...request,
  },
});

const HELD: readonly string[] = ['1', '2', '3', '4'];

export interface Fixture {
  readonly orders: OrderService;
  readonly journal: Journal;
  /** What was on disk at each POST. */
  readonly posts: { endpoint: OrderEndpoint; body: string; kind: OrderIntent['kind']; disk: string }[];
  readonly file: MemoryFile;
  answers: (PostOutcome | Promise<PostOutcome>)[];
  locked: boolean;
  /** Why the exchange may not be called now. */
  pause: Failure | null;
  summary: ConnectionSummary;
  now: number;
  /** The user's limits applied to an order, `ahead` of which so many opening ones go. */
  stop: (intent: OrderIntent, ahead: number) => Failure | null;
  /** The daily limits. */
  day: () => DayUsage | null;
  /** Ids of positions, of the four that were held, that were closed by something else. */
  gone: string[];
  /** Whether the connection was closed. */
  closed: boolean;
  account: AccountIdentity;
  encode: (request: OrderIntent['request']) => string;
  /** Reported records. */
  readonly reports: IntentRecord[];
  /** Reported progress of batches. */
  readonly batchReports: BatchProgress[];
}

export async function fixture(text = ''): Promise<Fixture> {
  const file = memoryFile(text);
  const journal = await openJournal(file);
  let ids = 0;
  const self: Omit<Fixture, 'orders'> = {
    journal,
    file,
    posts: [],
    reports: [],
    batchReports: [],
    encode: encodeOrder,
    stop: () => null,
    gone: [],
    closed: false,
    account: { address: 'test', key: 'a', uid: null },
    answers: [],
    locked: false,
    pause: null,
    now: 1_000,
    summary: PRACTICE,
    day: () => null,
  };
  const orders = orderServiceOf({
    journal,
    connection: (id) =>
      id === 'practice' && !self.closed
        ? {
            summary: self.summary,
            send: (endpoint, body, kind) => {
              self.posts.push({ endpoint, body, kind, disk: file.text });
              return Promise.resolve(self.answers.shift() ?? accepted);
            },
            knownOrderIds: () => ['1'],
            clockOffsetMs: () => 250,
            position: () => 'long 1.000',
            mayHold: (positionId) => HELD.includes(positionId) && !self.gone.includes(positionId),
            account: () => self.account,
            pauseFailure: () => self.pause,
            orderFailure: (one, ahead) => brokenRule(one, ahead, self) ?? self.stop(one, ahead),
          }
        : null,
    lockFailure: () => (self.locked ? LOCKED : null),
    encode: (request) => self.encode(request),
    clock: { now: () => self.now, mono: () => self.now },
    newId: () => `id-${++ids}`,
    changed: (record) => self.reports.push(record),
    batchChanged: (progress) => self.batchReports.push(progress),
  });
  return Object.assign(self, { orders });
}

/** Returns the first rule broken where two contracts are listed, a price is known and nothing else was read. */
function brokenRule(
  one: OrderIntent,
  ahead: number,
  { summary, now, day }: Pick<Fixture, 'summary' | 'now' | 'day'>,
): Failure | null {
  const unread = feedOf<never>(null);
  const contracts = feedOf([LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }]);
  const limits = { ...DEFAULT_SETTINGS.limits, priceDeviationPercent: null };
  const reference = one.reference ?? { price: '97000.0', source: 'typed', at: now };
  return orderFailure(
    { ...one, reference },
    {
      summary,
      feeds: { account: unread, openOrders: unread, history: unread, contracts },
      settings: { contracts: {}, limits },
      day: day(),
      now,
    },
    ahead,
  );
}

/** Reviews and returns the token, or throws the failure. */
export const token = (orders: OrderService, one: OrderIntent): string => dataOf(orders.review(one)).token;
