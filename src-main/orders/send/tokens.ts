/** One-time tokens of confirmations: good for one send, for two minutes. */
import { elapsed, type Moment, momentOf } from '../../../src-shared/domain/display/elapsed.ts';

const LIFE_MS = 120_000;

export interface Tokens<T> {
  /** Opens a confirmation of `what`. */
  open(what: T): { readonly token: string; readonly expiresAt: number };
  /** What was confirmed, once; null when the token was used, dropped or has expired. */
  spend(token: string): T | null;
  drop(token: string): void;
}

export function createTokens<T>(clock: { now(): number; mono(): number }, newId: () => string): Tokens<T> {
  const open = new Map<string, { readonly what: T; readonly since: Moment }>();
  /** By a clock that nobody can set back. */
  const isOver = ({ since }: { readonly since: Moment }): boolean =>
    elapsed(since, momentOf(clock)) >= LIFE_MS;
  return {
    open(what) {
      for (const [token, old] of open) if (isOver(old)) open.delete(token);
      const token = newId();
      const since = momentOf(clock);
      open.set(token, { what, since });
      return { token, expiresAt: since.wall + LIFE_MS };
    },
    spend(token) {
      const found = open.get(token);
      open.delete(token);
      return found === undefined || isOver(found) ? null : found.what;
    },
    drop: (token) => void open.delete(token),
  };
}
