/** Encodes a connection's secrets as one keychain item: JSON of at most 2,000 bytes, without NUL. */
import * as v from 'valibot';
import { secretFault, secretSchema, type SecretInput } from '../../src-shared/ipc/connections.ts';
import { blocked, done, type Result } from '../../src-shared/ipc/failures.ts';
import { checkedJson } from '../../src-shared/checked-json.ts';

/** Returns the item's account name. No `/`, since Windows joins service and account with one. */
export const keychainAccount = (id: string): string => `ballast-${id}`;
const ID = /^[a-z0-9-]{1,60}$/;
export const isId = (id: string): boolean => ID.test(id);

/** Returns the item's text, or a failure that contains no part of the secret. */
export function toItem(secret: SecretInput): Result<string> {
  const parsed = v.safeParse(secretSchema, secret);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const field = v.getDotPath(issue) ?? 'secret';
    return blocked(`The secret is incomplete (${field}).`, 'Enter it again.', 'secret');
  }
  const fault = secretFault(parsed.output);
  if (fault !== null) return blocked(fault.message, fault.next, 'secret');
  return done(JSON.stringify(parsed.output));
}

/** Parses the secrets of an item; null if it is not Ballast's, since another program changed it. */
export const fromItem = (item: string): SecretInput | null => checkedJson(secretSchema, item);
