/**
 * Decides when a connection may be read: the exchange's rate limit, and a circuit breaker that opens after 5 failures
 * within 30 s and after 15 s lets one GET through as a probe. Sends obey the rate limit alone: they never wait for the
 * breaker and are never its probe.
 */
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { Clock } from '../../src-shared/time.ts';
import type { RateLimit } from '../exchange/rate-limit.ts';

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
const NEVER_OPENED = Number.NEGATIVE_INFINITY;

export interface RequestLimiter {
  /** Returns the wall clock before which no read may start, ms; 0 if reads are not blocked. */
  blockedUntil(now: number): number;
  /**
   * Makes a read if one may start now, and records how it ended. While the breaker is half-open only the first caller's
   * may, as its probe. `isFault` reports whether a failure counts against the exchange; without it each does.
   */
  read<R extends Reply>(
    request: () => Promise<R>,
    isFault?: (failure: Failure) => boolean,
  ): Promise<R | Blocked>;
  /** Clears everything but `Retry-After`, when the user retries manually. */
  resume(): void;
}

type Reply = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };
/** Why a read was not made: none may start for this long. */
export interface Blocked {
  readonly waitMs: number;
}

/** Retry delay while reads are blocked without a known end. */
const RETRY_MS = 2_000;

/**
 * @param limit is updated by the client on every reply
 * @param clock without `mono` it must be monotonic itself
 */
export function createRequestLimiter(
  limit: Pick<RateLimit, 'until' | 'resume'>,
  clock: Clock & { mono?(): number },
): RequestLimiter {
  let openUntil = NEVER_OPENED;
  let probing = false;
  let failures: number[] = [];

  const monotonic = (now: number): number => clock.mono?.() ?? now;
  const blockedUntil = (now: number): number => {
    const left = openUntil - monotonic(now);
    return Math.max(limit.until(now), left > 0 ? now + left : 0);
  };

  function mayStart(now: number): boolean {
    if (blockedUntil(now) > 0) return false;
    if (openUntil === NEVER_OPENED) return true;
    if (probing) return false;
    probing = true;
    return true;
  }
  function closeBreaker(): void {
    failures = [];
    openUntil = NEVER_OPENED;
    probing = false;
  }
  function countFailure({ kind }: Failure): void {
    const at = monotonic(clock.now());
    const probed = probing;
    probing = false;
    // Not a fault: the exchange replied, and the rate limit has recorded the pause it requested.
    if (kind === 'limited') return;
    failures = [...failures.filter((one) => at - one < FAILURE_WINDOW_MS), at];
    if (probed || failures.length >= FAILURES_TO_OPEN) openUntil = at + OPEN_MS;
  }

  return {
    blockedUntil,
    async read(request, isFault = () => true) {
      const now = clock.now();
      if (!mayStart(now)) {
        const until = blockedUntil(now);
        return { waitMs: until > now && Number.isFinite(until) ? until - now : RETRY_MS };
      }
      const reply = await request();
      if (!reply.ok && isFault(reply.failure)) countFailure(reply.failure);
      else closeBreaker();
      return reply;
    },
    resume() {
      limit.resume();
      closeBreaker();
    },
  };
}
