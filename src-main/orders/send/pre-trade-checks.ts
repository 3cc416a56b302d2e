/** What blocks a send whatever the order is: locks, holds, a rate limit. Checked at the review and at every send. */
import { blockedFailure, type Failure } from '../../../src-shared/ipc/failures.ts';
import { holds, mayConcern } from '../../../src-shared/ipc/orders.ts';
import {
  type AccountIdentity,
  compareAccounts,
} from '../../../src-shared/domain/reconcile/account-identity.ts';
import type { OrderConnection, OrderPorts } from './ports.ts';

export const NOT_OPEN = blockedFailure(
  'This connection is not open.',
  'Open it in Settings › Connections, then review the order again.',
  'connection',
);
export const LOCKED = blockedFailure(
  'Trading is locked.',
  'Unlock trading in the top bar to send orders.',
  'account',
);
export const QUITTING = blockedFailure(
  'Ballast is quitting: nothing was sent.',
  'Start Ballast, then review the order again.',
  'account',
);
export const TOKEN_USED = blockedFailure(
  'This confirmation was already used or has expired.',
  'Review the order again.',
  'order',
);

/**
 * Returns what blocks every order: another account than at the review, lock, read-only, a connection never verified, a
 * rate limit. Null if nothing does.
 * @param reviewed account the order was reviewed for; absent at the review itself
 */
export function tradingFailure(
  connection: OrderConnection,
  lockFailure: Failure | null,
  reviewed: AccountIdentity = connection.account(),
): Failure | null {
  const { summary } = connection;
  if (compareAccounts(reviewed, connection.account()) !== 'same')
    return blockedFailure(
      `${summary.settings.name} was changed since the review and may be another account.`,
      'Review the order again.',
      'account',
    );
  if (lockFailure !== null) return lockFailure;
  if (summary.settings.readOnly)
    return blockedFailure(
      `${summary.settings.name} is read-only.`,
      'Turn read-only off in the connection’s settings.',
      'account',
    );
  if (!summary.verified)
    return blockedFailure(
      'Trading is off until a test of this connection succeeds.',
      'Run the connection test in Settings › Connections.',
      'account',
    );
  const pause = connection.pauseFailure();
  // The order was not sent, so Ballast blocks it, not the exchange.
  return pause === null ? null : { ...pause, kind: 'blocked', field: 'account' };
}

/** Returns the ids of what holds orders on `symbolId` and `side`: unknown outcomes and damaged journal lines. */
export function holdsOf(
  journal: OrderPorts['journal'],
  connectionId: string,
  symbolId: string,
  side: string,
): string[] {
  const intents = journal.list(connectionId).filter((one) => holds(one, symbolId, side));
  const damage = journal.damage(connectionId).filter((one) => mayConcern(one, symbolId, side));
  return [...intents, ...damage].map((one) => one.id);
}

/** Returns the failure of an order that `ids` hold. */
export function heldFailure(
  journal: OrderPorts['journal'],
  ids: readonly string[],
  symbolId: string,
): Failure {
  return ids.some((id) => journal.get(id) !== null)
    ? blockedFailure(
        `The outcome of an earlier ${symbolId} order on this side is unknown.`,
        `Type ${symbolId} to send another one, or resolve the earlier one under Activity.`,
        'order',
      )
    : blockedFailure(
        `A line of the order journal is damaged: an order for ${symbolId} may have been sent.`,
        `Type ${symbolId} to send another one, or acknowledge the damage under Activity.`,
        'order',
      );
}

/** Returns the failure of an order whose symbol is locked. */
export const anotherInFlight = (symbolId: string): Failure =>
  blockedFailure(`Another ${symbolId} order is being sent.`, 'Wait for the reply.', 'order');

/** Locks per symbol of a connection: one POST in flight each; a batch locks all its symbols until it ends. */
export class SymbolLocks {
  readonly #locked = new Set<string>();

  /** Locks all symbols and returns null; or locks none and returns one that is locked already. */
  tryLock(connectionId: string, symbolIds: Iterable<string>): string | null {
    const wanted = [...symbolIds];
    const busy = wanted.find((one) => this.#locked.has(keyOf(connectionId, one)));
    if (busy !== undefined) return busy;
    for (const one of wanted) this.#locked.add(keyOf(connectionId, one));
    return null;
  }

  unlock(connectionId: string, symbolIds: Iterable<string>): void {
    for (const one of symbolIds) this.#locked.delete(keyOf(connectionId, one));
  }
}

const keyOf = (connectionId: string, symbolId: string): string => `${connectionId} ${symbolId}`;
