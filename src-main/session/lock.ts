/**
 * Manages the trading lock. Its strictest form unloads the open connection's secret once nothing needs it and loads it
 * again to unlock. Limits: SECURITY.md, “How far locking goes”.
 */
import type { HeldKey, TradingLock } from '../../src-shared/ipc/calls.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { FoundSecret, OpenConnection } from './session-types.ts';

/** A secret that was read before its connection is opened. */
export interface KnownSecret {
  readonly of: string;
  readonly read: FoundSecret;
}

export interface LockPorts {
  readonly current: () => OpenConnection | null;
  /** Reports whether the secret is in memory only, so that unloading would lose it. */
  readonly onlyCopy: (id: string) => boolean;
  /** Returns the number of the connection's orders being sent or of unknown outcome. */
  readonly unsettled: (id: string) => number;
  /** Reads the secret. May wait up to two minutes for the user. */
  readonly secret: (id: string) => Promise<Result<FoundSecret>>;
  /** Reopens the active connection. */
  readonly reopen: (known?: KnownSecret) => Promise<void>;
  /** Runs after all other changes of the session. */
  readonly serial: <T>(work: () => Promise<T>) => Promise<T>;
  /** Suspends the keychain process. */
  readonly idle: () => void;
  readonly announce: () => void;
}

export interface Lock {
  /** Sets the lock before anything is open. */
  begin(lock: TradingLock): void;
  /** Locks at once. Unlocking waits for the keychain if the secret was unloaded; a failure changes nothing. */
  set(lock: TradingLock): Promise<Result<null>>;
  locked(): boolean;
  key(): HeldKey;
  /** Reports whether the connection is to be opened without its secret. */
  mayUnload(id: string): boolean;
  /** Called when an order was sent or its outcome became known. */
  ordersChanged(): void;
}

const LEFT: Failure = {
  kind: 'cancelled',
  message: 'Unlocking was cancelled before the keychain responded.',
  next: 'Trading stays locked.',
};

export const lockAtStart = ({
  startLocked,
  lockLetsKeyGo,
}: Pick<Settings, 'startLocked' | 'lockLetsKeyGo'>): TradingLock =>
  startLocked ? (lockLetsKeyGo ? 'key' : 'orders') : 'off';

export function createLock(ports: LockPorts): Lock {
  let lock: TradingLock = 'off';
  let attempts = 0;

  const mayUnload = (id: string): boolean =>
    lock === 'key' && !ports.onlyCopy(id) && ports.unsettled(id) === 0;

  const applyLock = (): Promise<void> =>
    ports.serial(async () => {
      const open = ports.current();
      if (lock !== 'key' || open === null || open.isUnloaded() === mayUnload(open.id)) return;
      if (open.isUnloaded()) {
        // An order passed the lock check and was sent after all; reconciling it needs the secret.
        await ports.reopen();
        return;
      }
      await open.unload();
      ports.idle();
      ports.announce();
    });

  async function reload(id: string, next: TradingLock): Promise<Result<null>> {
    const attempt = attempts;
    const secret = await ports.secret(id);
    return ports.serial(async () => {
      const answer = attempt === attempts ? secret : failed(LEFT);
      if (!answer.ok) {
        // The next attempt uses a new process: this one may hold outdated keychain state.
        ports.idle();
        return answer;
      }
      lock = next;
      await ports.reopen({ of: id, read: answer.data });
      return done(null);
    });
  }

  return {
    begin: (first) => void (lock = first),
    async set(next) {
      attempts++;
      const open = ports.current();
      if (next !== 'key' && open?.isUnloaded() === true) return reload(open.id, next);
      lock = next;
      ports.announce();
      await applyLock();
      return done(null);
    },
    locked: () => lock !== 'off',
    key() {
      const open = ports.current();
      if (lock !== 'key' || open === null) return 'in-use';
      if (open.isUnloaded()) return 'unloaded';
      if (ports.onlyCopy(open.id)) return 'only-copy';
      return ports.unsettled(open.id) > 0 ? 'until-settled' : 'in-use';
    },
    mayUnload,
    ordersChanged() {
      if (lock === 'key') void applyLock();
    },
  };
}
