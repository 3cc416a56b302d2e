/**
 * What tells one exchange account from another. A connection's entry is no proof: it can be removed, added again, or
 * be given another key. The address and the key say which account is asked; `uid`, once a record has shown it, says
 * whose it is. Of the key only a fingerprint is kept, never the secret.
 */
export interface AccountIdentity {
  /** Base URL as origin and path; a practice exchange by its own id. */
  readonly address: string;
  /** Fingerprint of the API key; '' for practice. */
  readonly key: string;
  /** The user id the records carry; null before one was seen. */
  readonly uid: string | null;
}

/** `unsure`: the same address by another key, and no user id to tell by. */
export type Sameness = 'same' | 'other' | 'unsure';

export function compareAccounts(a: AccountIdentity, b: AccountIdentity): Sameness {
  if (a.address !== b.address) return 'other';
  if (a.uid !== null && b.uid !== null) return a.uid === b.uid ? 'same' : 'other';
  return a.key === b.key ? 'same' : 'unsure';
}

/** The one user id all of these records carry; null when they carry none, or several. */
export function uidOf(records: Iterable<{ readonly uid: string }>): string | null {
  let found: string | null = null;
  for (const { uid } of records) {
    if (uid === '' || uid === '0' || uid === found) continue;
    if (found !== null) return null;
    found = uid;
  }
  return found;
}
