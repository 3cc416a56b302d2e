/**
 * Manages connections, of which one is open at a time. Secrets pass through to the vault and the signer and are never
 * stored here.
 */
import {
  type ConnectionSettings,
  type ConnectionSummary,
  hasPassed,
  type SecretInput,
  type SecretState,
  type TestStep,
} from '../../src-shared/ipc/connections.ts';
import type { SessionState, TradingLock } from '../../src-shared/ipc/calls.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { compareAccounts, type Sameness } from '../../src-shared/domain/reconcile/account-identity.ts';
import { inTime } from '../vault/in-time.ts';
import type { SecretRead } from '../vault/vault.ts';
import { accountOf, accountText, addressOf } from './account.ts';
import { type KnownSecret, Lock } from './lock.ts';
import {
  accountHeld,
  changedMeanwhile,
  KEYCHAIN_WAITS,
  nameTaken,
  needsSecret,
  noSecret,
  practiceIsFixed,
  secretForAddress,
  stillUnsettled,
  unknownConnection,
} from './failures.ts';
import type { FoundSecret, OpenConnection, SessionPorts } from './session-types.ts';
import {
  liveSummary,
  PRACTICE_ID,
  practiceSummary,
  type RemovedConnection,
  type StoredConnection,
  type StoredSession,
} from './stored.ts';

/** Closing that takes longer is announced: the window shows the connection until it has ended. */
const SLOW_MS = 1_000;

/** Changes run one at a time, in order: each starts from the state the previous one left. */
export class Session<O extends OpenConnection> {
  readonly #ports: SessionPorts<O>;
  readonly #lock: Lock;
  readonly #secretStates = new Map<string, SecretState>();
  /** How often settings or secret of a connection were changed. */
  readonly #edits = new Map<string, number>();
  #lacksSecret = false;
  #stored: StoredSession = { version: 1, activeId: PRACTICE_ID, connections: [] };
  #practice: Awaited<ReturnType<SessionPorts<O>['practice']>> | null = null;
  #current: O | null = null;
  /** The one being closed, whose files are still open. */
  #closing: O | null = null;
  /** The one that was closed last. */
  #lastId: string | null = null;
  #isStopped = false;
  readonly #changes = new SerialQueue();

  constructor(ports: SessionPorts<O>) {
    this.#ports = ports;
    this.#lock = new Lock({
      current: () => this.#current,
      id: () => this.#current?.id ?? this.#stored.activeId,
      opensAnother: () => this.#lastId !== null && this.#lastId !== this.#stored.activeId,
      onlyCopy: (id) => id === PRACTICE_ID || this.#secretStates.get(id) === 'memory',
      unsettled: (id) => ports.unsettled(id).length,
      unlockedOnce: (id) => this.#find(id)?.unlocked !== false,
      markUnlocked: (id) => this.#markUnlocked(id),
      secret: (id) => this.#secretOf(id),
      reopen: (known) => this.#openActive(undefined, known),
      serial: (work) => this.#changes.run(work),
      keepKeychain: (keep) => ports.secrets.keepProcess(keep),
      announce: () => this.announce(),
    });
  }

  state(): SessionState {
    const account = this.#current?.account();
    return {
      connections: [
        practiceSummary(this.#practice),
        ...this.#stored.connections.map((one) => this.#summaryOf(one)),
      ],
      activeId: this.#stored.activeId,
      account: account === undefined ? null : accountText(account),
      unknownElsewhere: this.#unknownElsewhere(),
      locked: this.#lock.locked(),
      neverUnlocked: this.#lock.neverUnlocked(),
      secretUse: this.#lock.secretUse(),
      keychain: this.#ports.secrets.state(),
      app: this.#ports.app,
    };
  }
  #unknownElsewhere(): readonly string[] {
    const others = this.ids().filter((id) => id !== this.#stored.activeId);
    return others.filter((id) => this.#ports.unsettled(id).some((one) => one.state === 'unknown'));
  }
  current(): O | null {
    return this.#current;
  }
  /** Returns the open connection, after waiting for one being opened. */
  async opened(): Promise<O | null> {
    // The window may call before the first connection is open, and between two.
    if (this.#current === null) await this.#changes.idle();
    return this.#current;
  }
  /** Reports whether the connection is open, being opened or being closed: it has feeds and files of its own. */
  isInUse(id: string): boolean {
    return [this.#stored.activeId, this.#current?.id, this.#closing?.id].includes(id);
  }
  summary(id: string): ConnectionSummary | null {
    if (id === PRACTICE_ID) return practiceSummary(this.#practice);
    const one = this.#find(id);
    return one === undefined ? null : this.#summaryOf(one);
  }
  ids(): readonly string[] {
    return [PRACTICE_ID, ...this.#stored.connections.map((one) => one.id)];
  }
  locked(): boolean {
    return this.#lock.locked();
  }
  /** Reports whether the lock keeps secrets from being loaded. */
  unloadsSecrets(): boolean {
    return this.#lock.unloads();
  }
  async setLock(next: TradingLock): Promise<Result<SessionState>> {
    const set = await this.#lock.set(next);
    return set.ok ? done(this.state()) : set;
  }
  /** Withdraws an unlocking. */
  async stayLocked(): Promise<Result<SessionState>> {
    const locked = await this.#lock.stay();
    return locked.ok ? done(this.state()) : locked;
  }
  /** Called when an order was sent or its outcome became known. */
  ordersChanged(): void {
    this.#lock.ordersChanged();
  }
  /** Sends the state to the window. */
  announce(): void {
    this.#ports.changed(this.state());
  }
  /** Reads the secret states of the other connections. Runs after the start, since the keychain may prompt. */
  async readSecretStates(): Promise<void> {
    for (const one of this.#stored.connections)
      if (!this.#secretStates.has(one.id))
        this.#secretStates.set(one.id, (await this.#readSecret(one)).state);
    this.announce();
  }

  start(): Promise<void> {
    this.#lock.begin(this.#ports.startLock());
    return this.#changes.run(async () => {
      this.#stored = await this.#ports.file.read();
      for (const one of this.#stored.connections) this.#assignOrders(one);
      await this.#openActive();
    });
  }
  /** Closes the open connection; none is opened any more. */
  stop(): Promise<void> {
    return this.#changes.run(() => {
      this.#isStopped = true;
      return this.#closeCurrent();
    });
  }
  /** Reports whether the open connection does not read since its secret is missing. */
  lacksSecret(): boolean {
    return this.#lacksSecret;
  }
  /** Closes and reopens a connection if it is the open one by then. */
  reopen(id: string): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#current?.id === id) await this.#openActive();
    });
  }
  /**
   * Closes and reopens this connection unless it was closed by then: one of the same id may be of another account.
   * `between` runs while none is open.
   */
  replace(connection: O, between: () => void): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#current === connection) await this.#openActive(between);
    });
  }
  select(id: string): Promise<Result<SessionState>> {
    return this.#changes.run(async () => {
      if (this.summary(id) === null) return unknownConnection(id);
      const isActive = this.#stored.activeId === id;
      if (!isActive) await this.#save({ ...this.#stored, activeId: id });
      if (!isActive || this.#current === null) await this.#openActive();
      return done(this.state());
    });
  }

  /** Lists the connection before its secret is stored: a kill in between leaves none that no connection owns. */
  async add(settings: ConnectionSettings, secret: SecretInput): Promise<Result<ConnectionSummary>> {
    const id = `live-${this.#ports.newId()}`.slice(0, 40);
    const createdAt = this.#ports.clock.now();
    const one: StoredConnection = { id, settings, proven: false, unlocked: false, createdAt };
    const listed = await this.#changes.run(async () => {
      if (this.#isNameTaken(settings.name, null)) return nameTaken(settings.name);
      await this.#save({ ...this.#stored, connections: [...this.#stored.connections, one] });
      this.#assignOrders(one);
      return done(null);
    });
    if (!listed.ok) return listed;
    // No change waits for the keychain, which may be asking for its password.
    const written = await this.#ports.secrets.write(id, secret, addressOf(settings));
    return this.#change(id, async (now) => {
      if (!written.ok) {
        await this.#save(this.#without(id));
        await this.#leave(id);
        return written;
      }
      this.#secretStates.set(id, written.data);
      this.announce();
      return done(this.#summaryOf(now));
    });
  }
  /**
   * Changes settings, and with them the secret unless it is null: no request uses one with another's. The secret comes
   * first, for the new address alone: where the settings are not stored, it is entered again.
   */
  async update(
    id: string,
    settings: ConnectionSettings,
    secret: SecretInput | null = null,
  ): Promise<Result<ConnectionSummary>> {
    const keepsSecret = secret === null;
    const refused = this.#updateRefusal(id, settings, keepsSecret);
    if (refused !== null) return refused;
    const written = secret === null ? null : await this.#writeSecret(id, secret, addressOf(settings));
    if (written?.ok === false) return written;
    const changed = await this.#change(id, async (one) => {
      const refusedSince = this.#updateRefusal(id, settings, keepsSecret);
      const next = this.#withSettings(one, settings, keepsSecret);
      let stored = one;
      try {
        if (refusedSince === null) {
          await this.#replace(next);
          stored = next;
          this.#assignOrders(next);
        }
      } finally {
        const isUsable = addressOf(stored.settings) === addressOf(settings);
        if (written !== null) this.#secretIs(id, isUsable ? written.data : 'missing');
        // A new secret is a change, whatever becomes of the settings.
        if (written !== null || stored === next) await this.#reopenIfActive(id);
      }
      return refusedSince ?? done(this.#summaryOf(next));
    });
    // Removed meanwhile, perhaps before the secret was stored.
    if (written !== null && this.#find(id) === undefined) await this.#ports.secrets.forget(id, true);
    return changed;
  }
  /** Includes an account in Portfolio or leaves it out; the connection stays open if it is. */
  setPortfolio(id: string, portfolio: boolean): Promise<Result<ConnectionSummary>> {
    return this.#change(id, async (one) => {
      const next = { ...one, settings: { ...one.settings, portfolio } };
      await this.#replace(next);
      this.announce();
      return done(this.#summaryOf(next));
    });
  }
  /**
   * Removes a connection. `leaveSecret` allows it when the keychain cannot delete the secret. `typed` are the symbols
   * of unknown outcomes, no longer reconciled until the account is added again. Its data is deleted by `finishRemovals`.
   */
  async remove(
    id: string,
    leaveSecret: boolean,
    typed: readonly string[] | 'all',
    archive = false,
  ): Promise<Result<null>> {
    const begun = await this.#change(id, () =>
      Promise.resolve(stillUnsettled(this.#ports.unsettled(id), typed) ?? done(this.#edits.get(id))),
    );
    if (!begun.ok) return begun;
    // No change waits for the keychain, which may be asking for its password.
    const forgotten = await this.#ports.secrets.forget(id, leaveSecret);
    if (!forgotten.ok && !leaveSecret) return forgotten;
    const removed = await this.#change(id, async () => {
      const held = stillUnsettled(this.#ports.unsettled(id), typed);
      if (held === null) return this.#removeEntry({ id, archive }, forgotten.ok);
      // Sent meanwhile. It stays open, since the outcome is found with the secret it has.
      if (forgotten.ok) this.#secretIs(id, 'missing');
      return held;
    });
    // One in memory is gone: what is left is what the keychain has.
    if (!removed.ok && !forgotten.ok) await this.#secretOf(id);
    // Another secret was stored meanwhile.
    if (removed.ok && begun.data !== this.#edits.get(id)) await this.#ports.secrets.forget(id, true);
    return removed;
  }
  /** Deletes the data of removed connections. What cannot be deleted stays listed for the next start. */
  finishRemovals(): Promise<Result<null>> {
    return this.#changes.run(async () => {
      const left: RemovedConnection[] = [];
      let failure: Failure | null = null;
      const { removed = [], ...stored } = this.#stored;
      for (const one of removed) {
        // A forged backup could list one that is in use, or practice.
        if (this.summary(one.id) !== null) continue;
        const deleted = await this.#ports.deleteData(one);
        if (deleted.ok) continue;
        left.push(one);
        failure ??= deleted.failure;
      }
      if (left.length < removed.length)
        // If this cannot be written, they stay listed; the next start finds nothing left to delete.
        await this.#save(left.length === 0 ? stored : { ...stored, removed: left }).catch(() => undefined);
      return failure === null ? done(null) : failed(failure);
    });
  }
  /** Tests a connection by signed reads. No change waits for the keychain, nor for the exchange. */
  async test(id: string): Promise<Result<readonly TestStep[]>> {
    const one = this.summary(id);
    if (one === null) return unknownConnection(id);
    const edits = this.#edits.get(id);
    const secret = await this.#secretOf(id);
    if (!secret.ok) return secret;
    const isChanged = await this.#changes.run(async () => {
      if (edits !== this.#edits.get(id)) return true;
      if (this.#lacksSecret && this.#stored.activeId === id)
        await this.#openActive(undefined, { of: id, read: secret.data });
      return false;
    });
    if (isChanged) return changedMeanwhile();
    const steps = await this.#ports.test(one.settings, secret.data.secret);
    return this.#changes.run(async () => {
      if (edits === this.#edits.get(id)) await this.#setVerified(id, hasPassed(steps));
      return done(steps);
    });
  }
  /** Marks the settings as verified after a signed read of `connection` succeeded, unless they changed meanwhile. */
  markVerified(connection: O): Promise<void> {
    return this.#changes.run(async () => {
      if (this.#current === connection) await this.#setVerified(connection.id, true);
    });
  }

  async #removeEntry(one: RemovedConnection, secretIsGone: boolean): Promise<Result<null>> {
    const { id } = one;
    try {
      await this.#save({ ...this.#without(id), removed: [...(this.#stored.removed ?? []), one] });
    } catch (error) {
      // It stays, without the secret that is removed.
      if (secretIsGone) {
        this.#secretIs(id, 'missing');
        await this.#reopenIfActive(id);
      }
      throw error;
    }
    await this.#leave(id);
    return done(null);
  }
  #without(id: string): StoredSession {
    return {
      ...this.#stored,
      activeId: this.#stored.activeId === id ? PRACTICE_ID : this.#stored.activeId,
      connections: this.#stored.connections.filter((one) => one.id !== id),
    };
  }
  /** Called when a connection is no longer listed. Opens practice if it was the active one. */
  async #leave(id: string): Promise<void> {
    this.#secretStates.delete(id);
    // Another one of its account gets its orders.
    for (const one of this.#stored.connections) this.#assignOrders(one);
    await this.#ports.release(id);
    if (this.#current?.id === this.#stored.activeId) this.announce();
    else await this.#openActive();
  }

  /** Runs a change of a stored connection; the practice connection cannot be changed. */
  #change<T>(id: string, work: (one: StoredConnection) => Promise<Result<T>>): Promise<Result<T>> {
    return this.#changes.run(async () => {
      const one = this.#find(id);
      if (one !== undefined) return work(one);
      return id === PRACTICE_ID ? practiceIsFixed() : unknownConnection(id);
    });
  }

  /**
   * Stores a secret. The file comes first: where it cannot be written, the old secret stays stored and in use. No change
   * waits for the keychain.
   */
  async #writeSecret(id: string, secret: SecretInput, address: string): Promise<Result<SecretState>> {
    const begun = await this.#change(id, async ({ proven, settings }) => {
      await this.#setVerified(id, false);
      return done({ proven, edits: this.#edits.get(id), address: addressOf(settings) });
    });
    if (!begun.ok) return begun;
    const written = await this.#ports.secrets.write(id, secret, address);
    // The keychain may have one of an earlier version, which does not show what address it is for.
    if (written.ok && written.data === 'memory' && address !== begun.data.address)
      await this.#ports.secrets.withhold([id]);
    if (written.ok) return written;
    return this.#changes.run(async () => {
      if (begun.data.edits === this.#edits.get(id)) await this.#setVerified(id, begun.data.proven);
      return written;
    });
  }

  /** Returns why these settings may not replace the connection's; null if they may. */
  #updateRefusal(
    id: string,
    settings: ConnectionSettings,
    keepsSecret: boolean,
  ): ReturnType<typeof nameTaken> | null {
    if (this.#isNameTaken(settings.name, id)) return nameTaken(settings.name);
    const one = this.#find(id);
    if (one === undefined) return null;
    if (this.#sameness(one, settings) !== 'same' && this.#ports.unsettled(id).length > 0)
      return accountHeld();
    // A page that was taken over could have it sent to a server of its own.
    const isElsewhere = addressOf(settings) !== addressOf(one.settings);
    return isElsewhere && keepsSecret ? secretForAddress() : null;
  }
  #withSettings(one: StoredConnection, settings: ConnectionSettings, keepsSecret: boolean): StoredConnection {
    const isSamePlace =
      settings.baseUrl === one.settings.baseUrl &&
      settings.apiKey === one.settings.apiKey &&
      JSON.stringify(settings.signing) === JSON.stringify(one.settings.signing);
    // Another account starts locked, as a new connection does.
    const unlocked = one.unlocked && this.#sameness(one, settings) === 'same';
    return { ...one, settings, unlocked, proven: one.proven && isSamePlace && keepsSecret };
  }
  #sameness(one: StoredConnection, settings: ConnectionSettings): Sameness {
    return compareAccounts(accountOf(one.settings), accountOf(settings));
  }

  /**
   * Removing or changing a connection asks for its orders, also before it was opened. The open one comes last: another one
   * of its account must not take what holds its symbols and is being searched for.
   */
  #assignOrders({ id, settings }: StoredConnection): void {
    this.#ports.assignOrders({ id, kind: 'live', account: accountOf(settings) });
    const open = this.#current;
    if (open !== null && open.id !== id && this.#find(open.id) !== undefined)
      this.#ports.assignOrders({ id: open.id, kind: 'live', account: open.account() });
  }
  #find(id: string): StoredConnection | undefined {
    return this.#stored.connections.find((one) => one.id === id);
  }
  #summaryOf(one: StoredConnection): ConnectionSummary {
    return liveSummary(one, this.#secretStates.get(one.id) ?? 'waiting');
  }
  #isNameTaken(name: string, except: string | null): boolean {
    return (
      name.toLowerCase() === 'practice' ||
      this.#stored.connections.some((one) => one.id !== except && one.settings.name === name)
    );
  }

  async #save(next: StoredSession): Promise<void> {
    await this.#ports.file.write(next);
    this.#stored = next;
  }
  async #replace(one: StoredConnection): Promise<void> {
    // A full disk is no reason to refuse a secret that leaves the entry as it is.
    if (JSON.stringify(one) === JSON.stringify(this.#find(one.id))) return;
    const connections = this.#stored.connections.map((other) => (other.id === one.id ? one : other));
    await this.#save({ ...this.#stored, connections });
  }
  /** Called when settings or secret of a connection were changed. */
  async #reopenIfActive(id: string): Promise<void> {
    this.#edits.set(id, (this.#edits.get(id) ?? 0) + 1);
    await this.#ports.release(id);
    if (this.#stored.activeId === id) await this.#openActive();
    else this.announce();
  }
  async #setVerified(id: string, verified: boolean): Promise<void> {
    const one = this.#find(id);
    if (one === undefined || one.proven === verified) return;
    await this.#replace({ ...one, proven: verified });
    this.announce();
  }

  async #markUnlocked(id: string): Promise<void> {
    const one = this.#find(id);
    if (one?.unlocked === false) await this.#replace({ ...one, unlocked: true });
  }

  /** Opens the active connection. `known` is a secret already read. */
  async #openActive(between?: () => void, known?: KnownSecret): Promise<void> {
    if (this.#isStopped) return;
    await this.#closeCurrent();
    this.#lacksSecret = false;
    try {
      between?.();
      const id = this.#stored.activeId;
      const one = this.#find(id);
      if (id !== PRACTICE_ID && one === undefined)
        await this.#save({ ...this.#stored, activeId: PRACTICE_ID });
      if (one === undefined) await this.#openPractice();
      else await this.#openLive(one, known);
    } finally {
      // Also when it could not be opened, since the previous one is closed.
      this.announce();
    }
  }
  /** Closes the open connection. Calls wait for the next one from the start, since a closing one serves nothing. */
  async #closeCurrent(): Promise<void> {
    this.#closing = this.#current;
    this.#lastId = this.#current?.id ?? this.#lastId;
    this.#current = null;
    const { timers, notice } = this.#ports;
    const cancel = timers.after(SLOW_MS, () =>
      notice(
        'The connection is being closed.',
        'Ballast waits for what is under way, such as an order being sent.',
      ),
    );
    try {
      await this.#closing?.close();
    } finally {
      cancel();
      this.#closing = null;
    }
  }
  async #openPractice(): Promise<void> {
    this.#practice = await this.#ports.practice();
    await this.#ports.mayOpen();
    const { secret } = this.#practice;
    this.#current = this.#ports.open(practiceSummary(this.#practice), { secret, headers: {} });
  }
  async #openLive(one: StoredConnection, known?: KnownSecret): Promise<void> {
    const { id } = one;
    await this.#ports.mayOpen();
    await this.#ports.release(id);
    if (this.#lock.mayUnload(id)) {
      this.#current = this.#ports.open(this.#summaryOf(one), null);
      await this.#current.unload();
      return;
    }
    const reading = known?.of === id ? Promise.resolve(known.read) : this.#readSecret(one);
    const waiting = { state: 'waiting', secret: null, message: '' } as const;
    const read = await inTime<SecretRead>(this.#ports.timers, reading, waiting);
    this.#secretStates.set(id, read.state);
    const current = this.#ports.open(this.#summaryOf(one), read.secret);
    this.#current = current;
    this.#lacksSecret = read.secret === null && needsSecret(one.settings);
    if (this.#lacksSecret)
      await current.stopReading(read.state === 'waiting' ? KEYCHAIN_WAITS : noSecret(read.message).failure);
    if (read.state === 'waiting')
      void reading.then((late) => this.#changes.run(() => this.#admit(current, late)));
  }
  /** Applies a secret that arrived after `opened` was opened without it, if it still is the open one. */
  async #admit(opened: O, { secret, ...read }: SecretRead): Promise<void> {
    const { id } = opened;
    // Another may have been entered, or this one removed meanwhile.
    if (this.#secretStates.get(id) === 'waiting') this.#secretStates.set(id, read.state);
    const isOpen = this.#current === opened;
    // An unlocking that follows must find that this secret was dropped.
    if (isOpen && this.#lock.mayUnload(id)) await opened.unload();
    // Not read again: a keychain that is slow each time would never be in time.
    else if (isOpen && secret !== null)
      return this.#openActive(undefined, { of: id, read: { ...read, secret } });
    else if (isOpen && this.#lacksSecret) await opened.stopReading(noSecret(read.message).failure);
    this.announce();
  }
  #readSecret({ id, settings }: StoredConnection): Promise<SecretRead> {
    return this.#ports.secrets.read(id, addressOf(settings));
  }
  /** Reads a connection's secret. Fails if there is none. */
  async #secretOf(id: string): Promise<Result<FoundSecret>> {
    if (id === PRACTICE_ID && this.#practice !== null)
      return done({ state: 'memory', secret: { secret: this.#practice.secret, headers: {} }, message: '' });
    const one = this.#find(id);
    if (one === undefined) return unknownConnection(id);
    const { secret, ...read } = await this.#readSecret(one);
    this.#secretIs(id, read.state);
    return secret === null ? noSecret(read.message) : done({ ...read, secret });
  }
  /** Announces a change at once: what follows may fail. */
  #secretIs(id: string, state: SecretState): void {
    const before = this.#secretStates.get(id);
    this.#secretStates.set(id, state);
    if (state !== before) this.announce();
  }
}
