import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { createRequestLimiter } from './request-limiter.ts';

const offline: Failure = { kind: 'offline', message: '', next: '' };
const limited: Failure = { kind: 'limited', status: 429, message: '', next: '' };

describe('request limiter', () => {
  it('blocks reads while the rate limit does, whichever request hit it', () => {
    const limit = new RateLimit();
    const limiter = createRequestLimiter(limit);
    limit.note(429, 5_000, 1_000);
    expect(limiter.tryAcquire(4_999)).toBe(false);
    expect(limiter.blockedUntil(4_999)).toBe(5_000);
    expect(limiter.tryAcquire(5_000)).toBe(true);
  });

  it('opens the breaker after 5 failures in 30 s, then lets one probe through', () => {
    const limiter = createRequestLimiter(new RateLimit());
    for (let at = 0; at < 4; at++) limiter.failed(offline, at);
    expect(limiter.tryAcquire(4)).toBe(true);
    limiter.failed(offline, 5);
    expect(limiter.tryAcquire(6)).toBe(false);
    const until = limiter.blockedUntil(6);
    expect(limiter.tryAcquire(until)).toBe(true);
    expect(limiter.tryAcquire(until)).toBe(false);
    limiter.failed(offline, until);
    expect(limiter.tryAcquire(until + 1)).toBe(false);
    const later = limiter.blockedUntil(until + 1);
    expect(limiter.tryAcquire(later)).toBe(true);
    limiter.succeeded();
    expect(limiter.tryAcquire(later)).toBe(true);
    expect(limiter.tryAcquire(later)).toBe(true);
  });

  it('keeps the breaker closed for failures more than 30 s apart and for rate limits', () => {
    const limiter = createRequestLimiter(new RateLimit());
    for (let i = 0; i < 20; i++) limiter.failed(offline, i * 8_000);
    expect(limiter.tryAcquire(20 * 8_000)).toBe(true);
    for (let i = 0; i < 20; i++) limiter.failed(limited, 160_000 + i);
    expect(limiter.tryAcquire(161_000)).toBe(true);
  });

  it('lets the user resume after a ban', () => {
    const limit = new RateLimit();
    const limiter = createRequestLimiter(limit);
    limit.note(418, 2_000, 0);
    expect(limiter.tryAcquire(10 ** 12)).toBe(false);
    limiter.resume();
    expect(limiter.tryAcquire(10 ** 12)).toBe(true);
  });
});
