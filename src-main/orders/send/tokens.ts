/** Single-use tokens of confirmations, valid for two minutes. */
import { elapsed, type Moment, momentOf } from '../../../src-shared/domain/display/elapsed.ts';
import type { MonotonicClock } from '../../../src-shared/time.ts';

const LIFETIME_MS = 120_000;

export class Tokens<T> {
  readonly #clock: MonotonicClock;
  readonly #newId: () => string;
  readonly #open = new Map<string, { readonly what: T; readonly since: Moment }>();

  constructor(clock: MonotonicClock, newId: () => string) {
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Issues a token for `what`. */
  issue(what: T): { readonly token: string; readonly expiresAt: number } {
    for (const [token, old] of this.#open) if (this.#isExpired(old.since)) this.#open.delete(token);
    const token = this.#newId();
    const since = momentOf(this.#clock);
    this.#open.set(token, { what, since });
    return { token, expiresAt: since.wall + LIFETIME_MS };
  }

  /** Returns what was confirmed, once; null if the token was used, revoked or has expired. */
  consume(token: string): T | null {
    const found = this.#open.get(token);
    this.#open.delete(token);
    return found === undefined || this.#isExpired(found.since) ? null : found.what;
  }

  revoke(token: string): void {
    this.#open.delete(token);
  }

  /** By the wall or the monotonic clock, whichever has gone on for longer. */
  #isExpired(since: Moment): boolean {
    return elapsed(since, momentOf(this.#clock)) >= LIFETIME_MS;
  }
}
