/**
 * Manages connections, of which one is open at a time. Secrets pass through to the vault and the signer and are never
 * stored here.
 */
import type { ConnectionSummary, SecretState } from '../../src-shared/ipc/connections.ts';
import type { SessionState } from '../../src-shared/ipc/calls.ts';
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import { compareAccounts } from '../../src-shared/domain/reconcile/account-identity.ts';
import { accountOf } from './account.ts';
import { createLock, type KnownSecret } from './lock.ts';
import {
  accountHeld,
  nameTaken,
  noSecret,
  practiceIsFixed,
  stillUnsettled,
  unknownConnection,
} from './refusals.ts';
import type {
  Changes,
  FoundSecret,
  OpenConnection,
  SecretRead,
  Session,
  SessionPorts,
} from './session-types.ts';
import {
  liveSummary,
  PRACTICE_ID,
  practiceSummary,
  type StoredConnection,
  type StoredSession,
} from './stored.ts';

/** An unlocked keychain responds within tens of milliseconds. */
const KEYCHAIN_PATIENCE_MS = 400;

export function createSession<O extends OpenConnection>(ports: SessionPorts<O>): Session<O> {
  let stored: StoredSession = { version: 1, activeId: PRACTICE_ID, connections: [] };
  let practice: Awaited<ReturnType<SessionPorts<O>['practice']>> | null = null;
  let current: O | null = null;
  const secretStates = new Map<string, SecretState>();
  /** Runs changes one at a time, in order, so each starts from the state the previous one left. */
  let last: Promise<unknown> = Promise.resolve();
  function serial<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work);
    last = next.catch(() => undefined); // reported to the caller
    return next;
  }

  const lock = createLock({
    current: () => current,
    onlyCopy: (id) => id === PRACTICE_ID || secretStates.get(id) === 'memory',
    unsettled: (id) => ports.unsettled(id).length,
    secret: (id) => secretOf(id),
    reopen: (known) => openActive(undefined, known),
    serial,
    idle: () => ports.secrets.suspend(),
    announce: () => announce(),
  });

  const toSummary = (one: StoredConnection): ConnectionSummary =>
    liveSummary(one, secretStates.get(one.id) ?? 'missing');
  const find = (id: string): StoredConnection | undefined => stored.connections.find((one) => one.id === id);
  const summary = (id: string): ConnectionSummary | null => {
    if (id === PRACTICE_ID) return practiceSummary(practice);
    const one = find(id);
    return one === undefined ? null : toSummary(one);
  };
  const state = (): SessionState => ({
    connections: [practiceSummary(practice), ...stored.connections.map(toSummary)],
    activeId: stored.activeId,
    locked: lock.locked(),
    key: lock.key(),
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

  /** Opens the active connection. `known` is a secret already read. */
  async function openActive(between?: () => void, known?: KnownSecret): Promise<void> {
    await current?.close();
    current = null;
    between?.();
    const id = stored.activeId;
    if (id === PRACTICE_ID) {
      practice = await ports.practice();
      await ports.mayOpen();
      current = ports.open(practiceSummary(practice), { secret: practice.secret, headers: {} });
    } else {
      const one = find(id);
      if (one === undefined) {
        await save({ ...stored, activeId: PRACTICE_ID });
        return openActive();
      }
      await ports.mayOpen();
      if (lock.mayUnload(id)) {
        current = ports.open(toSummary(one), null);
        await current.unload();
      } else {
        const asked = known?.of === id ? Promise.resolve(known.read) : ports.secrets.read(id);
        const read = await inTime(asked);
        secretStates.set(id, read.state);
        current = ports.open(toSummary(one), read.secret);
        if (read.state === 'waiting') void asked.then((late) => serial(() => admit(id, late)));
      }
    }
    announce();
  }
  /** Waits a short time for the keychain, which may be prompting for a password. */
  const inTime = (asked: Promise<SecretRead>): Promise<SecretRead> =>
    new Promise((resolve) => {
      const giveUp = ports.timers.after(KEYCHAIN_PATIENCE_MS, () =>
        resolve({ state: 'waiting', secret: null }),
      );
      void asked.then((read) => {
        giveUp();
        resolve(read);
      });
    });
  /** Applies a secret that arrived after the connection was opened without it. */
  async function admit(id: string, read: SecretRead): Promise<void> {
    if (secretStates.get(id) !== 'waiting') return; // entered or removed meanwhile
    secretStates.set(id, read.state);
    if (read.secret !== null && stored.activeId === id && !lock.mayUnload(id)) await openActive();
    else announce();
  }
  /** Reads a connection's secret. Fails if there is none. */
  async function secretOf(id: string): Promise<Result<FoundSecret>> {
    if (id === PRACTICE_ID && practice !== null)
      return done({ state: 'memory', secret: { secret: practice.secret, headers: {} } });
    const { state, secret } = await ports.secrets.read(id);
    secretStates.set(id, state);
    if (secret !== null) return done({ state, secret });
    return noSecret(ports.secrets.state().message);
  }
  const reopenIfActive = (id: string): Promise<void> =>
    stored.activeId === id ? openActive() : Promise.resolve(announce());

  const changes: Changes = {
    async start() {
      stored = await ports.file.read();
      lock.begin(ports.startLock());
      await openActive();
    },

    async add(settings, secret) {
      if (
        stored.connections.some((one) => one.settings.name === settings.name) ||
        settings.name === 'Practice'
      )
        return nameTaken(settings.name);
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
        return nameTaken(settings.name);
      const sameness = compareAccounts(accountOf(one.settings), accountOf(settings));
      if (sameness !== 'same' && ports.unsettled(id).length > 0) return accountHeld();
      const samePlace =
        settings.baseUrl === one.settings.baseUrl &&
        settings.apiKey === one.settings.apiKey &&
        JSON.stringify(settings.signing) === JSON.stringify(one.settings.signing);
      const next = { ...one, settings, proven: one.proven && samePlace };
      await save(replace(next));
      await reopenIfActive(id);
      return done(toSummary(next));
    },

    async remove(id, leaveSecret, typed) {
      if (id === PRACTICE_ID) return practiceIsFixed();
      if (find(id) === undefined) return unknownConnection(id);
      const held = stillUnsettled(ports.unsettled(id), typed);
      if (held !== null) return held;
      const forgotten = await ports.secrets.forget(id);
      if (!forgotten.ok && !leaveSecret) return forgotten;
      secretStates.delete(id);
      const wasActive = stored.activeId === id;
      await save({
        ...stored,
        activeId: wasActive ? PRACTICE_ID : stored.activeId,
        connections: stored.connections.filter((one) => one.id !== id),
      });
      if (wasActive) await openActive();
      else announce();
      return done(null);
    },

    async select(id) {
      if (summary(id) === null) return unknownConnection(id);
      if (stored.activeId !== id || current === null) {
        await save({ ...stored, activeId: id });
        await openActive();
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
      const secret = await secretOf(id);
      if (!secret.ok) return secret;
      const steps = await ports.test(one.settings, secret.data.secret);
      if (lock.key() === 'unloaded') ports.secrets.suspend();
      const proven = steps.some((step) => step.name === 'account' && step.state === 'passed');
      const before = find(id);
      if (before !== undefined && proven !== before.proven) {
        await save(replace({ ...before, proven }));
        announce();
      }
      return done(steps);
    },

    async markVerified(id) {
      const one = find(id);
      if (one === undefined || one.proven) return;
      await save(replace({ ...one, proven: true }));
      announce();
    },

    reopen: (between) => openActive(between),

    async stop() {
      await current?.close();
      current = null;
    },
  };

  return {
    state,
    current: () => current,
    async opened() {
      // The window may call before the first connection is open, and between two.
      if (current === null) await last;
      return current;
    },
    summary,
    ids: () => [PRACTICE_ID, ...stored.connections.map((one) => one.id)],
    locked: () => lock.locked(),
    ordersChanged: () => lock.ordersChanged(),
    announce,
    async readSecretStates() {
      for (const one of stored.connections)
        if (!secretStates.has(one.id)) secretStates.set(one.id, (await ports.secrets.read(one.id)).state);
      if (lock.key() === 'unloaded') ports.secrets.suspend();
      announce();
    },
    async setLock(next) {
      const set = await lock.set(next);
      return set.ok ? done(state()) : set;
    },
    start: () => serial(() => changes.start()),
    stop: () => serial(() => changes.stop()),
    add: (settings, secret) => serial(() => changes.add(settings, secret)),
    update: (id, settings) => serial(() => changes.update(id, settings)),
    remove: (id, leaveSecret, typed) => serial(() => changes.remove(id, leaveSecret, typed)),
    select: (id) => serial(() => changes.select(id)),
    setSecret: (id, secret) => serial(() => changes.setSecret(id, secret)),
    forgetSecret: (id) => serial(() => changes.forgetSecret(id)),
    markVerified: (id) => serial(() => changes.markVerified(id)),
    reopen: (between) => serial(() => changes.reopen(between)),
    test: (id) => serial(() => changes.test(id)),
  };
}
