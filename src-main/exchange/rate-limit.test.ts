import { describe, expect, it } from 'vitest';
import { RateLimit, retryTime } from './rate-limit.ts';

const MINUTE = 60_000;

describe('rate limit', () => {
  it('obeys Retry-After to the millisecond, whatever status it comes with', () => {
    for (const status of [429, 503]) {
      const limit = new RateLimit();
      limit.note(status, 5_000, 1_000);
      expect(limit.until(4_999)).toBe(5_000);
      expect(limit.until(5_000)).toBe(0);
    }
  });

  it('never shortens a pause', () => {
    const limit = new RateLimit();
    limit.note(429, 50_000, 0);
    limit.note(429, 5_000, 0);
    expect(limit.until(0)).toBe(50_000);
  });

  it('waits 60 s after a bare 429, doubling up to 15 min until a reply succeeds', () => {
    const limit = new RateLimit();
    let now = 0;
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      limit.note(429, null, now);
      waits.push((limit.until(now) - now) / MINUTE);
      now = limit.until(now);
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 15]);
    limit.note(200, null, now);
    limit.note(429, null, now);
    expect(limit.until(now) - now).toBe(MINUTE);
  });

  it('stops at 418 until the user resumes, and keeps the time of Retry-After', () => {
    const limit = new RateLimit();
    limit.note(418, 2_000, 0);
    expect(limit.until(10 ** 12)).toBe(Number.POSITIVE_INFINITY);
    limit.resume();
    expect(limit.until(1_000)).toBe(2_000);
    expect(limit.until(2_000)).toBe(0);
  });

  it('measures by the monotonic clock', () => {
    let mono = 0;
    const limit = new RateLimit(() => mono);
    limit.note(429, 30_000, 0);
    // The wall clock jumps an hour ahead, then back.
    expect(limit.until(3_600_000)).toBe(3_630_000);
    mono = 30_000;
    expect(limit.until(-3_600_000)).toBe(0);
  });

  it('describes the time left', () => {
    const limit = new RateLimit();
    expect(limit.failure(0)).toBeNull();
    limit.note(429, 125_000, 0);
    expect(limit.failure(0)).toMatchObject({ kind: 'limited', retryAt: 125_000 });
    expect(limit.failure(0)?.message).toContain('2 min 5 s');
    limit.note(418, null, 0);
    expect(limit.failure(0)?.retryAt).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const text = (ms: number): string => new Date(ms).toUTCString();

  it('counts a date from the Date of the same reply, whichever way that clock is off', () => {
    for (const off of [-40_000, 0, 40_000])
      expect(retryTime(text(now + off + 30_000), now, now + off)).toBe(now + 30_000);
    expect(retryTime(text(now + 30_000), now, null)).toBe(now + 30_000);
  });

  it('takes this computer’s clock where the Date is past it, and says nothing where both are', () => {
    expect(retryTime(text(now + 30_000), now, now + 40_000)).toBe(now + 30_000);
    expect(retryTime(text(now - 30_000), now, now)).toBeNull();
    expect(retryTime('soon', now, now)).toBeNull();
  });

  it('takes seconds as they are, and nothing for longer than a day', () => {
    expect(retryTime(' 0 ', now, null)).toBe(now);
    expect(retryTime('999999999', now, null)).toBe(now + 86_400_000);
    expect(retryTime(text(now + 9 * 86_400_000), now, now)).toBe(now + 86_400_000);
  });
});
