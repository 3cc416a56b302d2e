/** Single-use tokens of confirmations, valid for two minutes. */
import { elapsed, type Moment, momentOf } from '../../../src-shared/domain/display/elapsed.ts';

const LIFETIME_MS = 120_000;

export interface Tokens<T> {
  /** Issues a token for `what`. */
  issue(what: T): { readonly token: string; readonly expiresAt: number };
  /** Returns what was confirmed, once; null if the token was used, revoked or has expired. */
  consume(token: string): T | null;
  revoke(token: string): void;
}

export function createTokens<T>(clock: { now(): number; mono(): number }, newId: () => string): Tokens<T> {
  const open = new Map<string, { readonly what: T; readonly since: Moment }>();
  /** By the monotonic clock. */
  const isExpired = ({ since }: { readonly since: Moment }): boolean =>
    elapsed(since, momentOf(clock)) >= LIFETIME_MS;
  return {
    issue(what) {
      for (const [token, old] of open) if (isExpired(old)) open.delete(token);
      const token = newId();
      const since = momentOf(clock);
      open.set(token, { what, since });
      return { token, expiresAt: since.wall + LIFETIME_MS };
    },
    consume(token) {
      const found = open.get(token);
      open.delete(token);
      return found === undefined || isExpired(found) ? null : found.what;
    },
    revoke: (token) => void open.delete(token),
  };
}
