/**
 * Manages the trading lock. Its strictest form unloads the open connection's secret once nothing needs it and loads it
 * again to unlock. A live connection is locked until it was unlocked once. Limits: SECURITY.md, “How far locking goes”.
 */
import type { SecretUse, TradingLock } from '../../src-shared/ipc/calls.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { FoundSecret, OpenConnection } from './session-types.ts';
import { PRACTICE_ID } from './stored.ts';

/** A secret that was read before its connection is opened. */
export interface KnownSecret {
  readonly of: string;
  readonly read: FoundSecret;
}

export interface LockPorts {
  readonly current: () => OpenConnection | null;
  /** Returns the id of the open connection, or of the one that is being opened. */
  readonly id: () => string;
  /** Reports whether the connection that is being opened is another than was open before. */
  readonly opensAnother: () => boolean;
  /** Reports whether the secret is in memory only, so that unloading would lose it. */
  readonly onlyCopy: (id: string) => boolean;
  /** Returns the number of the connection's orders being sent or of unknown outcome. */
  readonly unsettled: (id: string) => number;
  /** Reports whether trading was unlocked on the connection once. */
  readonly unlockedOnce: (id: string) => boolean;
  /** Stores that trading was unlocked on the connection, if it is live. */
  readonly markUnlocked: (id: string) => Promise<void>;
  /** Reads the secret. May wait up to two minutes for the user. */
  readonly secret: (id: string) => Promise<Result<FoundSecret>>;
  /** Reopens the active connection. */
  readonly reopen: (known?: KnownSecret) => Promise<void>;
  /** Runs after all other changes of the session. */
  readonly serial: <T>(work: () => Promise<T>) => Promise<T>;
  /** Sets whether the keychain process goes on while nothing needs it. */
  readonly keepKeychain: (keep: boolean) => void;
  readonly announce: () => void;
}

const LEFT: Failure = {
  kind: 'cancelled',
  message: 'Trading was locked again, or another connection was opened, before it was unlocked.',
  next: 'Unlock trading again.',
};

/** `uncertain`: the journal may lack orders, as after a restore, limits were lost, or a defect was seen. */
export const lockAtStart = (
  { startLocked, unloadSecretOnLock }: Pick<Settings, 'startLocked' | 'unloadSecretOnLock'>,
  uncertain: boolean,
): TradingLock =>
  startLocked && unloadSecretOnLock ? 'secret' : startLocked || uncertain ? 'orders' : 'off';

export class Lock {
  readonly #ports: LockPorts;
  /** Apart, so that unlocking practice unlocks nothing live. */
  #live: TradingLock = 'off';
  #practice: TradingLock = 'off';
  #attempts = 0;
  /** The lock before the last unlocking. */
  #unlockedFrom: TradingLock = 'orders';

  constructor(ports: LockPorts) {
    this.#ports = ports;
  }

  /** Sets the lock before anything is open. */
  begin(lock: TradingLock): void {
    this.#practice = lock;
    this.#setLive(lock);
  }
  /**
   * Locks at once. Unlocking waits for the keychain if the secret was unloaded, and for a connection that is being opened;
   * a failure changes nothing.
   */
  async set(lock: TradingLock): Promise<Result<null>> {
    const attempt = ++this.#attempts;
    const id = this.#ports.id();
    const isLeft = (): boolean => attempt !== this.#attempts || this.#ports.id() !== id;
    const unlocks = lock === 'off' || (lock === 'orders' && this.#of(id) === 'secret');
    if (unlocks && this.#of(id) !== 'off') this.#unlockedFrom = this.#of(id);
    if (unlocks && this.#ports.current() === null) {
      // Between two connections it is not known which one is meant.
      const isAnother = this.#ports.opensAnother();
      await this.#ports.serial(() => Promise.resolve());
      if (isAnother || isLeft()) return failed(LEFT);
    }
    const isUnloaded = (): boolean => this.#ports.current()?.isUnloaded() === true;
    if (lock === 'off' && !isUnloaded() && !this.#ports.unlockedOnce(id)) {
      await this.#ports.serial(async () => {
        if (!isUnloaded() && !isLeft()) await this.#ports.markUnlocked(id);
      });
      if (isLeft()) return failed(LEFT);
    }
    // Also where an earlier lock unloaded it during the wait.
    if (lock !== 'secret' && isUnloaded()) return this.#reload(id, lock);
    this.#put(lock);
    this.#ports.announce();
    await this.#apply();
    return done(null);
  }
  /** Withdraws an unlocking, so that a late reply of the keychain unlocks nothing; one that is done by then is taken back. */
  async stay(): Promise<Result<null>> {
    const attempt = ++this.#attempts;
    // That trading was unlocked for the first time may just be being stored.
    if (this.locked()) await this.#ports.serial(() => Promise.resolve());
    return this.locked() || attempt !== this.#attempts ? done(null) : this.set(this.#unlockedFrom);
  }
  locked(): boolean {
    return this.#of(this.#ports.id()) !== 'off';
  }
  /** Reports whether orders are refused only because trading was never unlocked on the open connection. */
  neverUnlocked(): boolean {
    return this.#ports.id() !== PRACTICE_ID && this.#live === 'off' && this.locked();
  }
  /** Reports whether no secret may be loaded, by the lock alone. */
  unloads(): boolean {
    return this.#live === 'secret';
  }
  secretUse(): SecretUse {
    const open = this.#ports.current();
    if (open === null || this.#of(open.id) !== 'secret') return 'in-use';
    if (open.isUnloaded()) return 'unloaded';
    if (this.#ports.onlyCopy(open.id)) return 'only-copy';
    return this.#ports.unsettled(open.id) > 0 ? 'until-resolved' : 'in-use';
  }
  /** Reports whether the connection is to be opened without its secret. */
  mayUnload(id: string): boolean {
    return this.#of(id) === 'secret' && !this.#ports.onlyCopy(id) && this.#ports.unsettled(id) === 0;
  }
  /** Called when an order was sent or its outcome became known. */
  ordersChanged(): void {
    if (this.#of(this.#ports.id()) !== 'secret') return;
    // Why the secret is still loaded may have changed.
    this.#ports.announce();
    void this.#apply();
  }

  #of(id: string): TradingLock {
    if (id === PRACTICE_ID) return this.#practice;
    return this.#live === 'off' && !this.#ports.unlockedOnce(id) ? 'orders' : this.#live;
  }
  /** Locks everything, or unlocks the open kind; unlocking on practice gives the secrets back, but no live orders. */
  #put(lock: TradingLock): void {
    this.#practice = lock;
    if (lock !== 'off' || this.#ports.id() !== PRACTICE_ID) this.#setLive(lock);
    else if (this.#live === 'secret') this.#setLive('orders');
  }
  #setLive(lock: TradingLock): void {
    this.#live = lock;
    this.#ports.keepKeychain(!this.unloads());
  }
  #apply(): Promise<void> {
    return this.#ports.serial(async () => {
      const open = this.#ports.current();
      if (open === null || this.#of(open.id) !== 'secret' || open.isUnloaded() === this.mayUnload(open.id))
        return;
      if (open.isUnloaded()) {
        // An order passed the lock check and was sent after all; reconciling it needs the secret.
        await this.#ports.reopen();
        return;
      }
      await open.unload();
      this.#ports.announce();
    });
  }
  async #reload(id: string, next: TradingLock): Promise<Result<null>> {
    const attempt = this.#attempts;
    const secret = await this.#ports.secret(id);
    return this.#ports.serial(async () => {
      const isLeft = (): boolean => attempt !== this.#attempts || this.#ports.current()?.id !== id;
      if (secret.ok && next === 'off' && !isLeft()) await this.#ports.markUnlocked(id);
      // Trading may have been locked while that was stored.
      const result = isLeft() ? failed(LEFT) : secret;
      if (!result.ok) return result;
      this.#put(next);
      await this.#ports.reopen({ of: id, read: result.data });
      return done(null);
    });
  }
}
