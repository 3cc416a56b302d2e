/**
 * The exchange's rate limit: `Retry-After`, 429 and 418 of any request block reads and sends. Shared by all clients of an
 * exchange's host, and kept when a connection is reopened.
 *
 * Measured by the monotonic clock, so that a wall clock that is set neither shortens nor lengthens a pause. That clock
 * may stop during sleep, which only lengthens a pause.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { leftText } from '../../src-shared/domain/display/time-left.ts';
import { DAY_MS } from '../../src-shared/time.ts';
import { readBaseUrl } from './base-url.ts';

const FIRST_MS = 60_000;
const MAX_MS = 15 * 60_000;
const TOO_MANY = 429;
const BANNED = 418;
/** A ban has no end: only the user resumes. */
export const BAN: Failure = {
  kind: 'limited',
  message: 'The exchange has banned this IP address for a while (HTTP 418). Ballast sends no requests.',
  next: 'Wait, then press Retry. Retrying too early may extend the ban.',
  status: BANNED,
};

export class RateLimit {
  readonly #mono: (() => number) | null;
  readonly #listeners = new Set<() => void>();
  #until = Number.NEGATIVE_INFINITY;
  #nextMs = FIRST_MS;
  #banned = false;

  /** @param mono returns monotonic ms; without it the times passed in must be monotonic */
  constructor(mono: (() => number) | null = null) {
    this.#mono = mono;
  }

  /** Returns the wall clock until which requests are blocked, ms; 0 if they are not, Infinity until the user resumes. */
  until(now: number): number {
    if (this.#banned) return Number.POSITIVE_INFINITY;
    const left = this.#until - this.#monotonic(now);
    return left > 0 ? Math.ceil(now + left) : 0;
  }

  /** Records a reply's status and `Retry-After` (wall clock, ms). */
  note(status: number, retryAt: number | null, now: number): void {
    if (status < 400) {
      if (status < 300) this.#nextMs = FIRST_MS;
      return;
    }
    if (retryAt === null && status !== TOO_MANY && status !== BANNED) return;
    if (status === BANNED) this.#banned = true;
    if (retryAt !== null) this.#wait(retryAt - now, now);
    // Nothing is sent during a pause: the request was in flight when it began, and is no reason for a longer one.
    else if (this.#until > this.#monotonic(now)) this.#wait(FIRST_MS, now);
    else {
      this.#wait(this.#nextMs, now);
      this.#nextMs = Math.min(2 * this.#nextMs, MAX_MS);
    }
    this.#notify();
  }

  /** Ends a ban, but not `Retry-After`, when the user retries. */
  resume(): void {
    if (!this.#banned) return;
    this.#banned = false;
    this.#notify();
  }

  /** Returns why requests are blocked now, with the time left, or null. */
  failure(now: number): Failure | null {
    const until = this.until(now);
    if (until === 0) return null;
    if (!Number.isFinite(until)) return BAN;
    return {
      kind: 'limited',
      message: `Rate limit of the exchange: ${leftText(until - now)} left. Ballast sends no requests until then.`,
      next: 'Reading resumes automatically.',
      retryAt: until,
    };
  }

  /** Returns the same for what was to be sent: an order or batch that is blocked is not sent once the pause ends. */
  sendFailure(now: number): Failure | null {
    const failure = this.failure(now);
    if (failure === null || failure === BAN) return failure;
    return { ...failure, next: 'Nothing is sent on its own. Review it again after the pause.' };
  }

  /** Calls `listener` on each change; returns the function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #wait(ms: number, now: number): void {
    this.#until = Math.max(this.#until, this.#monotonic(now) + ms);
  }
  #monotonic(now: number): number {
    return this.#mono?.() ?? now;
  }
  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/**
 * Returns a function that gives one limit per host for the app's run: an exchange counts requests and bans by IP address,
 * however the base URL is written.
 */
export function rateLimits(mono: () => number): (baseUrl: string) => RateLimit {
  const limits = new Map<string, RateLimit>();
  return (baseUrl) => {
    const base = readBaseUrl(baseUrl);
    const host = base.ok ? base.data.origin : baseUrl;
    const known = limits.get(host) ?? new RateLimit(mono);
    limits.set(host, known);
    return known;
  };
}

/**
 * Parses `Retry-After` (whole seconds or an HTTP date) to ms since the epoch, at most a day ahead. A date counts from
 * `date`, the `Date` of the same reply, by that clock; null if it has passed by both clocks.
 */
export function retryTime(header: string | null, now: number, date: number | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return now + Math.min(Number.parseInt(text, 10) * 1000, DAY_MS);
  const at = Date.parse(text);
  const left = [at - (date ?? now), at - now].find((ms) => ms > 0);
  return left === undefined ? null : now + Math.min(left, DAY_MS);
}
