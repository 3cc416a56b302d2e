/**
 * Compares exchange accounts. A connection's entry can be removed, added again or given another key. Address and key
 * identify the requested account, and `uid` confirms it once a record shows it. Only a fingerprint of the key is
 * stored.
 */
export interface AccountIdentity {
  /** Base URL as origin and path; a practice exchange by its own id. */
  readonly address: string;
  /** Fingerprint of the API key; '' for practice. */
  readonly key: string;
  /** User id of the records; null before one was seen. */
  readonly uid: string | null;
}

/** `unsure`: same address, another key, and no user id to compare. */
export type Sameness = 'same' | 'other' | 'unsure';

/** Compares two identities. User ids decide where both have one. */
export function compareAccounts(a: AccountIdentity, b: AccountIdentity): Sameness {
  if (a.address !== b.address) return 'other';
  if (a.uid !== null && b.uid !== null) return a.uid === b.uid ? 'same' : 'other';
  return a.key === b.key ? 'same' : 'unsure';
}

/** Returns the one user id all records share; null for none or several. */
export function uidOf(records: Iterable<{ readonly uid: string }>): string | null {
  let found: string | null = null;
  for (const { uid } of records) {
    if (uid === '' || uid === '0' || uid === found) continue;
    if (found !== null) return null;
    found = uid;
  }
  return found;
}
