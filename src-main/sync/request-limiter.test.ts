import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { RequestLimiter } from './request-limiter.ts';

const offline: Failure = { kind: 'offline', message: '', next: '' };
const limited: Failure = { kind: 'limited', status: 429, message: '', next: '' };

/** A limiter on a manual clock, and reads of its exchange; each says whether it was made. */
function createLimiter(limit = new RateLimit()) {
  const time = { at: 0 };
  const limiter = new RequestLimiter(limit, { now: () => time.at, mono: () => time.at });
  const read = async (at: number, failure: Failure | null = null, isFault?: () => boolean) => {
    time.at = at;
    const reply = failure === null ? ({ ok: true } as const) : ({ ok: false, failure } as const);
    return !('waitMs' in (await limiter.read(() => Promise.resolve(reply), isFault)));
  };
  return { time, limiter, read };
}

describe('request limiter', () => {
  it('blocks reads while the rate limit does, whichever request hit it', async () => {
    const limit = new RateLimit();
    const { limiter, read } = createLimiter(limit);
    limit.note(429, 5_000, 1_000);
    expect(await read(4_999)).toBe(false);
    expect(limiter.blockedUntil(4_999)).toBe(5_000);
    expect(await limiter.read(() => Promise.resolve({ ok: true }))).toEqual({ waitMs: 1 });
    expect(await read(5_000)).toBe(true);
  });

  it('opens the breaker after 5 failures in 30 s, then lets one probe through', async () => {
    const { time, limiter, read } = createLimiter();
    for (let at = 0; at < 5; at++) expect(await read(at, offline)).toBe(true);
    expect(await read(6)).toBe(false);
    const until = limiter.blockedUntil(6);
    const probe = Promise.withResolvers<{ ok: false; failure: Failure }>();
    time.at = until;
    const probing = limiter.read(() => probe.promise);
    expect(await read(until)).toBe(false);
    probe.resolve({ ok: false, failure: offline });
    await probing;
    expect(await read(until + 1)).toBe(false);
    const later = limiter.blockedUntil(until + 1);
    expect(await read(later)).toBe(true);
    expect(await read(later)).toBe(true);
  });

  it('keeps the breaker closed for a fifth failure after 30 s, for rate limits and for what is no fault', async () => {
    const { limiter, read } = createLimiter();
    const isOpenAfter = async (at: number, failure: Failure, isFault?: () => boolean) => {
      await read(at, failure, isFault);
      return limiter.blockedUntil(at) > 0;
    };
    for (let i = 0; i < 20; i++) expect(await isOpenAfter(i * 7_500, offline)).toBe(false);
    for (let i = 0; i < 20; i++) expect(await isOpenAfter(160_000 + i, limited)).toBe(false);
    for (let i = 0; i < 20; i++) expect(await isOpenAfter(160_100 + i, offline, () => false)).toBe(false);
  });

  it('forgets failures once a read succeeds, and says when to try again', async () => {
    const { limiter, read } = createLimiter();
    for (let at = 0; at < 12; at++) expect(await read(at, at % 4 === 3 ? null : offline)).toBe(true);
    const late = 3_600_000;
    for (let at = late; at < late + 5; at++) expect(await read(at, offline)).toBe(true);
    const left = limiter.blockedUntil(late + 4) - late - 4;
    expect(left).toBeGreaterThan(0);
    expect(await limiter.read(() => Promise.resolve({ ok: true }))).toEqual({ waitMs: left });
    limiter.resume();
    expect(await read(late + 5)).toBe(true);
  });

  it('lets the user resume after a ban', async () => {
    const limit = new RateLimit();
    const { limiter, read } = createLimiter(limit);
    limit.note(418, 2_000, 0);
    expect(await read(10 ** 12)).toBe(false);
    limiter.resume();
    expect(await read(10 ** 12)).toBe(true);
  });
});
