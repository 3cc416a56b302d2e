/**
 * When an exchange may be asked again: `Retry-After`, 429 and 418, whichever request met them. It rules reads and sends
 * alike, so one is shared by every client of a base URL, and outlives the connection that is opened anew.
 *
 * Time is counted by a clock that nobody sets: a computer whose clock jumps asks neither too early nor a day late. It
 * may stand still while the computer sleeps; that only makes a pause longer.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { leftText } from '../../src-shared/domain/display/time-left.ts';

const FIRST_MS = 60_000;
const LONGEST_MS = 15 * 60_000;
const TOO_MANY = 429;
const BANNED = 418;

export class RateLimit {
  readonly #mono: (() => number) | null;
  readonly #listeners = new Set<() => void>();
  #until = Number.NEGATIVE_INFINITY;
  #nextMs = FIRST_MS;
  #banned = false;

  /** @param mono ms by a clock that only goes on; without it the times passed in are taken for one */
  constructor(mono: (() => number) | null = null) {
    this.#mono = mono;
  }

  /** Wall clock until which nothing may be asked; 0 when it may be now, Infinity until the user resumes. */
  until(now: number): number {
    if (this.#banned) return Number.POSITIVE_INFINITY;
    const left = this.#until - this.#steady(now);
    return left > 0 ? Math.ceil(now + left) : 0;
  }

  /** Takes note of any reply's status and `Retry-After` (wall clock, ms). */
  note(status: number, retryAt: number | null, now: number): void {
    if (status < 400) {
      if (status < 300) this.#nextMs = FIRST_MS;
      return;
    }
    if (retryAt === null && status !== TOO_MANY && status !== BANNED) return;
    if (status === BANNED) this.#banned = true;
    if (retryAt !== null) this.#wait(retryAt - now, now);
    else {
      this.#wait(this.#nextMs, now);
      this.#nextMs = Math.min(2 * this.#nextMs, LONGEST_MS);
    }
    this.#tell();
  }

  /** The user asks again: a ban is forgotten, `Retry-After` is not. */
  resume(): void {
    if (!this.#banned) return;
    this.#banned = false;
    this.#tell();
  }

  /** Why nothing may be asked now, with the time left; null when it may. */
  refusal(now: number): Failure | null {
    const until = this.until(now);
    if (until === 0) return null;
    if (!Number.isFinite(until))
      return {
        kind: 'limited',
        message: 'The exchange has shut this address out (HTTP 418), so nothing is asked or sent.',
        next: 'Wait, then press Retry. Asking again too early may make it last longer.',
        status: BANNED,
      };
    return {
      kind: 'limited',
      message: `The exchange asked Ballast to wait: ${leftText(until - now)} left. Nothing is asked or sent until then.`,
      next: 'Ballast goes on by itself.',
      retryAt: until,
    };
  }

  /** Calls `listener` at each change; returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #wait(ms: number, now: number): void {
    this.#until = Math.max(this.#until, this.#steady(now) + ms);
  }
  #steady(now: number): number {
    return this.#mono?.() ?? now;
  }
  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** One limit for each base URL, for as long as the app runs. */
export function rateLimits(mono: () => number): (baseUrl: string) => RateLimit {
  const limits = new Map<string, RateLimit>();
  return (baseUrl) => {
    const known = limits.get(baseUrl) ?? new RateLimit(mono);
    limits.set(baseUrl, known);
    return known;
  };
}

const DAY_MS = 86_400_000;

/**
 * `Retry-After`: whole seconds or an HTTP date; ms since the epoch, at most a day ahead. A date counts from `date`, the
 * `Date` of the same reply, whatever that clock shows; a time that is over by both clocks says nothing.
 */
export function retryTime(header: string | null, now: number, date: number | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return now + Math.min(Number.parseInt(text, 10) * 1000, DAY_MS);
  const at = Date.parse(text);
  const left = [at - (date ?? now), at - now].find((ms) => ms > 0);
  return left === undefined ? null : now + Math.min(left, DAY_MS);
}
