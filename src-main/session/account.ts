/** Identifies the account of a connection without its secret. */
import { createHash } from 'node:crypto';
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import { readBaseUrl } from '../exchange/base-url.ts';

/** Returns the address that requests of a connection go to, in one spelling; an invalid base URL as it is typed. */
export function addressOf({ baseUrl }: Pick<ConnectionSettings, 'baseUrl'>): string {
  const base = readBaseUrl(baseUrl);
  return base.ok ? base.data.origin + base.data.prefix : baseUrl;
}

/**
 * Returns the account's identity; the user id comes from records later. The fingerprint is a hash of the random API
 * key, salted with the address and cut to 128 bits, so backups do not contain the key.
 */
export function accountOf(settings: Pick<ConnectionSettings, 'baseUrl' | 'apiKey'>): AccountIdentity {
  const address = addressOf(settings);
  const key = createHash('sha256')
    .update(`ballast account\n${address}\n${settings.apiKey}`)
    .digest('hex')
    .slice(0, 32);
  return { address, key, uid: null };
}

/** Returns the account as one text, as far as it is known without records. */
export const accountText = ({ address, key }: Pick<AccountIdentity, 'address' | 'key'>): string =>
  `${address} ${key}`;
