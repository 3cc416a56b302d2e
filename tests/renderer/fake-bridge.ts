/** A fake bridge and a manual clock for tests of state and components. */
import type { Calls } from '../../src-renderer/bridge.ts';
import type { Events, SessionState } from '../../src-shared/ipc/calls.ts';
import { EMPTY_FEED, type Feed, type Feeds } from '../../src-shared/ipc/feeds.ts';
import { DEFAULT_SETTINGS } from '../../src-shared/ipc/default-settings.ts';
import type { ConnectionSummary } from '../../src-shared/ipc/connections.ts';
import type { CallName, EventName } from '../../src-shared/ipc/names.ts';
import { connectionSummary } from '../session/connection-settings.ts';
import type { TimeSource } from '../../src-renderer/state/runtime/clock.svelte.ts';
import { NO_DAY_LIMITS } from './day-state.ts';
import { feedOf } from '../shared/feed-of.ts';

export class FakeTime implements TimeSource {
  #now = 1_795_252_444_000;
  readonly #timers = new Set<{ at: number; every: number | null; run: () => void }>();

  /** How far the wall clock was set, ms. */
  set = 0;

  now(): number {
    return this.#now + this.set;
  }
  mono(): number {
    return this.#now;
  }
  every(ms: number, tick: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: ms, run: tick });
  }
  after(ms: number, then: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: null, run: then });
  }
  /** Runs at once: a test has no frames. */
  afterFrame(then: () => void): void {
    then();
  }
  whenShown(then: () => void): void {
    then();
  }
  /** Runs due timers, in order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter((one) => one.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#now = due.at;
      if (due.every === null) this.#timers.delete(due);
      else due.at += due.every;
      due.run();
    }
    this.#now = end;
  }
  #add(timer: { at: number; every: number | null; run: () => void }): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}

export const connection = (id: string, more: Partial<ConnectionSummary> = {}): ConnectionSummary =>
  connectionSummary(id, { name: id, baseUrl: 'http://127.0.0.1:1', apiKey: 'key' }, more);

export const session = (more: Partial<SessionState> = {}): SessionState => ({
  connections: [connection('practice'), connection('meridian')],
  activeId: 'practice',
  account: null,
  locked: false,
  unknownElsewhere: [],
  neverUnlocked: false,
  secretUse: 'in-use',
  keychain: { state: 'available', message: '' },
  app: { version: '0', runtime: 'stand-in', platform: 'linux', sandboxed: true },
  ...more,
});

export const feed = <T>(value: T, serial: number, more: Partial<Feed<T>> = {}): Feed<T> =>
  feedOf(value, { receivedAt: 1_795_252_444_000, age: 0, serial, ...more });
export const noFeeds = (connectionId: string): Feeds => ({
  connectionId,
  account: EMPTY_FEED,
  openOrders: EMPTY_FEED,
  history: EMPTY_FEED,
  contracts: EMPTY_FEED,
  clockOffsetMs: null,
  pausedUntil: null,
  drift: [],
});

type Answer = (input: unknown) => unknown;

/** Replies by name; a call without a reply fails. Events are pushed by `emit`. */
export class FakeBridge implements Calls {
  readonly requests: { readonly name: CallName; readonly input: unknown }[] = [];
  replies: Partial<Record<CallName, Answer>> = {};
  #settings = DEFAULT_SETTINGS;
  readonly #listeners = new Map<EventName, Set<(value: never) => void>>();

  call: Calls['call'] = async (name, input) => {
    this.requests.push({ name, input });
    const defaults: Partial<Record<CallName, Answer>> = {
      'session.get': () => session(),
      'settings.get': () => this.#settings,
      'settings.set': (part) => (this.#settings = { ...this.#settings, ...(part as object) }),
      'feeds.get': () => noFeeds('practice'),
      'day.get': () => NO_DAY_LIMITS,
      'journal.list': () => [],
      'journal.damage': () => [],
      'alerts.list': () => ({ connectionId: 'practice', records: [], raised: [], unmonitored: [] }),
      'orders.batches': () => [],
      'archive.systemCloses': () => [],
    };
    const result = this.replies[name] ?? defaults[name];
    if (result === undefined) {
      return { ok: false, failure: { kind: 'bug', message: `no result given for ${name}`, next: '' } };
    }
    const data: unknown = await result(input);
    // A fake returns the test's value; types are checked on the real bridge.
    return { ok: true, data } as never;
  };
  on: Calls['on'] = (name, listener) => {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return () => set.delete(listener);
  };
  emit<K extends EventName>(name: K, value: Events[K]): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(value as never);
  }
}
