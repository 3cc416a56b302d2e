/**
 * The trading lock, and what its strictest form does with the open connection's secret: let go as soon as nothing needs
 * it, fetched again to unlock. How far that reaches: SECURITY.md, “How far locking goes”.
 */
import type { HeldKey, TradingLock } from '../../src-shared/ipc/calls.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { Settings } from '../../src-shared/ipc/settings.ts';
import type { FoundSecret, OpenConnection } from './session-types.ts';

/** A secret that was read before its connection is opened, and which connection that is. */
export interface KnownSecret {
  readonly of: string;
  readonly read: FoundSecret;
}

export interface LockPorts {
  readonly current: () => OpenConnection | null;
  /** Nothing but the memory has its secret: to let go would be to lose it. */
  readonly onlyCopy: (id: string) => boolean;
  /** Orders of the connection that are on their way or whose outcome is unknown. */
  readonly unsettled: (id: string) => number;
  /** The secret, from wherever it is kept. May wait for a person, two minutes at most. */
  readonly secret: (id: string) => Promise<Result<FoundSecret>>;
  /** Opens the active connection anew. */
  readonly reopen: (known?: KnownSecret) => Promise<void>;
  /** Runs after all other changes of the session. */
  readonly serial: <T>(work: () => Promise<T>) => Promise<T>;
  /** The keychain is asked nothing for a while. */
  readonly idle: () => void;
  readonly announce: () => void;
}

export interface Lock {
  /** Before anything is open. */
  begin(lock: TradingLock): void;
  /** Locks at once. Unlocking waits for the keychain when the key was let go; on a failure nothing has changed. */
  set(lock: TradingLock): Promise<Result<null>>;
  locked(): boolean;
  key(): HeldKey;
  /** A connection that is opened now is opened without its secret. */
  mayRest(id: string): boolean;
  /** An order was sent or settled. */
  ordersChanged(): void;
}

const LEFT: Failure = {
  kind: 'cancelled',
  message: 'Unlocking was left before the keychain answered.',
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

  const mayRest = (id: string): boolean => lock === 'key' && !ports.onlyCopy(id) && ports.unsettled(id) === 0;

  const look = (): Promise<void> =>
    ports.serial(async () => {
      const open = ports.current();
      if (lock !== 'key' || open === null || open.isResting() === mayRest(open.id)) return;
      if (open.isResting()) {
        // An order that was past the lock's question has left after all: its answer is looked for with the key.
        await ports.reopen();
        return;
      }
      await open.rest();
      ports.idle();
      ports.announce();
    });

  async function wake(id: string, next: TradingLock): Promise<Result<null>> {
    const attempt = attempts;
    const secret = await ports.secret(id);
    return ports.serial(async () => {
      const answer = attempt === attempts ? secret : failed(LEFT);
      if (!answer.ok) {
        // The next try is of a process of its own: what this one fetched, or knew of the keychain, may be over.
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
      if (next !== 'key' && open?.isResting() === true) return wake(open.id, next);
      lock = next;
      ports.announce();
      await look();
      return done(null);
    },
    locked: () => lock !== 'off',
    key() {
      const open = ports.current();
      if (lock !== 'key' || open === null) return 'in-use';
      if (open.isResting()) return 'let-go';
      if (ports.onlyCopy(open.id)) return 'only-copy';
      return ports.unsettled(open.id) > 0 ? 'until-settled' : 'in-use';
    },
    mayRest,
    ordersChanged() {
      if (lock === 'key') void look();
    },
  };
}
