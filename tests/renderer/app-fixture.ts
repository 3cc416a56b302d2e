/** A window's state over a fake bridge: calls are recorded, replies can be set. */
import type { Calls } from '../../src-renderer/bridge.ts';
import type { CallResult, Events, SessionState } from '../../src-shared/ipc/calls.ts';
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import type { Feed, Feeds } from '../../src-shared/ipc/feeds.ts';
import type { CallName } from '../../src-shared/ipc/names.ts';
import type { IntentRecord, OrderReview } from '../../src-shared/ipc/orders.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import type { AccountInfo } from '../../src-shared/exchange-api/account.ts';
import { account, INVERSE, LINEAR, NOW, openOrder, pastOrder, position } from '../domain/order-samples.ts';
import { AppState } from '../../src-renderer/state/app/app-state.svelte.ts';
import type { TimeSource } from '../../src-renderer/state/runtime/clock.svelte.ts';
import { DeferredState } from '../../src-renderer/state/app/deferred-state.svelte.ts';
import { connectionSettings } from '../session/connection-settings.ts';
import { NO_DAY_LIMITS } from './day-state.ts';
import { feedOf } from '../shared/feed-of.ts';
import { intentRecord } from '../orders/memory-file.ts';

export const SETTINGS: ConnectionSettings = connectionSettings({
  apiKey: 'key',
  triggerTypes: ['LAST_PRICE', 'MARK_PRICE'],
});

export const REVIEW: OrderReview = {
  token: 'token-1',
  expiresAt: NOW + 120_000,
  method: 'POST',
  path: '/ftapi/v1/order',
  body: '{"symbolId":"BTC-USDT-M","side":"BUY","quantity":0.100}',
  heldBy: [],
};

export const record = (changes: Partial<IntentRecord> = {}): IntentRecord =>
  intentRecord({
    orderId: '734829105569911040',
    events: [{ at: NOW, state: 'accepted', text: 'Accepted' }],
    ...changes,
  });

type Answer<K extends CallName> = Result<CallResult<K>> | Promise<Result<CallResult<K>>>;
export type Replies = { [K in CallName]?: () => Answer<K> };

export interface Fixture {
  readonly app: AppState;
  readonly requests: { readonly name: CallName; readonly input: unknown }[];
  readonly replies: Replies;
  readonly push: <K extends keyof Events>(name: K, value: Events[K]) => void;
  /** Moves the clock; nothing else ticks. */
  readonly passes: (ms: number) => void;
  /** Reads the account again. */
  readonly accountIs: (value: AccountInfo) => void;
  readonly count: (name: CallName) => number;
}

export async function fixture(kind: 'live' | 'practice' = 'live', replies: Replies = {}): Promise<Fixture> {
  let now = NOW;
  let serial = 1;
  const feed = <T>(value: T): Feed<T> =>
    feedOf(value, { receivedAt: now, age: 0, latencyMs: 80, serial: serial++ });
  const session: SessionState = {
    connections: [
      { id: 'live-1', kind, settings: SETTINGS, secret: 'stored', verified: true, createdAt: NOW },
    ],
    activeId: 'live-1',
    account: 'the account',
    locked: false,
    unknownElsewhere: [],
    neverUnlocked: false,
    secretUse: 'in-use',
    keychain: { state: 'available', message: '' },
    app: { version: '0.1.0', runtime: 'stand-in', platform: 'linux', sandboxed: true },
  };
  const feeds = (): Feeds => ({
    connectionId: 'live-1',
    account: feed(account([position()])),
    openOrders: feed([openOrder({ reduceOnly: false, side: 'BUY' })]),
    history: feed([HISTORY]),
    contracts: feed([LINEAR, INVERSE]),
    clockOffsetMs: 0,
    pausedUntil: null,
    drift: [],
  });
  const requests: Fixture['requests'][number][] = [];
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const standard: Replies = {
    'session.get': () => done(session),
    'settings.get': () => done(DEFAULT_SETTINGS),
    'feeds.get': () => done(feeds()),
    'feeds.last': () => done(null),
    'day.get': () => done(NO_DAY_LIMITS),
    'journal.list': () => done([]),
    'journal.damage': () => done([]),
    'alerts.list': () => done({ connectionId: 'live-1', records: [], raised: [], unmonitored: [] }),
    'orders.batches': () => done([]),
    'archive.systemCloses': () => done([]),
    'trades.page': () => done({ rows: [], noted: [], count: 0, stored: 0 }),
    'orders.review': () => done(REVIEW),
    'orders.send': () => done(record()),
    'orders.discard': () => done(null),
  };
  const calls: Calls = {
    async call(name, input) {
      requests.push({ name, input });
      const result = replies[name] ?? standard[name];
      if (result === undefined) {
        return { ok: false, failure: { kind: 'bug', message: `no result to ${name}`, next: '' } };
      }
      return result();
    },
    on(name, listener) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all);
      const one = listener as (value: unknown) => void;
      all.add(one);
      return () => all.delete(one);
    },
  };
  const time: TimeSource = {
    now: () => now,
    mono: () => now,
    every: () => () => {},
    after: () => () => {},
    afterFrame: (then) => then(),
    whenShown: (then) => then(),
  };
  const app = new AppState(calls, time, () => Promise.resolve(DeferredState));
  app.attach(new DeferredState(app));
  app.start();
  await settled();
  const push: Fixture['push'] = (name, value) => listeners.get(name)?.forEach((listener) => listener(value));
  return {
    app,
    requests,
    replies,
    push,
    passes(ms) {
      now += ms;
      app.clock.tick();
    },
    accountIs(value) {
      push('feed', { connectionId: 'live-1', name: 'account', feed: feed(value) });
    },
    count: (name) => requests.filter((one) => one.name === name).length,
  };
}

/** Delivers every pending reply. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve();
}

const HISTORY = pastOrder({
  ...{ orderTime: NOW - 60_000, mtime: NOW - 60_000, type: 'LIMIT', timeInForce: 'GTC', price: '95000.0' },
  ...{ locked: '9595', releasedLock: '9595' },
  ...{ positionId: '734829105562840117', id: '734829105569911041', uid: '50391827' },
});
