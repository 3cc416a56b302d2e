/** Derives an account's status, which says whether its figures are valued: polling and stale ones are, others are not. */
import type { SecretState } from '../../../src-shared/ipc/connections.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { Freshness } from '../../../src-shared/ipc/feeds.ts';

export type AccountStatus =
  | 'polling'
  | 'stale' // no recent reply: still counted, with its age
  | 'loading' // for the first time
  | 'waiting' // for the keychain
  | 'no-secret'
  | 'offline' // never read: the exchange cannot be reached
  | 'rejected' // by the exchange, or blocked by Ballast: not counted
  | 'locked' // the lock has unloaded the secret: not counted
  | 'not-included';

interface Inputs {
  readonly isOpen: boolean;
  readonly included: boolean;
  /** Whether the lock has unloaded the secrets of the accounts beside the open one. */
  readonly locked: boolean;
  /** Where the secret of an account beside the open one is. */
  readonly secret: SecretState;
  readonly failure: Failure | null;
  /** Whether it has been read at least once. */
  readonly isRead: boolean;
  readonly freshness: Freshness;
}

/** Reports whether a failure concerns the key, the secret or the signing profile: the last figures may be another account's. */
const isRejection = ({ kind }: Failure): boolean => kind === 'rejected' || kind === 'blocked';

export function statusOf({
  isOpen,
  included,
  locked,
  secret,
  failure,
  isRead,
  freshness,
}: Inputs): AccountStatus {
  if (!isOpen) {
    if (!included) return 'not-included';
    if (locked) return 'locked';
    if (secret === 'missing' || secret === 'unavailable') return 'no-secret';
    if (secret === 'waiting') return 'waiting';
  }
  if (failure?.kind === 'locked') return 'locked';
  if (failure !== null && isRejection(failure)) return 'rejected';
  if (freshness === 'fresh' || freshness === 'slow') return 'polling';
  if (freshness === 'loading') return 'loading';
  return isRead ? 'stale' : 'offline';
}

export const STATUS_LABELS: Readonly<Record<AccountStatus, string>> = {
  polling: 'Polling',
  stale: 'Stale',
  loading: 'Reading',
  waiting: 'Waiting',
  'no-secret': 'No secret',
  offline: 'Offline',
  rejected: 'Rejected',
  locked: 'Locked',
  'not-included': 'Not included',
};
