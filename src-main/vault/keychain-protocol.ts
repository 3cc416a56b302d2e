/** Defines the messages between the main process and the keychain process. Only `value` carries a secret. */

/** Service name of the items in the system keychain. */
export const SERVICE = 'Ballast';

export type KeychainRequest =
  | { readonly id: number; readonly action: 'get' | 'delete'; readonly account: string }
  | { readonly id: number; readonly action: 'set'; readonly account: string; readonly value: string };

export type KeychainReply =
  | { readonly id: number; readonly ok: true; readonly value: string | boolean | null }
  /** `message` is the library's own text without the value; `keychain.ts` maps it to a user text. */
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
