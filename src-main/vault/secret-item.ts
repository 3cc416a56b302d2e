/**
 * Encodes a connection's secrets as one keychain item: JSON without NUL, the secrets of at most 2,000 bytes and a
 * fingerprint of the address they were entered for.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { secretFault, secretSchema, type SecretInput } from '../../src-shared/ipc/connections.ts';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';
import { checkedJson } from '../../src-shared/checked-json.ts';

/** Returns the item's account name. No `/`, since Windows joins service and account with one. */
export const keychainAccount = (id: string): string => `ballast-${id}`;
const ID = /^[a-z0-9-]{1,60}$/;
export const isId = (id: string): boolean => ID.test(id);

/** Where a secret may be sent, as `accountOf` spells it; null for one that has its own address, as a webhook's. */
export type SecretAddress = string | null;

export interface BoundSecret {
  readonly secret: SecretInput;
  /** Fingerprint of the address it was entered for; null if it has its own, or is of an earlier version. */
  readonly address: string | null;
}

const itemSchema = v.strictObject({ ...secretSchema.entries, address: v.exactOptional(v.string()) });

export const bindSecret = (secret: SecretInput, address: SecretAddress): BoundSecret => ({
  secret,
  // Of one length, however long the address is.
  address:
    address === null
      ? null
      : createHash('sha256').update(`ballast address\n${address}`).digest('hex').slice(0, 32),
});
/** Reports whether the secret may be sent to this address. Of a secret of an earlier version it is not known. */
export const isFor = ({ address, secret }: BoundSecret, wanted: SecretAddress): boolean =>
  address === null || address === bindSecret(secret, wanted).address;

/** Returns the item's text, or a failure that contains no part of the secret. */
export function toItem({ secret, address }: BoundSecret): Result<string> {
  const parsed = v.safeParse(secretSchema, secret);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const field = v.getDotPath(issue) ?? 'secret';
    return blocked(`The secret is incomplete (${field}).`, 'Enter it again.', 'secret');
  }
  const fault = secretFault(parsed.output);
  if (fault !== null) return blocked(fault.message, fault.next, 'secret');
  return done(JSON.stringify(address === null ? parsed.output : { ...parsed.output, address }));
}

/** Parses an item; null if it is not Ballast's, since another program changed it. */
export function fromItem(item: string): BoundSecret | null {
  const found = checkedJson(itemSchema, item);
  if (found === null) return null;
  const { address = null, ...secret } = found;
  return { secret, address };
}
