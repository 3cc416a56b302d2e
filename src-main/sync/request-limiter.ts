/**
 * Decides when a connection may be read: the exchange's rate limit, and a circuit breaker that opens after 5 failures
 * within 30 s and after 15 s lets one GET through as a probe. Sends obey the rate limit alone: they never wait for the
 * breaker and are never its probe.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
const NEVER_OPENED = Number.NEGATIVE_INFINITY;

export interface RequestLimiter {
  /** Returns the wall clock before which no read may start, ms; 0 if reads are not blocked. */
  blockedUntil(now: number): number;
  /** Reports whether a read may start. While the breaker is half-open only the first caller gets true, as its probe. */
  tryAcquire(now: number): boolean;
  succeeded(): void;
  failed(failure: Failure, now: number): void;
  /** Clears everything but `Retry-After`, when the user retries manually. */
  resume(): void;
}

/** Retry delay while reads are blocked without a known end. */
const RETRY_MS = 2_000;

/** Returns how long to wait before asking for a read again, ms; null if it may start now. */
export function waitToRead(
  limiter: Pick<RequestLimiter, 'tryAcquire' | 'blockedUntil'>,
  now: number,
): number | null {
  if (limiter.tryAcquire(now)) return null;
  const until = limiter.blockedUntil(now);
  return until > now && Number.isFinite(until) ? until - now : RETRY_MS;
}

/**
 * @param limit is updated by the client on every reply
 * @param mono returns monotonic ms; without it the times passed in must be monotonic
 */
export function createRequestLimiter(
  limit: Pick<RateLimit, 'until' | 'resume'>,
  mono: (() => number) | null = null,
): RequestLimiter {
  let openUntil = NEVER_OPENED;
  let probing = false;
  let failures: number[] = [];

  const monotonic = (now: number): number => mono?.() ?? now;
  const blockedUntil = (now: number): number => {
    const left = openUntil - monotonic(now);
    return Math.max(limit.until(now), left > 0 ? now + left : 0);
  };

  return {
    blockedUntil,
    tryAcquire(now) {
      if (blockedUntil(now) > 0) return false;
      if (openUntil === NEVER_OPENED) return true;
      if (probing) return false;
      probing = true;
      return true;
    },
    succeeded() {
      failures = [];
      openUntil = NEVER_OPENED;
      probing = false;
    },
    failed(failure, now) {
      const at = monotonic(now);
      const probed = probing;
      probing = false;
      // Not a fault: the exchange replied, and the rate limit has recorded the pause it requested.
      if (failure.kind === 'limited') return;
      failures = [...failures.filter((one) => at - one < FAILURE_WINDOW_MS), at];
      if (probed || failures.length >= FAILURES_TO_OPEN) openUntil = at + OPEN_MS;
    },
    resume() {
      limit.resume();
      openUntil = NEVER_OPENED;
      failures = [];
      probing = false;
    },
  };
}
