import { describe, expect, it } from 'vitest';
import { RateLimit, rateLimits, retryTime } from './rate-limit.ts';

const MINUTE = 60_000;

describe('rate limit', () => {
  it('obeys Retry-After to the millisecond, whatever status it comes with', () => {
    for (const status of [400, 429, 503]) {
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

  it('doubles once for requests that were in flight together, as the feeds of several accounts are', () => {
    const limit = new RateLimit();
    for (const at of [0, 10, 300, 9_000]) limit.note(429, null, at);
    const until = 9_000 + MINUTE;
    expect(limit.until(9_000)).toBe(until);
    limit.note(429, null, until);
    limit.note(429, null, until + 10);
    expect(limit.until(until)).toBe(until + 2 * MINUTE);
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

  it('waits for no other reply, and forgets the doubling only after a success', () => {
    const limit = new RateLimit();
    for (const status of [200, 302, 399, 400, 404, 500, 503]) limit.note(status, null, 0);
    // A success or a redirect pauses nothing, whatever it says.
    limit.note(200, 9_000, 0);
    limit.note(399, 9_000, 0);
    expect(limit.until(0)).toBe(0);
    limit.note(429, null, 0);
    limit.note(300, null, 0);
    limit.note(429, null, MINUTE);
    expect(limit.until(MINUTE)).toBe(3 * MINUTE);
    limit.note(299, null, 3 * MINUTE);
    limit.note(429, null, 3 * MINUTE);
    expect(limit.until(3 * MINUTE)).toBe(4 * MINUTE);
  });

  it('bans for nothing but 418', () => {
    const limit = new RateLimit();
    limit.note(429, 2_000, 0);
    limit.note(503, 2_000, 0);
    expect(limit.until(0)).toBe(2_000);
  });

  it('notifies of each change until unsubscribed', () => {
    const limit = new RateLimit();
    let changes = 0;
    const stop = limit.onChange(() => changes++);
    limit.note(200, null, 0);
    limit.resume();
    expect(changes).toBe(0);
    limit.note(429, 2_000, 0);
    limit.note(418, null, 0);
    limit.resume();
    limit.resume();
    expect(changes).toBe(3);
    stop();
    limit.note(429, 2_000, 0);
    expect(changes).toBe(3);
  });

  it('is one for each host, however a base URL is written', () => {
    const limitOf = rateLimits(() => 0);
    limitOf('https://a.example').note(418, null, 0);
    for (const same of [
      'https://a.example',
      'https://a.example/',
      'https://A.example:443',
      'https://a.example/v2',
    ])
      expect(limitOf(same).until(0)).toBe(Number.POSITIVE_INFINITY);
    for (const other of ['https://b.example', 'https://a.example:8443', 'http://127.0.0.1', 'no address'])
      expect(limitOf(other).until(0)).toBe(0);
  });

  it('describes the time left', () => {
    const limit = new RateLimit();
    expect([limit.failure(0), limit.sendFailure(0)]).toEqual([null, null]);
    limit.note(429, 125_000, 0);
    expect(limit.failure(10_000)).toEqual({
      kind: 'limited',
      message: 'Rate limit of the exchange: 1 min 55 s left. Ballast sends no requests until then.',
      next: 'Reading resumes automatically.',
      retryAt: 125_000,
    });
    // Nobody must take it for a promise to send the order then.
    expect(limit.sendFailure(10_000)).toEqual({
      ...limit.failure(10_000),
      next: 'Nothing is sent on its own. Review it again after the pause.',
    });
    limit.note(418, null, 0);
    expect(limit.failure(0)).toEqual({
      kind: 'limited',
      message: expect.stringContaining('banned this IP address'),
      next: expect.stringContaining('press Retry'),
      status: 418,
    });
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
    expect(retryTime(text(now), now, now)).toBeNull();
    expect(retryTime('soon', now, now)).toBeNull();
    expect(retryTime(null, now, now)).toBeNull();
  });

  it('takes seconds as they are, and nothing for longer than a day', () => {
    expect(retryTime(' 0 ', now, null)).toBe(now);
    expect(retryTime('7', now, now - 40_000)).toBe(now + 7_000);
    expect(retryTime('999999999', now, null)).toBe(now + 86_400_000);
    for (const unreadable of ['7 s', 'in 7 s', '', '-7']) expect(retryTime(unreadable, now, now)).toBeNull();
    expect(retryTime(text(now + 9 * 86_400_000), now, now)).toBe(now + 86_400_000);
  });
});
