/**
 * Decides when a connection may be read: the exchange's rate limit, and a circuit breaker that opens after 5 failures
 * within 30 s and after 15 s lets one GET through as a probe. Sends obey the rate limit alone: they never wait for the
 * breaker and are never its probe.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { MonotonicClock } from '../../src-shared/time.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
const NEVER_OPENED = Number.NEGATIVE_INFINITY;

type Reply = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };
/** Why a read was not made: none may start for this long. */
export interface Blocked {
  readonly waitMs: number;
}

/** Retry delay while reads are blocked without a known end. */
const RETRY_MS = 2_000;

export class RequestLimiter {
  readonly #limit: Pick<RateLimit, 'until' | 'resume'>;
  readonly #clock: MonotonicClock;
  #openUntil = NEVER_OPENED;
  #probing = false;
  #failures: readonly number[] = [];

  /** @param limit is updated by the client on every reply */
  constructor(limit: Pick<RateLimit, 'until' | 'resume'>, clock: MonotonicClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Returns the wall clock before which no read may start, ms; 0 if reads are not blocked. */
  blockedUntil(now: number): number {
    const left = this.#openUntil - this.#clock.mono();
    return Math.max(this.#limit.until(now), left > 0 ? now + left : 0);
  }

  /**
   * Makes a read if one may start now, and records how it ended. While the breaker is half-open only the first caller's
   * may, as its probe. `isFault` reports whether a failure counts against the exchange; without it each does.
   */
  async read<R extends Reply>(
    request: () => Promise<R>,
    isFault: (failure: Failure) => boolean = () => true,
  ): Promise<R | Blocked> {
    const now = this.#clock.now();
    if (!this.#mayStart(now)) {
      const until = this.blockedUntil(now);
      return { waitMs: until > now && Number.isFinite(until) ? until - now : RETRY_MS };
    }
    const reply = await request();
    if (!reply.ok && isFault(reply.failure)) this.#countFailure(reply.failure);
    else this.#close();
    return reply;
  }

  /** Clears everything but `Retry-After`, when the user retries manually. */
  resume(): void {
    this.#limit.resume();
    this.#close();
  }

  #mayStart(now: number): boolean {
    if (this.blockedUntil(now) > 0) return false;
    if (this.#openUntil === NEVER_OPENED) return true;
    if (this.#probing) return false;
    this.#probing = true;
    return true;
  }

  #close(): void {
    this.#failures = [];
    this.#openUntil = NEVER_OPENED;
    this.#probing = false;
  }

  #countFailure({ kind }: Failure): void {
    const at = this.#clock.mono();
    const probed = this.#probing;
    this.#probing = false;
    // Not a fault: the exchange replied, and the rate limit has recorded the pause it requested.
    if (kind === 'limited') return;
    this.#failures = [...this.#failures.filter((one) => at - one < FAILURE_WINDOW_MS), at];
    if (probed || this.#failures.length >= FAILURES_TO_OPEN) this.#openUntil = at + OPEN_MS;
  }
}
