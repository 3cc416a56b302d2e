/**
 * The account an archive is bound to. Coverage is verified for one account as seen by one key, so the file stores both,
 * and the user id once a record contained it. An older file stores none and is bound to the first account that opens
 * it, unless its orders have another user id.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  type AccountIdentity,
  compareAccounts,
  type Sameness,
  uidOf,
} from '../../../src-shared/domain/reconcile/account-identity.ts';
import { asText } from './row-types.ts';
import { idText } from './ids.ts';

const NAMES = { address: 'account_address', key: 'account_key', uid: 'account_uid' } as const;

function read(db: DatabaseSync, name: string): string | null {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(name);
  return row === undefined ? null : asText(row['value']);
}

/** Returns the file's account; null if it stores none. */
function accountIn(db: DatabaseSync): AccountIdentity | null {
  const address = read(db, NAMES.address);
  return address === null ? null : { address, key: read(db, NAMES.key) ?? '', uid: userIn(db) };
}

/** Returns the stored user id, or that of all its orders; null if unknown. */
function userIn(db: DatabaseSync): string | null {
  const named = read(db, NAMES.uid);
  if (named !== null) return named;
  const rows = db.prepare(`SELECT DISTINCT ${idText('uid')} AS uid FROM history_order LIMIT 3`).all();
  return uidOf(rows.map((row) => ({ uid: asText(row['uid']) })));
}

export function bindAccount(db: DatabaseSync, { address, key, uid }: AccountIdentity): void {
  const put = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  put.run(NAMES.address, address);
  put.run(NAMES.key, key);
  if (uid !== null) put.run(NAMES.uid, uid);
}

/** Reports whether the file has this base URL and key; binds it if it stores none. */
export function isOfAccount(db: DatabaseSync, account: AccountIdentity): boolean {
  const named = accountIn(db);
  if (named === null) bindAccount(db, account);
  return named === null || (named.address === account.address && named.key === account.key);
}

/** Binds the file to a user id. Returns `other` if it has another one. */
export function bindUser(db: DatabaseSync, uid: string): 'same' | 'other' {
  const known = userIn(db);
  if (known !== null && known !== uid) return 'other';
  db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(NAMES.uid, uid);
  return 'same';
}

/** Compares a file's account with the wanted one. `isVerified`: read with the same key, so its verification holds. */
export function compareFile(
  db: DatabaseSync,
  account: AccountIdentity,
): { readonly is: Sameness; readonly isVerified: boolean } {
  const named = accountIn(db);
  if (named !== null) {
    const is = compareAccounts(named, account);
    return { is, isVerified: is === 'same' && named.key === account.key };
  }
  const user = userIn(db);
  const other = user !== null && account.uid !== null && user !== account.uid;
  return { is: other ? 'other' : 'unsure', isVerified: false };
}

/** Clears the sync's state but no rows: coverage is verified again. */
export function clearVerification(db: DatabaseSync): void {
  db.exec(
    'DELETE FROM sync_state; DELETE FROM seen_stretch; DELETE FROM order_gap; DELETE FROM trade_set_aside',
  );
}
