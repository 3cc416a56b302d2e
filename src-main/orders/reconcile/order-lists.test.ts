import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import type { OrderHistoryQuery } from '../../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { RateLimit } from '../../exchange/rate-limit.ts';
import { RequestLimiter } from '../../sync/request-limiter.ts';
import { openOrder, pastOrder } from '../../../tests/domain/order-samples.ts';
import { roundText } from './messages.ts';
import { readLists, type ListPorts } from './order-lists.ts';

const NOW = 1_795_392_000_000;
const LIMIT = 1000;

const past = (id: number, orderTime: number): HistoryOrder =>
  pastOrder({ id: String(id), orderTime, mtime: orderTime, tradeQuantity: '0', status: 'NEW' });

const listing = <T>(data: readonly T[], listed = data.length) =>
  ({ ok: true, data, meta: { listed } }) as const;

const clock = { now: () => NOW, mono: () => NOW };

/** An exchange that returns at most `cap` rows, in no defined order. */
function ports(
  orders: readonly HistoryOrder[],
  fails: (query: OrderHistoryQuery) => boolean = () => false,
  cap = LIMIT,
) {
  const asked: OrderHistoryQuery[] = [];
  const failure: Failure = { kind: 'server', message: 'down', next: 'wait' };
  const self: ListPorts = {
    client: {
      openOrders: () => Promise.resolve(listing([])),
      orderHistory(query) {
        asked.push(query);
        if (fails(query)) return Promise.resolve({ ok: false, failure });
        const { startTime = 0, endTime = Infinity } = query;
        const rows = orders.filter((one) => one.orderTime >= startTime && one.orderTime <= endTime);
        return Promise.resolve(listing(rows.slice(0, cap)));
      },
    },
    limiter: new RequestLimiter(new RateLimit(), clock),
  };
  return { self, asked };
}
const spread = (count: number, from: number, every: number): HistoryOrder[] =>
  Array.from({ length: count }, (_, index) => past(index + 1, from + index * every));

describe('reading order history', () => {
  it('halves windows until none is full, and misses nothing', async () => {
    const from = NOW - 600_000;
    const { self, asked } = ports(spread(4_321, from, 120));
    const read = await readLists(self, 'BTC-USDT-M', [from], NOW);
    expect(read.orders.size).toBe(4_321);
    expect(read.reads[1]).toEqual({ list: 'order-history', outcome: 'complete', rows: 4_321 });
    expect(read.completeSince).toBe(from);
    // The newest window has no end: the API does not document which time the filter means.
    expect(asked.filter((one) => one.endTime === undefined).at(-1)?.startTime).toBeGreaterThan(from);
  });

  it('reports 1,000 rows in one millisecond as cut: there may be more', async () => {
    const { self } = ports(spread(1_000, NOW - 5_000, 0));
    const read = await readLists(self, 'BTC-USDT-M', [NOW - 6_000], NOW);
    expect(read.reads[1]?.outcome).toBe('incomplete');
    expect(read.completeSince).toBeNull();
  });

  it('halves windows of an exchange that lists fewer than requested, and misses nothing', async () => {
    const from = NOW - 600_000;
    for (const cap of [50, 100, 500]) {
      const { self } = ports(spread(620, from, 900), undefined, cap);
      const read = await readLists(self, 'BTC-USDT-M', [from], NOW);
      expect(read.orders.size).toBe(620);
      expect(read.completeSince).toBe(from);
    }
  });

  it('takes a round number of rows as all where the exchange lists more without a filter', async () => {
    const { self, asked } = ports([...spread(100, NOW - 5_000, 0), past(999, 1)]);
    const read = await readLists(self, 'BTC-USDT-M', [NOW - 6_000], NOW);
    expect([read.completeSince, read.orders.size]).toEqual([NOW - 6_000, 100]);
    expect(asked).toHaveLength(2);
  });

  it('reports 999 rows as complete', async () => {
    const { self } = ports(spread(999, NOW - 5_000, 0));
    expect((await readLists(self, 'BTC-USDT-M', [NOW - 6_000], NOW)).completeSince).toBe(NOW - 6_000);
  });

  it('reads a newer search completely before an older one', async () => {
    const [old, young] = [NOW - 9 * 86_400_000, NOW - 20_000];
    const { self } = ports(spread(10, young, 1_000), (query) => (query.startTime ?? 0) < young - 1);
    const read = await readLists(self, 'BTC-USDT-M', [old, young], NOW);
    expect(read.completeSince).toBe(young);
    expect(read.orders.size).toBe(10);
    expect(read.reads[1]?.outcome).toBe('failed');
  });

  it('ends a round that would take too many reads', async () => {
    const { self, asked } = ports(spread(80_000, NOW - 80_000, 1));
    const read = await readLists(self, 'BTC-USDT-M', [NOW - 80_000], NOW);
    expect(read.completeSince).toBeNull();
    expect(read.reads[1]?.outcome).toBe('incomplete');
    expect(asked).toHaveLength(32);
    // The read that shows the most rows the exchange lists is one of them.
    const capped = ports(spread(80_000, NOW - 80_000, 1), () => false, 100);
    await readLists(capped.self, 'BTC-USDT-M', [NOW - 80_000], NOW);
    expect(capped.asked).toHaveLength(32);
    expect(capped.asked.filter((one) => one.symbolId === undefined)).toHaveLength(1);
  });

  describe('many orders of one millisecond', () => {
    /** Nothing since NOW − 5 s, and these before. */
    const readBefore = async (orders: readonly HistoryOrder[], cap = LIMIT) => {
      const { self, asked } = ports(orders, () => false, cap);
      const read = await readLists(self, 'BTC-USDT-M', [NOW - 5_000, NOW - 5_040], NOW);
      expect(asked.length).toBeLessThan(32);
      return [read.reads[1]?.outcome, read.reads[1]?.rows, read.completeSince];
    };

    it('may be more than 1,000, wherever they are in the window', async () => {
      for (const at of [NOW - 5_035, NOW - 5_005])
        expect(await readBefore([...spread(1_000, at, 0), past(2_000, NOW - 5_020)])).toEqual([
          'incomplete',
          expect.any(Number),
          NOW - 5_000,
        ]);
    });

    it('are all where there is no other millisecond to look in', async () => {
      const orders = spread(100, NOW - 5_020, 0);
      expect(await readBefore(orders, 100)).toEqual(['complete', 100, NOW - 5_040]);
    });
  });

  it('counts unreadable records: any may be the order', async () => {
    const { self } = ports(spread(3, NOW - 5_000, 1));
    const unreadable = [1, 2].map((n) => ({ record: 'order', message: '', symbolId: null, raw: String(n) }));
    const client = {
      openOrders: () =>
        Promise.resolve({ ...listing([]), meta: { listed: 1, unreadable: unreadable.slice(1) } }),
      orderHistory: async (query: OrderHistoryQuery) => {
        const reply = await self.client.orderHistory(query);
        return reply.ok ? { ...reply, meta: { listed: 5, unreadable } } : reply;
      },
    };
    const read = await readLists({ ...self, client }, 'BTC-USDT-M', [NOW - 6_000], NOW);
    expect(read.reads).toEqual([
      { list: 'open-orders', outcome: 'incomplete', rows: 0, unreadable: 1 },
      { list: 'order-history', outcome: 'incomplete', rows: 3, unreadable: 2 },
    ]);
    expect(read.completeSince).toBeNull();
    const check = { at: NOW, since: NOW, candidates: [], hints: [], nextAt: null };
    expect(roundText({ ...check, round: 1, verdict: 'undecided', reads: read.reads })).toBe(
      'Round 1: Open orders, 0 read and 1 record that cannot be read; order history, 3 read and 2 records that cannot be read. No conclusion.',
    );
  });

  it('asks for windows 1 ms wider than searched, and for no time below 0', async () => {
    const { self, asked } = ports(spread(3, NOW - 5_000, 1));
    const read = await readLists(self, 'BTC-USDT-M', [NOW - 9_000, NOW - 4_999, NOW - 9_000], NOW);
    expect(asked).toEqual([
      { symbolId: 'BTC-USDT-M', startTime: NOW - 5_000, limit: LIMIT },
      { symbolId: 'BTC-USDT-M', startTime: NOW - 9_001, endTime: NOW - 4_999, limit: LIMIT },
    ]);
    // The order on the border is listed in both.
    expect(read).toMatchObject({ completeSince: NOW - 9_000, reads: [{}, { rows: 3 }] });
    await readLists(self, 'BTC-USDT-M', [0], NOW);
    expect(asked.at(-1)).toEqual({ symbolId: 'BTC-USDT-M', startTime: 0, limit: LIMIT });
  });

  it('reports each list with the failure that ended it', async () => {
    const { self } = ports([], () => true);
    const failure: Failure = { kind: 'offline', message: 'away', next: 'wait' };
    const client = { ...self.client, openOrders: () => Promise.resolve({ ok: false as const, failure }) };
    expect((await readLists({ ...self, client }, 'BTC-USDT-M', [NOW], NOW)).reads).toEqual([
      { list: 'open-orders', outcome: 'failed', rows: 0, failure },
      {
        list: 'order-history',
        outcome: 'failed',
        rows: 0,
        failure: { kind: 'server', message: 'down', next: 'wait' },
      },
    ]);
  });

  it('makes each read through the limiter', async () => {
    const { self } = ports([], () => true);
    const ends: unknown[] = [];
    const limiter: ListPorts['limiter'] = {
      async read(request) {
        const reply = await request();
        ends.push(reply.ok ? 'ok' : reply.failure.kind);
        return reply;
      },
    };
    await readLists({ ...self, limiter }, 'BTC-USDT-M', [NOW], NOW);
    expect(ends).toEqual(['ok', 'server']);
  });

  it('reads nothing while requests are blocked', async () => {
    const limit = new RateLimit();
    limit.note(429, NOW + 1_000, NOW);
    const { self: open, asked } = ports([]);
    const self = { ...open, limiter: new RequestLimiter(limit, clock) };
    const read = await readLists(self, 'BTC-USDT-M', [NOW], NOW);
    expect(asked).toEqual([]);
    const failure = {
      kind: 'limited',
      message: expect.stringContaining('paused'),
      next: expect.stringContaining('resumes'),
    };
    expect(read.reads).toMatchObject([
      { outcome: 'failed', failure },
      { outcome: 'failed', failure },
    ]);
    expect(read.completeSince).toBeNull();
  });

  it('reports a list full of other contracts’ orders as cut', async () => {
    const { self } = ports([]);
    const client = { ...self.client, openOrders: () => Promise.resolve(listing([], LIMIT)) };
    const read = await readLists({ ...self, client }, 'BTC-USDT-M', [NOW - 6_000], NOW);
    expect(read.reads[0]).toEqual({ list: 'open-orders', outcome: 'incomplete', rows: 0 });
    expect(read.completeSince).toBeNull();
  });

  describe('open orders of a round number may be cut', () => {
    const FROM = NOW - 6_000;
    /** Reads 100 open orders, the first of them created at these times, beside this history. */
    async function read(past: readonly HistoryOrder[], created: readonly number[] = []) {
      const { self, asked } = ports(past);
      const open = Array.from({ length: 100 }, (_, n) =>
        openOrder({ orderId: String(n + 1), ctime: created[n] ?? FROM - 1 }),
      );
      const client = { ...self.client, openOrders: () => Promise.resolve(listing(open)) };
      const { reads, completeSince } = await readLists({ ...self, client }, 'BTC-USDT-M', [FROM], NOW);
      return { outcome: reads[0]?.outcome, completeSince, last: asked.at(-1) };
    }
    const cut = { outcome: 'incomplete', completeSince: null };
    const whole = { outcome: 'complete', completeSince: FROM };

    it('unless the exchange lists more elsewhere', async () => {
      expect(await read(spread(100, 1, 0))).toMatchObject({ ...cut, last: { startTime: 1, limit: LIMIT } });
      expect(await read(spread(101, 1, 0))).toMatchObject(whole);
    });

    it('unless the history has all of those created since it is complete', async () => {
      expect(await read([past(1, FROM), past(2, NOW)], [FROM, NOW])).toMatchObject(whole);
      expect(await read([past(1, FROM)], [FROM, NOW])).toMatchObject(cut);
      // One created just when it begins to be complete is not an older one.
      expect(await read([past(2, NOW)], [FROM, NOW])).toMatchObject(cut);
      expect(await read([past(1, FROM)], [FROM])).toMatchObject(whole);
      // Where none was created since, nothing shows that it would list them.
      expect(await read([past(1, FROM - 1), past(2, FROM)])).toMatchObject(cut);
    });
  });

  it('takes no open orders for all because a part of the history lists them', async () => {
    const newer = spread(103, NOW - 60, 0);
    const older = spread(950, NOW - 6_000, 0).map((one) => ({ ...one, id: `9${one.id}` }));
    // The newer part is read; the older one and the list without a contract fail.
    const fails = ({ startTime, endTime = Infinity }: OrderHistoryQuery): boolean =>
      startTime === 1 || endTime < NOW - 60;
    const { self } = ports([...newer, ...older], fails);
    const open = newer.slice(0, 100).map(({ id }) => openOrder({ orderId: id, ctime: NOW - 60 }));
    const client = { ...self.client, openOrders: () => Promise.resolve(listing(open)) };
    const read = await readLists({ ...self, client }, 'BTC-USDT-M', [NOW - 6_000], NOW);
    expect(read.orders.size).toBe(103);
    expect(read).toMatchObject({
      completeSince: null,
      reads: [{ outcome: 'incomplete' }, { outcome: 'failed' }],
    });
  });

  it('asks for as many open orders of the contract as a list may have', async () => {
    const { self } = ports([]);
    const asked: unknown[] = [];
    const openOrders: ListPorts['client']['openOrders'] = (query) => {
      asked.push(query);
      return Promise.resolve(listing([]));
    };
    await readLists({ ...self, client: { ...self.client, openOrders } }, 'BTC-USDT-M', [NOW], NOW);
    expect(asked).toEqual([{ symbolId: 'BTC-USDT-M', limit: LIMIT }]);
  });

  it('makes no read beyond those of a round to learn how many rows are listed', async () => {
    const { self, asked } = ports([]);
    const open = Array.from({ length: 100 }, (_, n) => openOrder({ orderId: String(n), ctime: NOW - 9_000 }));
    const client = { ...self.client, openOrders: () => Promise.resolve(listing(open)) };
    const starts = Array.from({ length: 32 }, (_, n) => NOW - 100 * (n + 1));
    const read = await readLists({ ...self, client }, 'BTC-USDT-M', starts, NOW);
    expect(asked).toHaveLength(32);
    expect(read).toMatchObject({
      completeSince: null,
      reads: [{ outcome: 'incomplete' }, { outcome: 'complete' }],
    });
  });

  it('reports full open orders as cut', async () => {
    const { self } = ports([]);
    const open = { orderId: '1', symbolId: 'BTC-USDT-M', tpSl: null };
    const full: ListPorts = {
      ...self,
      client: {
        ...self.client,
        openOrders: () => Promise.resolve(listing(Array<never>(LIMIT).fill(open as never))),
      },
    };
    expect((await readLists(full, 'BTC-USDT-M', [NOW], NOW)).completeSince).toBeNull();
  });
});
