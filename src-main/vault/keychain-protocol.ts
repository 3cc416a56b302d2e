/** What the main process and the keychain's process say to each other. A secret is in no field but `value`. */

/** Name under which the items stand in the system's keychain. */
export const SERVICE = 'Ballast';

export type KeychainRequest =
  | { readonly id: number; readonly action: 'get' | 'delete'; readonly account: string }
  | { readonly id: number; readonly action: 'set'; readonly account: string; readonly value: string };

export type KeychainReply =
  | { readonly id: number; readonly ok: true; readonly value: string | boolean | null }
  /** `message` is the library's own text, with the value taken out; `keychain-words.ts` puts it plainly. */
  | { readonly id: number; readonly ok: false; readonly message: string };

export function isReply(message: unknown): message is KeychainReply {
  if (typeof message !== 'object' || message === null) return false;
  const { id, ok } = message as Readonly<Record<string, unknown>>;
  return typeof id === 'number' && typeof ok === 'boolean';
}

export function isRequest(message: unknown): message is KeychainRequest {
  if (typeof message !== 'object' || message === null) return false;
  const { id, action, account } = message as Readonly<Record<string, unknown>>;
  return (
    typeof id === 'number' &&
    typeof account === 'string' &&
    (action === 'get' || action === 'delete' || action === 'set')
  );
}
