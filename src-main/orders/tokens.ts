/** One-time tokens of confirmations: good for one send, for two minutes. */
const LIFE_MS = 120_000;

export interface Tokens<T> {
  /** Opens a confirmation of `what`. */
  open(what: T): { readonly token: string; readonly expiresAt: number };
  /** What was confirmed, once; null when the token was used, dropped or has expired. */
  spend(token: string): T | null;
  drop(token: string): void;
}

export function createTokens<T>(now: () => number, newId: () => string): Tokens<T> {
  const open = new Map<string, { readonly what: T; readonly expiresAt: number }>();
  return {
    open(what) {
      const at = now();
      for (const [token, old] of open) if (old.expiresAt <= at) open.delete(token);
      const token = newId();
      const expiresAt = at + LIFE_MS;
      open.set(token, { what, expiresAt });
      return { token, expiresAt };
    },
    spend(token) {
      const found = open.get(token);
      open.delete(token);
      return found === undefined || found.expiresAt <= now() ? null : found.what;
    },
    drop: (token) => void open.delete(token),
  };
}
