/**
 * Whose trades and orders an archive holds. A proof of completeness is of one account as one key sees it, so the file
 * names both, and the user id once a record has shown it. An older file names nothing: the first account that opens it
 * is taken for its own, unless the orders it holds say otherwise.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  type AccountIdentity,
  compareAccounts,
  type Sameness,
  uidOf,
} from '../../../src-shared/domain/reconcile/account-identity.ts';
import { asText } from './row-types.ts';
import { idText } from '../trades/codec.ts';

const NAMES = { address: 'account_address', key: 'account_key', uid: 'account_uid' } as const;

function read(db: DatabaseSync, name: string): string | null {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(name);
  return row === undefined ? null : asText(row['value']);
}

/** Null for a file that names no account. */
function accountIn(db: DatabaseSync): AccountIdentity | null {
  const address = read(db, NAMES.address);
  return address === null ? null : { address, key: read(db, NAMES.key) ?? '', uid: userIn(db) };
}

/** The user id the file names, or that all its orders carry; null when neither tells. */
function userIn(db: DatabaseSync): string | null {
  const named = read(db, NAMES.uid);
  if (named !== null) return named;
  const rows = db.prepare(`SELECT DISTINCT ${idText('uid')} AS uid FROM history_order LIMIT 3`).all();
  return uidOf(rows.map((row) => ({ uid: asText(row['uid']) })));
}

export function nameAccount(db: DatabaseSync, { address, key, uid }: AccountIdentity): void {
  const put = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  put.run(NAMES.address, address);
  put.run(NAMES.key, key);
  if (uid !== null) put.run(NAMES.uid, uid);
}

/** Whether the file is of this address and key; one that names none is from now on. */
export function isOfAccount(db: DatabaseSync, account: AccountIdentity): boolean {
  const named = accountIn(db);
  if (named === null) nameAccount(db, account);
  return named === null || (named.address === account.address && named.key === account.key);
}

/** A record has shown whose account it is. `other`: not the one whose trades these are. */
export function recogniseUser(db: DatabaseSync, uid: string): 'same' | 'other' {
  const known = userIn(db);
  if (known !== null && known !== uid) return 'other';
  db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(NAMES.uid, uid);
  return 'same';
}

/** A file from elsewhere beside the account it shall be of. `proves`: read by this very key, so its proof still counts. */
export function beside(
  db: DatabaseSync,
  account: AccountIdentity,
): { readonly is: Sameness; readonly proves: boolean } {
  const named = accountIn(db);
  if (named !== null) {
    const is = compareAccounts(named, account);
    return { is, proves: is === 'same' && named.key === account.key };
  }
  const user = userIn(db);
  const other = user !== null && account.uid !== null && user !== account.uid;
  return { is: other ? 'other' : 'unsure', proves: false };
}

/** Rows stay; that nothing is missing has to be proven again. */
export function dropProof(db: DatabaseSync): void {
  db.exec(
    'DELETE FROM sync_state; DELETE FROM seen_stretch; DELETE FROM order_gap; DELETE FROM trade_set_aside',
  );
}
