/**
 * When a connection may be read: never while the exchange's rate limit forbids it, and not again and again while it
 * keeps failing. Breaker: 5 failures within 30 s open it; after a pause one GET is let through (half-open). Sends pass
 * by the rate limit alone: they never wait behind a poll, and none is ever the breaker's probe.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
const NEVER_OPENED = Number.NEGATIVE_INFINITY;

export interface RequestLimiter {
  /** Wall clock before which no read may start; 0 when open now. A half-open gate lets one caller through. */
  blockedUntil(now: number): number;
  /** Claims the one trial of a half-open gate; true when the read may start. */
  tryAcquire(now: number): boolean;
  succeeded(): void;
  failed(failure: Failure, now: number): void;
  /** The user asks again by hand: everything but `Retry-After` is forgotten. */
  resume(): void;
}

/**
 * @param limit takes note of replies by itself, in the client
 * @param mono ms by a clock that only goes on; without it the times passed in are taken for one
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
      // The exchange answers: it asks to wait, which the rate limit has noted.
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
