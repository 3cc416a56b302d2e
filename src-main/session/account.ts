/** Which account a connection's settings lead to, without its secret. */
import { createHash } from 'node:crypto';
import type { ConnectionSettings } from '../../src-shared/ipc/connections.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import { readBaseUrl } from '../exchange/base-url.ts';

/**
 * The user id is learned from records. The fingerprint is of the key as an exchange gives it, long and random, so it
 * leads back to none; it is salted with the address and cut to 128 bits. Backups carry it, so the key itself does not.
 */
export function accountOf({
  baseUrl,
  apiKey,
}: Pick<ConnectionSettings, 'baseUrl' | 'apiKey'>): AccountIdentity {
  const base = readBaseUrl(baseUrl);
  const address = 'kind' in base ? baseUrl : base.origin + base.prefix;
  const key = createHash('sha256')
    .update(`ballast account\n${address}\n${apiKey}`)
    .digest('hex')
    .slice(0, 32);
  return { address, key, uid: null };
}
