import { describe, expect, it } from 'vitest';
import { freshness, type FeedName } from '../../src-shared/ipc/feeds.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { createFeeds, type FeedSet, type Read } from './feeds.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { createRequestLimiter } from './request-limiter.ts';

const offline: Failure = { kind: 'offline', message: 'no route', next: 'wait' };
type Answer = Awaited<ReturnType<Read<'openOrders'>>>;
const good: Answer = { ok: true, data: [], meta: { latencyMs: 5 } };

/** Feeds on a clock that the test moves; every read waits until the test answers it. */
function bench(pace?: number) {
  let now = 0;
  /** How far the wall clock was set. */
  let set = 0;
  let timers: { at: number; run: () => void }[] = [];
  const asked: { name: FeedName; at: number; answer: (answer: Answer) => Promise<void> }[] = [];
  const changed: FeedName[] = [];
  const read = (name: FeedName) => () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    asked.push({
      name,
      at: now,
      answer: async (answer) => {
        resolve(answer);
        await promise;
        await Promise.resolve();
      },
    });
    return promise as never;
  };
  const feeds: FeedSet = createFeeds({
    connectionId: 'practice',
    ...(pace === undefined ? {} : { pace }),
    reads: {
      account: read('account'),
      openOrders: read('openOrders'),
      history: read('history'),
      contracts: read('contracts'),
    },
    limiter: createRequestLimiter(new RateLimit()),
    clock: { now: () => now + set, mono: () => now },
    timers: {
      after(ms, run) {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
    changed: (name) => changed.push(name),
  });
  const advance = (to: number): void => {
    for (;;) {
      const next = timers.filter((one) => one.at <= to).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers = timers.filter((one) => one !== next);
      now = Math.max(now, next.at);
      next.run();
    }
    now = to;
  };
  return {
    feeds,
    asked,
    changed,
    advance,
    setClock: (ms: number) => void (set += ms),
    only: (name: FeedName) => asked.filter((one) => one.name === name),
  };
}

describe('feeds', () => {
  it('keeps one request in flight per resource, however long it takes', async () => {
    const b = bench();
    b.feeds.start();
    b.advance(0);
    expect(b.asked.map((one) => one.name).sort()).toEqual(['account', 'contracts', 'history', 'openOrders']);
    b.advance(60_000);
    b.feeds.refresh('openOrders');
    b.advance(61_000);
    expect(b.only('openOrders')).toHaveLength(1);
    await b.only('openOrders')[0]!.answer(good);
    b.advance(61_000);
    expect(b.only('openOrders')).toHaveLength(2);
  });

  it('asks again after its interval, counted from the answer', async () => {
    const b = bench();
    b.feeds.start();
    b.advance(0);
    await b.only('openOrders')[0]!.answer(good);
    b.advance(1_999);
    expect(b.only('openOrders')).toHaveLength(1);
    b.advance(2_000);
    expect(b.only('openOrders')).toHaveLength(2);
  });

  it('keeps the last good value through failures and says since when', async () => {
    const b = bench();
    b.feeds.start();
    b.advance(0);
    await b.only('openOrders')[0]!.answer(good);
    b.advance(2_000);
    await b.only('openOrders')[1]!.answer({ ok: false, failure: offline });
    b.advance(4_000);
    await b.only('openOrders')[2]!.answer({ ok: false, failure: offline });
    expect(b.feeds.get('openOrders')).toMatchObject({
      value: [],
      receivedAt: 0,
      failure: offline,
      failingSince: 2_000,
    });
    b.advance(6_000);
    await b.only('openOrders')[3]!.answer(good);
    expect(b.feeds.get('openOrders')).toMatchObject({ failure: null, failingSince: null, receivedAt: 6_000 });
  });

  it('reads a third as often at a pace of three, and says so for its age to be judged by', async () => {
    const b = bench(3);
    b.feeds.start();
    b.advance(0);
    await b.only('openOrders')[0]!.answer(good);
    b.advance(5_999);
    expect(b.only('openOrders')).toHaveLength(1);
    b.advance(6_000);
    expect(b.only('openOrders')).toHaveLength(2);
    b.advance(18_000);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('fresh');
    b.advance(18_001);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('slow');
  });

  it('grows old by a clock that nobody sets', async () => {
    const b = bench();
    b.feeds.start();
    b.advance(0);
    await b.only('openOrders')[0]!.answer(good);
    b.setClock(-3_600_000);
    b.advance(20_000);
    expect(b.feeds.get('openOrders').age).toBe(20_000);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('stale');
  });

  it('says nothing more after it was stopped, not even for an answer under way', async () => {
    const b = bench();
    b.feeds.start();
    b.advance(0);
    b.feeds.stop();
    await b.only('openOrders')[0]!.answer(good);
    b.advance(100_000);
    expect(b.changed).toEqual([]);
    expect(b.asked).toHaveLength(4);
  });

  it('stopped for a reason, shows it beside what was read last, and asks nothing more', async () => {
    const b = bench();
    b.feeds.start();
    b.advance(0);
    await b.only('openOrders')[0]?.answer(good);
    const asked = b.asked.length;
    const locked: Failure = { kind: 'locked', message: 'Locked.', next: 'Unlock.' };
    b.advance(1_000);
    b.feeds.stop(locked);
    expect(b.feeds.get('openOrders')).toMatchObject({ value: [], receivedAt: 0, failure: locked });
    expect(b.feeds.get('account')).toMatchObject({ value: null, failure: locked, failingSince: 1_000 });
    b.feeds.refresh('account');
    b.advance(60_000);
    expect(b.asked).toHaveLength(asked);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('offline');
  });

  it('is newer to the window than the feeds before it, though it begins anew', async () => {
    const before = bench();
    before.feeds.start();
    before.advance(0);
    await before.only('account')[0]?.answer(good);
    const after = bench();
    after.feeds.start();
    after.advance(0);
    expect(after.feeds.get('account').serial).toBeGreaterThan(before.feeds.get('account').serial);
  });
});
