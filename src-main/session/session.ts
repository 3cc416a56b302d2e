/**
 * Which connections exist and which one is open. One is open at a time; opening another closes the first. Secrets
 * pass through on their way to the vault and the signer and are never kept here.
 */
import type {
  ConnectionSettings,
  ConnectionSummary,
  KeychainState,
  SecretInput,
  SecretState,
  TestStep,
} from '../../src-shared/contract/connections.ts';
import type { SessionState } from '../../src-shared/contract/calls.ts';
import { denied, done, failed, type Result } from '../../src-shared/contract/failures.ts';
import type { JsonFile } from './json-file.ts';
import { PRACTICE_ID, practiceSettings, type StoredConnection, type StoredSession } from './stored.ts';

export interface SecretRead {
  readonly state: SecretState;
  readonly secret: SecretInput | null;
}

/** What the session needs of the vault. */
export interface SecretStore {
  read(id: string): Promise<SecretRead>;
  /** Tells where the secret is now; never overwrites one that may be behind a lock. */
  write(id: string, secret: SecretInput): Promise<Result<SecretState>>;
  forget(id: string): Promise<Result<null>>;
  state(): KeychainState;
}

/** A connection in use: its polling and its archive run until it is closed. */
export interface OpenConnection {
  readonly id: string;
  close(): Promise<void>;
}

export interface SessionPorts<O extends OpenConnection> {
  readonly file: JsonFile<StoredSession>;
  readonly secrets: SecretStore;
  /** Starts the practice exchange, or gives the running one. */
  readonly practice: () => Promise<{ url: string; key: string; secret: string }>;
  readonly open: (summary: ConnectionSummary, secret: SecretInput | null) => Promise<O>;
  readonly test: (settings: ConnectionSettings, secret: SecretInput) => Promise<readonly TestStep[]>;
  readonly changed: (state: SessionState) => void;
  readonly startLocked: () => boolean;
  readonly app: SessionState['app'];
  readonly clock: { now(): number };
  readonly newId: () => string;
}

export interface Session<O extends OpenConnection> {
  start(): Promise<void>;
  state(): SessionState;
  current(): O | null;
  summary(id: string): ConnectionSummary | null;
  ids(): readonly string[];
  setLock(locked: boolean): SessionState;
  locked(): boolean;
  add(settings: ConnectionSettings, secret: SecretInput): Promise<Result<ConnectionSummary>>;
  update(id: string, settings: ConnectionSettings): Promise<Result<ConnectionSummary>>;
  remove(id: string): Promise<Result<null>>;
  select(id: string): Promise<Result<SessionState>>;
  setSecret(id: string, secret: SecretInput): Promise<Result<ConnectionSummary>>;
  forgetSecret(id: string): Promise<Result<ConnectionSummary>>;
  test(id: string): Promise<Result<readonly TestStep[]>>;
  /** A signed read has succeeded on the open connection, so its profile is right. */
  markProven(id: string): Promise<void>;
  /** Tells the window again, after the keychain's state changed. */
  announce(): void;
  stop(): Promise<void>;
}

const unknownConnection = (id: string) =>
  failed(
    denied(`There is no connection “${id}”.`, 'Choose one under Settings › Connections.', 'connectionId'),
  );
const practiceIsFixed = () =>
  failed(
    denied(
      'The practice connection is part of Ballast.',
      'Add a connection of your own instead.',
      'connectionId',
    ),
  );

export function createSession<O extends OpenConnection>(ports: SessionPorts<O>): Session<O> {
  let stored: StoredSession = { version: 1, activeId: PRACTICE_ID, connections: [] };
  let practice: { url: string; key: string; secret: string } | null = null;
  let current: O | null = null;
  let locked = false;
  const secretStates = new Map<string, SecretState>();
  /** Switching is one thing at a time, in the order asked. */
  let switching: Promise<unknown> = Promise.resolve();

  const toSummary = (one: StoredConnection): ConnectionSummary => ({
    id: one.id,
    kind: 'live',
    settings: one.settings,
    secret: secretStates.get(one.id) ?? 'missing',
    proven: one.proven,
    createdAt: one.createdAt,
  });
  const practiceSummary = (): ConnectionSummary => ({
    id: PRACTICE_ID,
    kind: 'practice',
    settings: practiceSettings(practice?.url ?? 'http://127.0.0.1', practice?.key ?? 'practice'),
    secret: 'memory',
    proven: true,
    createdAt: 0,
  });
  const find = (id: string): StoredConnection | undefined => stored.connections.find((one) => one.id === id);
  const summary = (id: string): ConnectionSummary | null => {
    if (id === PRACTICE_ID) return practiceSummary();
    const one = find(id);
    return one === undefined ? null : toSummary(one);
  };
  const state = (): SessionState => ({
    connections: [practiceSummary(), ...stored.connections.map(toSummary)],
    activeId: stored.activeId,
    locked,
    keychain: ports.secrets.state(),
    app: ports.app,
  });
  const announce = (): void => ports.changed(state());

  async function save(next: StoredSession): Promise<void> {
    await ports.file.write(next);
    stored = next;
  }
  const replace = (one: StoredConnection): StoredSession => ({
    ...stored,
    connections: stored.connections.map((other) => (other.id === one.id ? one : other)),
  });

  async function openActive(): Promise<void> {
    await current?.close();
    current = null;
    const id = stored.activeId;
    if (id === PRACTICE_ID) {
      practice = await ports.practice();
      current = await ports.open(practiceSummary(), { secret: practice.secret, headers: {} });
    } else {
      const one = find(id);
      if (one === undefined) {
        await save({ ...stored, activeId: PRACTICE_ID });
        return openActive();
      }
      const read = await ports.secrets.read(id);
      secretStates.set(id, read.state);
      current = await ports.open(toSummary(one), read.secret);
    }
    announce();
  }
  const reopen = (): Promise<void> => {
    const next = switching.then(openActive);
    switching = next.catch(() => undefined);
    return next;
  };
  const reopenIfActive = (id: string): Promise<void> =>
    stored.activeId === id ? reopen() : Promise.resolve(announce());

  return {
    state,
    current: () => current,
    summary,
    ids: () => [PRACTICE_ID, ...stored.connections.map((one) => one.id)],
    locked: () => locked,
    announce,

    async start() {
      stored = await ports.file.read();
      locked = ports.startLocked();
      await reopen();
      // Read one by one and after the window has something to show: the keychain may ask for a password.
      for (const one of stored.connections)
        if (!secretStates.has(one.id)) secretStates.set(one.id, (await ports.secrets.read(one.id)).state);
      announce();
    },

    setLock(next) {
      locked = next;
      announce();
      return state();
    },

    async add(settings, secret) {
      if (
        stored.connections.some((one) => one.settings.name === settings.name) ||
        settings.name === 'Practice'
      )
        return failed(
          denied(`There is already a connection named “${settings.name}”.`, 'Choose another name.', 'name'),
        );
      const id = `live-${ports.newId()}`.slice(0, 40);
      const written = await ports.secrets.write(id, secret);
      if (!written.ok) return written;
      secretStates.set(id, written.data);
      const one: StoredConnection = { id, settings, proven: false, createdAt: ports.clock.now() };
      await save({ ...stored, connections: [...stored.connections, one] });
      announce();
      return done(toSummary(one));
    },

    async update(id, settings) {
      const one = find(id);
      if (one === undefined) return id === PRACTICE_ID ? practiceIsFixed() : unknownConnection(id);
      if (stored.connections.some((other) => other.id !== id && other.settings.name === settings.name))
        return failed(
          denied(`There is already a connection named “${settings.name}”.`, 'Choose another name.', 'name'),
        );
      const samePlace =
        settings.baseUrl === one.settings.baseUrl &&
        settings.apiKey === one.settings.apiKey &&
        JSON.stringify(settings.signing) === JSON.stringify(one.settings.signing);
      const next = { ...one, settings, proven: one.proven && samePlace };
      await save(replace(next));
      await reopenIfActive(id);
      return done(toSummary(next));
    },

    async remove(id) {
      if (id === PRACTICE_ID) return practiceIsFixed();
      if (find(id) === undefined) return unknownConnection(id);
      const forgotten = await ports.secrets.forget(id);
      if (!forgotten.ok) return forgotten;
      secretStates.delete(id);
      const wasActive = stored.activeId === id;
      await save({
        ...stored,
        activeId: wasActive ? PRACTICE_ID : stored.activeId,
        connections: stored.connections.filter((one) => one.id !== id),
      });
      if (wasActive) await reopen();
      else announce();
      return done(null);
    },

    async select(id) {
      if (summary(id) === null) return unknownConnection(id);
      if (stored.activeId !== id || current === null) {
        await save({ ...stored, activeId: id });
        await reopen();
      }
      return done(state());
    },

    async setSecret(id, secret) {
      const one = find(id);
      if (one === undefined) return id === PRACTICE_ID ? practiceIsFixed() : unknownConnection(id);
      const written = await ports.secrets.write(id, secret);
      if (!written.ok) return written;
      secretStates.set(id, written.data);
      const next = { ...one, proven: false };
      await save(replace(next));
      await reopenIfActive(id);
      return done(toSummary(next));
    },

    async forgetSecret(id) {
      const one = find(id);
      if (one === undefined) return id === PRACTICE_ID ? practiceIsFixed() : unknownConnection(id);
      const forgotten = await ports.secrets.forget(id);
      if (!forgotten.ok) return forgotten;
      secretStates.set(id, 'missing');
      const next = { ...one, proven: false };
      await save(replace(next));
      await reopenIfActive(id);
      return done(toSummary(next));
    },

    async test(id) {
      const one = summary(id);
      if (one === null) return unknownConnection(id);
      const read: SecretRead =
        id === PRACTICE_ID && practice !== null
          ? { state: 'memory', secret: { secret: practice.secret, headers: {} } }
          : await ports.secrets.read(id);
      if (read.secret === null)
        return failed({
          kind: 'keychain',
          message:
            ports.secrets.state().message || 'The secret is not in the keychain, or the keychain is locked.',
          next: 'Unlock the keychain, or enter the secret again.',
          field: 'secret',
        });
      const steps = await ports.test(one.settings, read.secret);
      const proven = steps.some((step) => step.name === 'account' && step.state === 'passed');
      const before = find(id);
      if (before !== undefined && proven !== before.proven) {
        await save(replace({ ...before, proven }));
        announce();
      }
      return done(steps);
    },

    async markProven(id) {
      const one = find(id);
      if (one === undefined || one.proven) return;
      await save(replace({ ...one, proven: true }));
      announce();
    },

    async stop() {
      await switching;
      await current?.close();
      current = null;
    },
  };
}
