/** What reconciliation must not conclude, with scripted lists. */
import { describe, expect, it } from 'vitest';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { OrderHistoryQuery } from '../../../src-shared/exchange-api/endpoints.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import { RateLimit } from '../../exchange/rate-limit.ts';
import { RequestLimiter } from '../../sync/request-limiter.ts';
import { disownedIds, ownedIds } from '../journal/owned-ids.ts';
import { Reconciler } from './reconciler.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import type { IntentHead } from '../journal/lines.ts';
import { openOrder, pastOrder } from '../../../tests/domain/order-samples.ts';
import { HEAD, memoryFile } from '../../../tests/orders/memory-file.ts';
import { ManualTime } from '../../../tests/shared/manual-time.ts';

const NOW = 1_795_392_000_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const failure: Failure = { kind: 'server', message: 'down', next: 'wait' };
const head: IntentHead = {
  ...HEAD,
  body: '{"symbolId":"BTC-USDT-M","side":"BUY","type":"LIMIT","timeInForce":"GTC","quantity":1,"price":30000.0}',
};
const resting = (orderId: string, ctime: number): OpenOrder =>
  openOrder({
    ...{ side: 'BUY', price: '30000.0', totalQuantity: '1.000', quantity: '1.000', reduceOnly: false },
    ...{ orderId, uid: '1', ctime, mtime: ctime },
  });

const step = (event: 'record' | 'send' | 'lose' | 'close', at: number) => ({
  event,
  text: event,
  at,
  mono: 0,
});
async function record(
  journal: Journal,
  id: string,
  at: number,
  lost = true,
  change: Partial<IntentHead> = {},
): Promise<void> {
  const steps = [step('record', at), step('send', at), ...(lost ? [step('lose', at)] : [])];
  await journal.write(id, steps, { ...head, ...change });
}

async function setUp() {
  const file = memoryFile();
  const journal = await openJournal(file);
  const reports: (IntentRecord | 'unwritten')[] = [];
  const time = new ManualTime(NOW);
  const lists = {
    open: [] as OpenOrder[],
    /** Creation times of other orders in the history. */
    history: [] as number[],
    fails: (_query: OrderHistoryQuery): boolean => false,
    asked: 0,
    /** Creation times of orders by the exchange's record. */
    times: {} as Readonly<Record<string, number>>,
    /** Exchange clock − this computer's, ms. */
    offsetMs: 0 as number | null,
    during: (): Promise<void> => Promise.resolve(),
  };
  const limit = new RateLimit();
  const limiter = new RequestLimiter(limit, time);
  const reconciler = new Reconciler({
    connectionId: 'practice',
    journal,
    limiter,
    clock: time,
    timers: time,
    sendTimeoutMs: 15_000,
    position: () => 'long 2',
    orderTime: (id) => lists.times[id] ?? null,
    changed: (one) => reports.push(one),
    unwritten: () => reports.push('unwritten'),
    client: {
      openOrders() {
        lists.asked++;
        return Promise.resolve({ ok: true, data: lists.open, meta: { listed: lists.open.length } });
      },
      async orderHistory(query) {
        await lists.during();
        if (lists.fails(query)) return { ok: false, failure };
        const { startTime = 0, endTime = Infinity } = query;
        const data = lists.history
          .filter((at) => at >= startTime && at <= endTime)
          .slice(0, 1_000)
          .map((at) => pastOrder({ id: String(at), side: 'SELL', orderTime: at, mtime: at }));
        return { ok: true, data, meta: { listed: data.length } };
      },
      trades: () => Promise.resolve({ ok: false, failure }),
      clockOffsetMs: () => lists.offsetMs,
    },
  });
  /** Starts reconciliation and lets the time pass until then. */
  const run = (until: number): Promise<void> => {
    reconciler.start();
    return time.passUntil(until);
  };
  return { journal, file, reports, time, lists, limit, reconciler, run };
}

describe('reconciliation', () => {
  it('matches a new unknown outcome although an old one’s window cannot be read', async () => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'old', NOW - 9 * DAY);
    await record(journal, 'new', NOW - 1_000);
    lists.open = [resting('7', NOW - 900), resting('8', NOW - 9 * DAY + 10)];
    lists.fails = (query) => (query.startTime ?? 0) < NOW - DAY;
    await run(NOW);
    expect(journal.get('new')).toMatchObject({ state: 'matched', orderId: '7' });
    expect(journal.get('old')).toMatchObject({ state: 'unknown' });
    expect(journal.get('old')?.finding?.checks[0]?.verdict).toBe('undecided');
  });

  it('never matches an order that the user said is not theirs, with an identical request either', async () => {
    const { journal, time, lists, reconciler, run } = await setUp();
    await record(journal, 'a', NOW - 2_000);
    await record(journal, 'b', NOW - 1_000);
    lists.open = [resting('7', NOW - 900), resting('8', NOW - 800)];
    await run(NOW);
    expect(['a', 'b'].map((id) => journal.get(id)?.orderId)).toEqual(['7', '8']);
    for (const [id, orderId] of [
      ['a', '7'],
      ['b', '8'],
    ] as const)
      await journal.write(id, [{ event: 'disown', text: 'not mine', at: NOW, mono: 0, orderId }]);
    reconciler.reconcile('BTC-USDT-M');
    await time.pass(60_000);
    for (const id of ['a', 'b']) {
      expect(journal.get(id)?.state).toBe('unknown');
      expect(journal.get(id)?.finding?.checks.at(-1)?.verdict).toBe('absent');
    }
  });

  it('never matches a triggered stop with a lost order', async () => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'lost', NOW - 1_000);
    lists.open = [{ ...resting('7', NOW - 900), conditionOrderId: '55' }];
    await run(NOW);
    expect(journal.get('lost')).toMatchObject({ state: 'unknown', finding: { absent: 1 } });
  });

  it('ignores lists that were read before the outcome became unknown', async () => {
    const { journal, time, lists, run } = await setUp();
    await record(journal, 'first', NOW - 1_000);
    await record(journal, 'second', NOW - 500, false);
    lists.during = async () => {
      lists.during = () => Promise.resolve();
      await journal.write('second', [{ event: 'lose', text: 'lose', at: NOW, mono: 0 }]);
    };
    lists.open = [resting('7', NOW - 400)];
    await run(NOW);
    expect(journal.get('first')?.finding?.checks[0]?.verdict).toBe('undecided');
    expect(journal.get('second')?.finding).toBeUndefined();
    await time.passUntil(NOW + 1_000);
    expect(journal.get('second')?.finding?.checks[0]?.verdict).toBe('ambiguous');
  });

  it('makes and writes no round while reads are blocked', async () => {
    const { journal, time, lists, limit, run } = await setUp();
    await record(journal, 'a', NOW);
    limit.note(429, NOW + 60_000, NOW);
    await run(NOW + 59_000);
    expect([lists.asked, journal.get('a')?.finding]).toEqual([0, undefined]);
    await time.passUntil(NOW + 60_000);
    expect([lists.asked, journal.get('a')?.finding?.rounds]).toEqual([1, 1]);
  });

  it('stops with the connection: a round in flight writes nothing, and none follows', async () => {
    const { journal, time, lists, reconciler, run } = await setUp();
    await record(journal, 'a', NOW);
    await record(journal, 'other', NOW, true, {
      symbolId: 'ETH-USDT-M',
      body: head.body.replace('BTC', 'ETH'),
    });
    const reply = Promise.withResolvers<undefined>();
    lists.during = () => reply.promise;
    await run(NOW);
    const stopped = reconciler.stop();
    reply.resolve(undefined);
    await stopped;
    await time.passUntil(NOW + 60_000);
    expect([lists.asked, journal.get('a')?.finding]).toEqual([1, undefined]);
  });

  it.each([
    ['as the header says now', HOUR, {}, NOW - 10 * DAY],
    ['as it said at the send', 0, { clockOffsetMs: HOUR }, NOW - 1_000],
  ])('reads a history in parts up to the exchange’s clock, %s', async (_when, now, change, sentAt) => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'a', sentAt, true, change);
    lists.offsetMs = now;
    lists.history = Array.from({ length: 1_501 }, (_, n) => NOW + HOUR - 1_600_000 + n * 1_000);
    await run(NOW);
    expect(journal.get('a')?.finding?.checks[0]?.reads[1]).toMatchObject({
      outcome: 'complete',
      rows: 1_501,
    });
  });

  it('looks for a new unknown outcome as often beside an old one', async () => {
    const { journal, run } = await setUp();
    await record(journal, 'old', NOW - DAY);
    await record(journal, 'new', NOW - 1_000);
    await run(NOW + 120_000);
    expect(journal.get('new')?.finding?.rounds).toBeGreaterThan(8);
  });
});

describe('a round', () => {
  it('is described in the journal, with what it searched, read and found', async () => {
    const { journal, time, lists, reports, run } = await setUp();
    await record(journal, 'a', NOW - 1_000, true, { position: 'long 1' });
    lists.open = [resting('7', NOW - 900), resting('8', NOW - 800)];
    await run(NOW);
    const [check] = journal.get('a')?.finding?.checks ?? [];
    expect(check).toMatchObject({
      ...{ round: 1, at: NOW, since: NOW - 7_000, verdict: 'ambiguous', nextAt: NOW + 1_000 },
      hints: ['Position changed from long 1 to long 2'],
      candidates: [{ orderId: '7' }, { orderId: '8' }],
      text: 'Round 1: Open orders, 2 read; order history, 0 read. 2 orders match.',
    });
    expect(reports).toEqual([journal.get('a')]);
    await time.passUntil(NOW + 1_000);
    expect(journal.get('a')?.finding?.checks[1]).toMatchObject({ round: 2, nextAt: NOW + 3_000 });
  });

  it('keeps twenty candidates at most, and counts them all', async () => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'a', NOW - 1_000);
    lists.open = Array.from({ length: 25 }, (_, n) => resting(String(100 + n), NOW - 900 + n));
    await run(NOW);
    const [check] = journal.get('a')?.finding?.checks ?? [];
    expect(check?.candidates.map((one) => one.orderId)).toEqual(
      Array.from({ length: 20 }, (_, n) => String(100 + n)),
    );
    expect(check?.text).toContain('25 orders match.');
  });

  it('that cannot be written is reported and repeated', async () => {
    const { journal, file, reports, time, run } = await setUp();
    await record(journal, 'a', NOW - 1_000);
    file.full = true;
    await run(NOW);
    expect([reports, journal.get('a')?.finding]).toEqual([['unwritten'], undefined]);
    file.full = false;
    await time.passUntil(NOW + 1_000);
    expect(journal.get('a')?.finding?.rounds).toBe(1);
  });

  it('comes sooner while reads fail, and as planned once they succeed', async () => {
    const { journal, time, lists, run } = await setUp();
    const start = NOW - DAY / 12;
    await record(journal, 'a', start);
    lists.fails = () => true;
    await run(NOW + 97_000);
    const pauses = () => journal.get('a')?.finding?.checks.map(({ at, nextAt }) => (nextAt ?? 0) - at);
    expect(pauses()).toEqual([1_000, 2_000, 5_000, 10_000, 15_000, 64_000, 128_000]);
    // Nothing is called absent by a list that could not be read.
    expect(journal.get('a')?.finding).toMatchObject({ rounds: 7, absent: 0 });
    lists.fails = () => false;
    await time.passUntil(NOW + 225_000);
    expect(pauses()?.at(-1)).toBe(600_000);
  });

  it('is not delayed by a wall clock that is set', async () => {
    const { journal, time, lists, reconciler } = await setUp();
    await record(journal, 'a', NOW);
    reconciler.start();
    await time.pass(60_000);
    const asked = lists.asked;
    time.setWall(HOUR);
    await time.pass(60_000);
    expect(lists.asked - asked).toBe(3);
  });

  it('waits half a minute where nobody knows when reads may go on', async () => {
    const { journal, time, lists, limit, run } = await setUp();
    await record(journal, 'a', NOW);
    limit.note(418, NOW + 1, NOW);
    await run(NOW + 29_999);
    limit.resume();
    expect(lists.asked).toBe(0);
    await time.passUntil(NOW + 30_000);
    expect(lists.asked).toBe(1);
  });

  it('is made at once when asked for, with the first delays again and one at a time', async () => {
    const { journal, time, lists, reconciler, run } = await setUp();
    reconciler.reconcile('BTC-USDT-M');
    await record(journal, 'a', NOW);
    await time.passUntil(NOW + 10_000);
    expect(lists.asked).toBe(0);
    await run(NOW + 18_000);
    expect(lists.asked).toBe(4);
    reconciler.reconcile('BTC-USDT-M');
    await time.passUntil(NOW + 26_000);
    expect(lists.asked).toBe(8);
    await reconciler.stop();
    reconciler.reconcile('BTC-USDT-M');
    await time.passUntil(NOW + 60_000);
    expect(lists.asked).toBe(8);
  });
});

describe('a round of one symbol', () => {
  const ethereum = { symbolId: 'ETH-USDT-M', body: head.body.replace('BTC', 'ETH') };

  it('says nothing of another symbol’s orders', async () => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'btc', NOW - 1_000);
    await record(journal, 'eth', NOW - 1_000, true, ethereum);
    await run(NOW);
    const checks = ['btc', 'eth'].map((id) => journal.get(id)?.finding?.checks);
    expect(checks).toMatchObject([[{ verdict: 'absent', hints: [] }], [{ verdict: 'absent', hints: [] }]]);
    expect(lists.asked).toBe(2);
  });

  it('reads nothing for a request whose bytes cannot be read', async () => {
    const { journal, lists, reports, run } = await setUp();
    await record(journal, 'odd', NOW - 1_000, true, { body: '{' });
    await run(NOW + 60_000);
    expect([lists.asked, reports, journal.get('odd')?.state]).toEqual([0, [], 'unknown']);
  });

  it('is followed by none once all is matched', async () => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'a', NOW - 1_000);
    lists.open = [resting('7', NOW - 900)];
    await run(NOW + 600_000);
    expect([journal.get('a')?.state, lists.asked]).toEqual(['matched', 1]);
  });

  it('ends its own sequence where another was started meanwhile', async () => {
    const { journal, lists, reconciler, run } = await setUp();
    await record(journal, 'a', NOW);
    lists.during = () => {
      lists.during = () => Promise.resolve();
      reconciler.reconcile('BTC-USDT-M');
      return Promise.resolve();
    };
    await run(NOW + 3_000);
    // The one in flight, then those of the new sequence: at once, after 1 s and after 2 s more.
    expect(lists.asked).toBe(4);
  });

  it('reports nothing of an order that the user resolved while it was written', async () => {
    const { journal, file, time, lists, reports, run } = await setUp();
    await record(journal, 'a', NOW - 1_000);
    const append = file.append.bind(file);
    const disk = Promise.withResolvers<undefined>();
    lists.during = () => {
      file.append = (text) => disk.promise.then(() => append(text));
      void journal.write('a', [step('close', NOW)]);
      return Promise.resolve();
    };
    await run(NOW);
    disk.resolve(undefined);
    await time.rest();
    expect([journal.get('a')?.state, reports]).toEqual(['dismissed', []]);
  });
});

describe('the clock of a search', () => {
  const accept = async (
    journal: Journal,
    orderId: string,
    at: number,
    event: 'accept' | 'land',
    offset: number,
  ) => {
    await record(journal, orderId, at, event === 'land', { clockOffsetMs: offset });
    await journal.write(orderId, [{ event, text: event, at, mono: 0, orderId }]);
  };
  const verdictOf = async ({ journal, run }: Awaited<ReturnType<typeof setUp>>) => {
    await run(NOW);
    return journal.get('a')?.finding?.checks[0]?.verdict;
  };

  it('is the one that was read when the order was sent', async () => {
    const s = await setUp();
    await record(s.journal, 'a', NOW - 1_000, true, { clockOffsetMs: HOUR });
    s.lists.open = [resting('7', NOW + HOUR - 900)];
    expect(await verdictOf(s)).toBe('matched');
  });

  it.each([
    ['accept', 'absent'],
    ['land', 'matched'],
  ] as const)(
    'is that of the record of an accepted order, not of a matched one: %s',
    async (event, verdict) => {
      const s = await setUp();
      await accept(s.journal, '5', NOW - 2_000, event, 0);
      await record(s.journal, 'a', NOW - 1_000);
      s.lists.times = { '5': NOW + HOUR };
      s.lists.open = [resting('7', NOW - 900)];
      expect(await verdictOf(s)).toBe(verdict);
    },
  );

  it('is certain where the header said the same at an accepted order', async () => {
    const s = await setUp();
    await accept(s.journal, '5', NOW - 2_000, 'accept', HOUR);
    await record(s.journal, 'a', NOW - 1_000, true, { clockOffsetMs: HOUR });
    s.lists.times = { '5': NOW - 2_000 };
    s.lists.offsetMs = HOUR;
    expect(await verdictOf(s)).toBe('absent');
  });

  it.each([HOUR, -24 * HOUR])(
    'may be the one read now, where it was set by %i ms since the last reply before the send',
    async (set) => {
      for (const accepted of [true, false]) {
        const s = await setUp();
        if (accepted) await accept(s.journal, '5', NOW - set - 2_000, 'accept', 0);
        s.lists.times = { '5': NOW - set - 2_000 };
        await record(s.journal, 'a', NOW - 1_000, true, { clockOffsetMs: 0 });
        s.lists.offsetMs = -set;
        s.lists.open = [resting('7', NOW - set - 900)];
        expect([accepted, await verdictOf(s)]).toEqual([accepted, 'matched']);
      }
    },
  );

  it.each([null, 40_000, -40_000])(
    'proves no absence while no reply and no accepted order shows it; it is off by %s',
    async (by) => {
      const s = await setUp();
      await record(s.journal, 'a', NOW - 1_000);
      s.lists.offsetMs = null;
      if (by !== null) s.lists.open = [resting('7', NOW + by - 900)];
      // −40 s: by the exchange's clock it was created before what is searched.
      expect(await verdictOf(s)).toBe(by === 40_000 ? 'matched' : 'undecided');
      expect(s.journal.get('a')?.finding?.absent ?? 0).toBe(0);
    },
  );

  it('proves absence where an accepted order shows it and no reply does', async () => {
    const s = await setUp();
    await accept(s.journal, '5', NOW - 2_000, 'accept', 0);
    await record(s.journal, 'a', NOW - 1_000);
    s.lists.offsetMs = null;
    s.lists.times = { '5': NOW - 42_000 };
    expect(await verdictOf(s)).toBe('absent');
    s.lists.open = [resting('7', NOW - 40_900)];
    s.reconciler.reconcile('BTC-USDT-M');
    await s.time.pass(0);
    expect(s.journal.get('a')).toMatchObject({ state: 'matched', orderId: '7' });
  });

  it('is that of the accepted order nearest in time', async () => {
    const s = await setUp();
    await accept(s.journal, '4', NOW - 60_000, 'accept', 0);
    await accept(s.journal, '5', NOW - 3_000, 'accept', 0);
    await record(s.journal, 'a', NOW - 2_000, true, { clockOffsetMs: 0 });
    await accept(s.journal, '6', NOW, 'accept', 0);
    s.lists.times = { '4': NOW + HOUR, '5': NOW - 3_000, '6': NOW + HOUR };
    s.lists.open = [resting('7', NOW - 1_900)];
    expect(await verdictOf(s)).toBe('matched');
  });
});

describe('nothing is matched', () => {
  it('where the orders that existed before the send are not known', async () => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'a', NOW - 1_000, true, { knownIds: null });
    lists.open = [resting('7', NOW - 900)];
    await run(NOW);
    expect(journal.get('a')).toMatchObject({
      state: 'unknown',
      finding: { checks: [{ verdict: 'undecided', candidates: [{ orderId: '7' }] }] },
    });
  });

  it('while a dismissed request may own the order', async () => {
    const { journal, lists, run } = await setUp();
    await record(journal, 'dismissed', NOW - 2_000);
    await journal.write('dismissed', [step('close', NOW)]);
    await record(journal, 'a', NOW - 1_000);
    lists.open = [resting('7', NOW - 900)];
    await run(NOW);
    expect(journal.get('a')).toMatchObject({
      state: 'unknown',
      finding: { checks: [{ verdict: 'ambiguous' }] },
    });
    expect(journal.get('dismissed')).toMatchObject({ state: 'dismissed' });
  });
});

describe('owned ids', () => {
  const one = (id: string, orderId: string | null, createdAt: number, kind: 'live' | 'practice') =>
    ({ ...head, id, orderId, createdAt, connectionKind: kind }) as unknown as IntentRecord;

  it('exclude for ever on a live connection; practice reuses its numbers after each start', () => {
    for (const [kind, far] of [
      ['live', true],
      ['practice', false],
    ] as const) {
      const own = one('own', null, NOW, kind);
      const others = [one('a', '7', NOW - 1_000, kind), one('b', '8', NOW - DAY, kind)];
      const ids = ownedIds([own, ...others], own);
      expect([ids.has('7'), ids.has('8')]).toEqual([true, far]);
      const undone = others.map((other) => ({ ...other, orderId: null, disowned: [other.orderId ?? ''] }));
      expect(disownedIds([own, ...undone], own)).toEqual(far ? ['7', '8'] : ['7']);
    }
  });
});
