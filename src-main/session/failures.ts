/** Builds the failures of the session. */
import { blocked, blockedFailure, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import type { UnsettledOrder } from './session-types.ts';

/** Why nothing is read while the lock keeps the secrets unloaded. */
export const UNLOADED: Failure = {
  kind: 'locked',
  message: 'Locked. No data is being read.',
  next: 'Unlock trading to continue.',
};

/** Why nothing is stored before the archive is known to be this account's. */
export const NOT_OWN = blockedFailure(
  'It is not yet known whether the archive belongs to this account, so nothing is stored in it.',
  'The sync starts automatically once it is.',
);

export const unknownConnection = (id: string) =>
  blocked(`There is no connection “${id}”.`, 'Select one in Settings › Connections.', 'connectionId');

export const notOpen = () =>
  blocked('This connection is not open.', 'Select it in the top bar first.', 'connectionId');

export const practiceIsFixed = () =>
  blocked('The practice connection is part of Ballast.', 'Add a live connection instead.', 'connectionId');

export const nameTaken = (name: string) =>
  blocked(`There is already a connection named “${name}”.`, 'Choose another name.', 'name');

/** Returns why a connection cannot be removed yet; null if nothing is open or each symbol was typed. */
export function stillUnsettled(
  orders: readonly UnsettledOrder[],
  typed: readonly string[] | 'all',
): Result<null> | null {
  if (typed === 'all') return null;
  if (orders.some((one) => one.state !== 'unknown'))
    return blocked(
      'An order is being sent on this connection.',
      'Wait until it is done, then remove the connection.',
      'connectionId',
    );
  const symbols = new Set(orders.map((one) => one.symbolId));
  const missing = [...symbols].filter((one) => !typed.includes(one));
  if (missing.length === 0) return null;
  return blocked(
    `The outcome of an order for ${missing.join(', ')} is unknown. Ballast stops searching for it when the connection is removed.`,
    `Resolve it under Activity, or type ${missing.join(', ')} to remove the connection anyway.`,
    'typed',
  );
}

export const accountHeld = () =>
  blocked(
    'The outcome of an order on this account is unknown. It can only be found with this address and API key.',
    'Resolve it under Activity first, or add the other address or key as a new connection.',
    'connectionId',
  );

export const secretForAddress = () =>
  blocked(
    'The stored secret is for the previous base URL and is not sent to another.',
    'Enter the API secret again to use it with this address.',
    'secret',
  );

export const changedMeanwhile = () =>
  blocked('The connection was changed before its test began.', 'Test it again.', 'connectionId');

/** @param message why there is none */
export const noSecret = (message: string) =>
  failed({
    kind: 'keychain',
    message,
    next: 'Unlock the keychain, or enter the secret again.',
    field: 'secret',
  } as const);

export const KEYCHAIN_WAITS: Failure = {
  kind: 'keychain',
  message: 'Your keychain has not returned the secret of this connection. It may be asking for a password.',
  next: 'Answer it in the keychain’s window. Reading starts automatically.',
  field: 'secret',
};

/** Reports whether requests cannot be signed without a secret. */
export const needsSecret = ({ signing }: Pick<ConnectionSettings, 'signing'>): boolean =>
  signing.algorithm !== 'none' || signing.headers.some((one) => one.secret);
