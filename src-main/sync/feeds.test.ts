import { describe, expect, it } from 'vitest';
import type { OpenOrder } from '../../src-shared/exchange-api/open-order.ts';
import { FEED_INTERVAL_MS, freshness, type FeedName } from '../../src-shared/ipc/feeds.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { FeedSet, type FeedRead } from './feeds.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { account, openOrder } from '../../tests/domain/order-samples.ts';
import { ManualTime } from '../../tests/shared/manual-time.ts';
import { RequestLimiter } from './request-limiter.ts';

const offline: Failure = { kind: 'offline', message: 'no route', next: 'wait' };
type Answer = Awaited<ReturnType<FeedRead<'openOrders'>>>;
const good: Answer = { ok: true, data: [], meta: { latencyMs: 5 } };

/** Creates feeds on a manual clock; every read stays pending until the test answers it. */
function createFixture(intervalFactor = 1) {
  let factor = intervalFactor;
  const time = new ManualTime(0);
  /** Shift of the wall clock, ms. */
  let clockShift = 0;
  const requests: { name: FeedName; at: number; result: (result: Answer) => Promise<void> }[] = [];
  const changed: FeedName[] = [];
  let listener = (): void => undefined;
  const read = (name: FeedName) => () => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    requests.push({
      name,
      at: time.now(),
      result: async (result) => {
        // The account is no list.
        resolve(result.ok && name === 'account' ? { ...result, data: account([]) as never } : result);
        await promise;
        // Until the limiter and the feed have taken it.
        await new Promise((taken) => setImmediate(taken));
      },
    });
    return promise as never;
  };
  const clock = { now: () => time.now() + clockShift, mono: time.mono };
  const feeds: FeedSet = new FeedSet({
    intervalFactor: () => factor,
    reads: {
      account: read('account'),
      openOrders: read('openOrders'),
      history: read('history'),
      contracts: read('contracts'),
    },
    limiter: new RequestLimiter(new RateLimit(), clock),
    clock,
    timers: time,
    changed(name) {
      changed.push(name);
      listener();
    },
  });
  return {
    feeds,
    requests,
    changed,
    advance: (to: number) => time.passUntil(to),
    setFactor: (next: number) => void (factor = next),
    setClock: (ms: number) => void (clockShift += ms),
    setListener: (next: () => void) => void (listener = next),
    only: (name: FeedName) => requests.filter((one) => one.name === name),
  };
}

/** The same, with its first reads in flight. */
async function started(intervalFactor?: number) {
  const b = createFixture(intervalFactor);
  b.feeds.start();
  await b.advance(0);
  return b;
}

describe('feeds', () => {
  it('keeps one request in flight per resource, however long it takes', async () => {
    const b = await started();
    expect(b.requests.map((one) => one.name).sort()).toEqual([
      'account',
      'contracts',
      'history',
      'openOrders',
    ]);
    await b.advance(60_000);
    b.feeds.refresh('openOrders');
    await b.advance(61_000);
    expect(b.only('openOrders')).toHaveLength(1);
    await b.only('openOrders')[0]!.result(good);
    await b.advance(61_000);
    expect(b.only('openOrders')).toHaveLength(2);
  });

  it('polls again one interval after the reply', async () => {
    const b = await started();
    await b.only('openOrders')[0]!.result(good);
    await b.advance(1_999);
    expect(b.only('openOrders')).toHaveLength(1);
    await b.advance(2_000);
    expect(b.only('openOrders')).toHaveLength(2);
  });

  it('polls on after a defect of what listens, which is reported as one', async () => {
    const listeners = process.listeners('unhandledRejection');
    const defects: unknown[] = [];
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', (one) => defects.push(one));
    try {
      const b = createFixture();
      const defect = new Error('a defect');
      b.setListener(() => {
        throw defect;
      });
      b.feeds.start();
      await b.advance(0);
      await b.only('openOrders')[0]!.result(good);
      expect(defects).toEqual([defect]);
      await b.advance(2_000);
      expect(b.only('openOrders')).toHaveLength(2);
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const one of listeners) process.on('unhandledRejection', one);
    }
  });

  it('polls all resources at the same times, however long their replies take', async () => {
    const b = createFixture();
    b.feeds.start();
    await b.advance(40);
    await b.only('openOrders')[0]!.result(good);
    await b.advance(60);
    await b.only('account')[0]!.result(good);
    await b.advance(2_000);
    expect(b.only('account')[1]!.at).toBe(1_000);
    expect(b.only('openOrders')[1]!.at).toBe(2_000);
    // A reply that took nearly the whole interval is not followed at once.
    await b.only('account')[1]!.result(good);
    await b.advance(3_000);
    await b.advance(3_900);
    await b.only('account')[2]!.result(good);
    await b.advance(4_999);
    expect(b.only('account')).toHaveLength(3);
    await b.advance(5_000);
    expect(b.only('account')).toHaveLength(4);
  });

  it('keeps the last good value through failures, with the time of the first', async () => {
    const b = await started();
    await b.only('openOrders')[0]!.result(good);
    await b.advance(2_000);
    await b.only('openOrders')[1]!.result({ ok: false, failure: offline });
    await b.advance(4_000);
    await b.only('openOrders')[2]!.result({ ok: false, failure: offline });
    expect(b.feeds.get('openOrders')).toMatchObject({
      value: [],
      receivedAt: 0,
      failure: offline,
      failingSince: 2_000,
    });
    await b.advance(6_000);
    await b.only('openOrders')[3]!.result(good);
    expect(b.feeds.get('openOrders')).toMatchObject({ failure: null, failingSince: null, receivedAt: 6_000 });
  });

  it('multiplies intervals and freshness limits by the factor', async () => {
    const b = await started(3);
    await b.only('openOrders')[0]!.result(good);
    await b.advance(5_999);
    expect(b.only('openOrders')).toHaveLength(1);
    await b.advance(6_000);
    expect(b.only('openOrders')).toHaveLength(2);
    await b.advance(18_000);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('fresh');
    await b.advance(18_001);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('slow');
  });

  it('takes the factor of each reply, which a feed keeps until the next or a refresh', async () => {
    const b = await started();
    b.setFactor(3);
    await b.only('openOrders')[0]!.result(good);
    b.setFactor(1);
    await b.advance(5_999);
    expect(b.only('openOrders')).toHaveLength(1);
    expect(b.feeds.get('openOrders').intervalFactor).toBe(3);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders', 12_001)).toBe('fresh');
    b.feeds.refresh('openOrders');
    expect(freshness(b.feeds.get('openOrders'), 'openOrders', 12_001)).toBe('stale');
    await b.advance(5_999);
    await b.only('openOrders')[1]!.result(good);
    expect(b.feeds.get('openOrders').intervalFactor).toBe(1);
    await b.advance(8_000);
    expect(b.only('openOrders')).toHaveLength(3);
  });

  it('polls in an interval that a timer can take, whatever the factor', async () => {
    const b = await started(30);
    await b.only('contracts')[0]!.result(good);
    const week = 7 * 24 * 3_600_000;
    await b.advance(week - 1);
    expect(b.only('contracts')).toHaveLength(1);
    await b.advance(week);
    expect(b.only('contracts')).toHaveLength(2);
  });

  it('measures age by the monotonic clock', async () => {
    const b = await started();
    await b.only('openOrders')[0]!.result(good);
    b.setClock(-3_600_000);
    await b.advance(20_000);
    expect(b.feeds.get('openOrders').age).toBe(20_000);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('stale');
  });

  it('reports nothing after a stop, also for a reply in flight', async () => {
    const b = await started();
    b.feeds.stop();
    await b.only('openOrders')[0]!.result(good);
    await b.advance(100_000);
    expect(b.changed).toEqual([]);
    expect(b.requests).toHaveLength(4);
  });

  it('shows the reason of a stop beside the last values and polls no more', async () => {
    const b = await started();
    await b.only('openOrders')[0]?.result(good);
    const requests = b.requests.length;
    const locked: Failure = { kind: 'locked', message: 'Locked.', next: 'Unlock.' };
    await b.advance(1_000);
    b.feeds.stop(locked);
    expect(b.feeds.get('openOrders')).toMatchObject({ value: [], receivedAt: 0, failure: locked });
    expect(b.feeds.get('account')).toMatchObject({ value: null, failure: locked, failingSince: 1_000 });
    b.feeds.refresh('account');
    await b.advance(60_000);
    expect(b.requests).toHaveLength(requests);
    expect(freshness(b.feeds.get('openOrders'), 'openOrders')).toBe('offline');
  });

  it('says why it stopped to a window that has what was read before the connection was opened anew', async () => {
    const before = await started();
    await before.requests[0]?.result(good);
    const after = createFixture();
    after.feeds.start();
    after.feeds.stop(offline);
    expect(after.feeds.get('account')).toMatchObject({ value: null, failure: offline });
    expect(after.feeds.get('account').serial).toBeGreaterThan(before.feeds.get('account').serial);
  });

  it('continues serial numbers across connections', async () => {
    const before = await started();
    await before.only('account')[0]?.result(good);
    const after = await started();
    expect(after.feeds.get('account').serial).toBeGreaterThan(before.feeds.get('account').serial);
  });

  it('keeps the order of the rows where a reply has the same ones in another: it is not documented', async () => {
    const b = createFixture();
    const ids = () => b.feeds.get('openOrders').value?.map(({ orderId, price }) => `${orderId} at ${price}`);
    b.feeds.start();
    let polls = 0;
    const reply = async (...rows: readonly OpenOrder[]): Promise<void> => {
      await b.advance(polls * FEED_INTERVAL_MS.openOrders);
      await b.only('openOrders')[polls++]?.result({ ...good, data: rows });
    };
    const [one, two, three] = ['1', '2', '3'].map((orderId) => openOrder({ orderId, price: '10' }));
    await reply(one!, two!);
    await reply(two!, { ...one!, price: '11' });
    expect(ids()).toEqual(['1 at 11', '2 at 10']);
    await reply(three!, two!, one!);
    expect(ids()).toEqual(['3 at 10', '2 at 10', '1 at 10']);
    // An id that is listed twice takes no other row's place.
    await reply(two!, two!, one!);
    expect(ids()).toEqual(['2 at 10', '2 at 10', '1 at 10']);
    await reply(three!, two!, one!);
    expect(ids()).toEqual(['3 at 10', '2 at 10', '1 at 10']);
  });
});
