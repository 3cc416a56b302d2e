/** A session with the test's keychain, exchange and disk. */
import type { SessionState, TradingLock } from '../../src-shared/ipc/calls.ts';
import type {
  ConnectionSettings,
  SecretInput,
  SecretState,
  TestStep,
} from '../../src-shared/ipc/connections.ts';
import { blocked, done, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { accountOf } from '../../src-main/session/account.ts';
import { connectionSettings } from './connection-settings.ts';
import type { FollowedConnection } from '../../src-main/orders/journal/journal.ts';
import { Session } from '../../src-main/session/session.ts';
import type { SecretStore } from '../../src-main/session/session-types.ts';
import { FIRST_SESSION, type RemovedConnection, type StoredSession } from '../../src-main/session/stored.ts';
import { dataOf } from '../shared/data-of.ts';

export const settings = (name: string, change: Partial<ConnectionSettings> = {}): ConnectionSettings =>
  connectionSettings({ name, ...change });
export const secret: SecretInput = { secret: 'canary-secret-value', headers: {} };
/** One that no keychain can store. */
export const TOO_LONG: SecretInput = { secret: 'too long', headers: {} };
/** The vault's message for a connection without a secret. */
export const NO_SECRET = 'This connection has no secret yet.';
export const passed: TestStep = { name: 'account', title: '', state: 'passed', detail: '', note: '' };

/** `write` stores the list of connections elsewhere; `secrets` replaces a vault that returns what it was given. */
export function fixture(
  stored: StoredSession = FIRST_SESSION,
  own: { readonly secrets?: SecretStore; readonly write?: (value: StoredSession) => Promise<void> } = {},
) {
  const kept = new Map<string, SecretInput>();
  const opened: { id: string; secret: string | null }[] = [];
  /** The base URL and the secret of each request's client. */
  const used: (readonly [baseUrl: string, secret: string])[] = [];
  const closed: string[] = [];
  /** Why the connection last opened does not read. */
  const stopped: Failure[] = [];
  const released: string[] = [];
  const deleted: RemovedConnection[] = [];
  let deleting: Result<null> = done(null);
  const assigned: Pick<FollowedConnection, 'id' | 'account'>[] = [];
  let written: SecretState = 'stored';
  /** Whether the keychain process goes on while nothing needs it. */
  const process = { isKept: true };
  /** Orders in flight or unknown, by connection. */
  const unsettled = new Map<string, number>();
  const start: { lock: TradingLock } = { lock: 'off' };
  const disk = { value: stored, isFull: false, isUnreadable: false };
  const practice = { starts: true };
  const announced: SessionState[] = [];
  const notices: string[] = [];
  let steps: TestStep[] = [passed];
  let refuseForget: Result<null> = done(null);
  const secrets: SecretStore = own.secrets ?? {
    read: async (id) => {
      await held.until;
      const found = kept.get(id) ?? null;
      const state: SecretState = found === null ? 'missing' : written;
      return { state, secret: found, message: found === null ? NO_SECRET : '' };
    },
    write: async (id, next) => {
      await held.until;
      if (next.secret === TOO_LONG.secret) return blocked('Too long.', 'Shorten it.', 'secret');
      kept.set(id, next);
      return done(written);
    },
    forget: async (id) => {
      await held.until;
      if (refuseForget.ok) kept.delete(id);
      return refuseForget;
    },
    withhold: () => Promise.resolve(() => Promise.resolve()),
    keepProcess: (keep) => void (process.isKept = keep),
    state: () => ({ state: 'available', message: '' }),
  };
  /**
   * The keychain waits for `until` before it replies, a closing connection for `close`, a test for `test`, and a change on
   * disk for `write`.
   */
  const held: Record<'until' | 'close' | 'test' | 'write', Promise<void>> = {
    until: Promise.resolve(),
    write: Promise.resolve(),
    close: Promise.resolve(),
    test: Promise.resolve(),
  };
  const timers = new Set<() => void>();
  let ids = 0;
  const session = new Session({
    file: {
      read: () => (disk.isUnreadable ? Promise.reject(new Error('EACCES')) : Promise.resolve(disk.value)),
      write: (value) => {
        if (own.write !== undefined) return own.write(value);
        if (disk.isFull || disk.isUnreadable) return Promise.reject(new Error('ENOSPC'));
        disk.value = value;
        return held.write;
      },
    },
    secrets,
    mayOpen: () => Promise.resolve(),
    release(id) {
      released.push(id);
      return Promise.resolve();
    },
    deleteData(one) {
      deleted.push(one);
      return Promise.resolve(deleting);
    },
    practice: () =>
      practice.starts
        ? Promise.resolve({ url: 'http://127.0.0.1:4000', key: 'practice-key', secret: 'practice-secret' })
        : Promise.reject(new Error('the practice exchange did not start')),
    open: (summary, one) => {
      opened.push({ id: summary.id, secret: one?.secret ?? null });
      if (one !== null) used.push([summary.settings.baseUrl, one.secret]);
      let unloaded = false;
      return {
        id: summary.id,
        account: () => accountOf(summary.settings),
        unload: () => Promise.resolve(void (unloaded = true)),
        isUnloaded: () => unloaded,
        stopReading: (because) => Promise.resolve(void stopped.push(because)),
        close: () => {
          closed.push(summary.id);
          return held.close;
        },
      };
    },
    test: ({ baseUrl }, one) => {
      used.push([baseUrl, one.secret]);
      return held.test.then(() => steps);
    },
    changed: (state) => void announced.push(state),
    notice: (message) => void notices.push(message),
    startLock: () => start.lock,
    assignOrders: ({ id, account }) => void assigned.push({ id, account }),
    unsettled: (id) =>
      Array.from({ length: unsettled.get(id) ?? 0 }, () => ({ state: 'unknown', symbolId: 'BTC-USDT-M' })),
    app: { version: '0', runtime: 'stand-in', platform: 'linux', sandboxed: true },
    clock: { now: () => 1 },
    timers: {
      after(_ms, run) {
        timers.add(run);
        return () => timers.delete(run);
      },
    },
    newId: () => `id-${++ids}`,
  });
  return {
    session,
    kept,
    opened,
    used,
    closed,
    stopped,
    released,
    deleted,
    assigned,
    disk,
    practice,
    announced,
    notices,
    held,
    process,
    setWritten: (next: SecretState) => (written = next),
    unsettled,
    start,
    timers,
    setSteps: (next: TestStep[]) => (steps = next),
    setDeleting: (next: Result<null>) => (deleting = next),
    setForget: (next: Result<null>) => (refuseForget = next),
  };
}

export async function added(b: ReturnType<typeof fixture>, name = 'Meridian'): Promise<string> {
  const one = dataOf(await b.session.add(settings(name), secret));
  return one.id;
}

/** Starts a session, on practice. */
export async function started() {
  const b = fixture();
  await b.session.start();
  return b;
}
/** Starts a session with a live connection beside practice. */
export async function withConnection() {
  const b = await started();
  return { b, id: await added(b) };
}
/** Starts a session on a live connection. */
export async function onConnection() {
  const { b, id } = await withConnection();
  await b.session.select(id);
  return { b, id };
}

/** Changes the secret of a connection, and nothing else. */
export const setSecret = ({ session }: ReturnType<typeof fixture>, id: string, next = secret) =>
  session.update(id, session.summary(id)!.settings, next);
