/**
 * When a connection may be asked: obeys `Retry-After`, 429 and 418, and stops knocking at a door that stays shut.
 *
 * - 429 without `Retry-After`: 60 s, doubling to 15 min. 418: everything stops until the person resumes.
 * - Pauses are counted by a clock that nobody sets, so that a computer whose clock jumps asks neither too early nor a
 *   day late. It may stand still while the computer sleeps: that only makes a pause longer.
 * - Breaker: 5 failures within 30 s open it; after a pause one GET is let through (half-open). Never a POST.
 */
import type { Failure } from '../../src-shared/contract/failures.ts';

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
const FIRST_LIMIT_MS = 60_000;
const LONGEST_LIMIT_MS = 15 * 60_000;
const BANNED_STATUS = 418;
const NEVER = Number.NEGATIVE_INFINITY;

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

/** @param mono ms by a clock that only goes on; without it the times that are handed in are taken for one */
export function createGate(mono: (() => number) | null = null): Gate {
  let limitedUntil = NEVER;
  let nextLimitMs = FIRST_LIMIT_MS;
  let openUntil = NEVER;
  let trial = false;
  let failures: number[] = [];
  let banned = false;

  const steady = (now: number): number => mono?.() ?? now;
  const closedUntil = (now: number): number => {
    if (banned) return Number.POSITIVE_INFINITY;
    const left = Math.max(limitedUntil, openUntil) - steady(now);
    return left > 0 ? now + left : 0;
  };

  return {
    closedUntil,
    enter(now) {
      if (closedUntil(now) > 0) return false;
      if (openUntil === NEVER) return true;
      if (trial) return false;
      trial = true;
      return true;
    },
    succeeded() {
      failures = [];
      openUntil = NEVER;
      trial = false;
      nextLimitMs = FIRST_LIMIT_MS;
    },
    failed(failure, now) {
      if (failure.status === BANNED_STATUS) banned = true;
      const at = steady(now);
      // Whatever it comes with: a 503 says it too.
      if (failure.retryAt !== undefined) limitedUntil = Math.max(limitedUntil, at + failure.retryAt - now);
      if (failure.kind === 'limited') {
        if (failure.retryAt === undefined) {
          limitedUntil = Math.max(limitedUntil, at + nextLimitMs);
          nextLimitMs = Math.min(2 * nextLimitMs, LONGEST_LIMIT_MS);
        }
        trial = false;
        return;
      }
      failures = [...failures.filter((one) => at - one < FAILURE_WINDOW_MS), at];
      if (trial || failures.length >= FAILURES_TO_OPEN) openUntil = at + OPEN_MS;
      trial = false;
    },
    resume() {
      banned = false;
      openUntil = NEVER;
      failures = [];
      trial = false;
    },
  };
}
