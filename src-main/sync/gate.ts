/**
 * When a connection may be asked: obeys `Retry-After`, 429 and 418, and stops knocking at a door that stays shut.
 *
 * - 429 without `Retry-After`: 60 s, doubling to 15 min. 418: everything stops until the person resumes.
 * - Breaker: 5 failures within 30 s open it; after a pause one GET is let through (half-open). Never a POST.
 */
import type { Failure } from '../../src-shared/contract/failures.ts';

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
const FIRST_LIMIT_MS = 60_000;
const LONGEST_LIMIT_MS = 15 * 60_000;
const BANNED_STATUS = 418;

export interface Gate {
  /** Wall clock before which no read may start; 0 when open now. A half-open gate lets one caller through. */
  closedUntil(now: number): number;
  /** Claims the one trial of a half-open gate; true when the read may start. */
  enter(now: number): boolean;
  succeeded(): void;
  failed(failure: Failure, now: number): void;
  /** The person asks again by hand: everything but `Retry-After` is forgotten. */
  resume(): void;
}

export function createGate(): Gate {
  let limitedUntil = 0;
  let nextLimitMs = FIRST_LIMIT_MS;
  let openUntil = 0;
  let trial = false;
  let failures: number[] = [];
  let banned = false;

  const closedUntil = (now: number): number => {
    if (banned) return Number.POSITIVE_INFINITY;
    const until = Math.max(limitedUntil, openUntil);
    return until > now ? until : 0;
  };

  return {
    closedUntil,
    enter(now) {
      if (closedUntil(now) > 0) return false;
      if (openUntil === 0) return true;
      if (trial) return false;
      trial = true;
      return true;
    },
    succeeded() {
      failures = [];
      openUntil = 0;
      trial = false;
      nextLimitMs = FIRST_LIMIT_MS;
    },
    failed(failure, now) {
      if (failure.status === BANNED_STATUS) banned = true;
      if (failure.kind === 'limited') {
        limitedUntil = Math.max(limitedUntil, failure.retryAt ?? now + nextLimitMs);
        if (failure.retryAt === undefined) nextLimitMs = Math.min(2 * nextLimitMs, LONGEST_LIMIT_MS);
        trial = false;
        return;
      }
      failures = [...failures.filter((at) => now - at < FAILURE_WINDOW_MS), now];
      if (trial || failures.length >= FAILURES_TO_OPEN) openUntil = now + OPEN_MS;
      trial = false;
    },
    resume() {
      banned = false;
      openUntil = 0;
      failures = [];
      trial = false;
    },
  };
}
