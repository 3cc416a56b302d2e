/** What becomes of an account's figures: read, old, or not to be valued at all. */
import type { SecretState } from '../../../src-shared/ipc/connections.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { Freshness } from '../../../src-shared/ipc/feeds.ts';

export type Standing =
  | 'reading'
  | 'stale' // no recent reply: still counted, with its age
  | 'loading'
  | 'waiting' // for the keychain
  | 'no-secret'
  | 'offline' // never read: the exchange cannot be reached
  | 'rejected' // rejected by the exchange: not counted
  | 'locked' // the lock has unloaded the secret: not counted
  | 'left-out';

interface Evidence {
  readonly isOpen: boolean;
  readonly included: boolean;
  /** The lock keeps the accounts beside the open one from being read. */
  readonly locked: boolean;
  /** Of an account beside the open one. */
  readonly secret: SecretState;
  readonly failure: Failure | null;
  /** It has been read at least once. */
  readonly isRead: boolean;
  readonly freshness: Freshness;
}

/** Failures that say something about the key, the secret or the profile; the account shown may be another's. */
const isRefusal = ({ kind }: Failure): boolean => kind === 'rejected' || kind === 'denied';

export function standingOf({
  isOpen,
  included,
  locked,
  secret,
  failure,
  isRead,
  freshness,
}: Evidence): Standing {
  if (!isOpen) {
    if (!included) return 'left-out';
    if (locked) return 'locked';
    if (secret === 'missing' || secret === 'unavailable') return 'no-secret';
    if (secret === 'waiting') return 'waiting';
  }
  if (failure?.kind === 'locked') return 'locked';
  if (failure !== null && isRefusal(failure)) return 'rejected';
  if (freshness === 'fresh' || freshness === 'slow') return 'reading';
  if (freshness === 'loading') return 'loading';
  return isRead ? 'stale' : 'offline';
}

export const STANDING_LABELS: Readonly<Record<Standing, string>> = {
  reading: 'Reading',
  stale: 'Stale',
  loading: 'Reading…',
  waiting: 'Waiting',
  'no-secret': 'No secret',
  offline: 'Offline',
  rejected: 'Rejected',
  locked: 'Locked',
  'left-out': 'Not read',
};
