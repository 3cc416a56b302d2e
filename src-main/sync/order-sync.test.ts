import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import type { OrderHistoryQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import { openRecords, orderNumber } from '../../tests/archive/orders.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { RequestLimiter } from './request-limiter.ts';
import { OrderSync, type OrderSyncPorts } from './order-sync.ts';
import { ManualTime, NOW } from '../../tests/shared/manual-time.ts';

const HOUR = 3_600_000;
const OFFLINE: Failure = { kind: 'offline', message: 'gone', next: '' };

interface Listing {
  /** Most rows of a reply; a round number, as such limits are. */
  readonly cap: number;
  readonly ordering: 'asc' | 'desc' | 'none';
  /** Which of startTime and endTime are included. */
  readonly bounds?: 'both' | 'neither' | 'start' | 'end';
  /** Contract and id are ignored. */
  readonly ignoresFilters?: boolean;
  readonly ignoresTimes?: boolean;
  /** Times filter by last change, not by creation. */
  readonly filtersChange?: boolean;
  /** Lists only the orders of this long ago where no start is given, ms. */
  readonly defaultRange?: number;
}

/** An exchange with an order history; `beforeReply` injects failures. */
function createExchange(listing: Listing) {
  const {
    cap,
    ordering,
    bounds = 'both',
    ignoresFilters = false,
    ignoresTimes = false,
    filtersChange = false,
    defaultRange,
  } = listing;
  const opens = bounds === 'both' || bounds === 'start' ? 0 : 1;
  const closes = bounds === 'both' || bounds === 'end' ? 0 : 1;
  const timeOf = (one: HistoryOrder): number => (filtersChange ? one.mtime : one.orderTime);
  const list = new Map<string, HistoryOrder>();
  /** Ids that cannot be read, nor the time where `noTime`. */
  const unreadable = new Set<string>();
  let noTime = false;
  const queries: OrderHistoryQuery[] = [];
  let inFlight = 0;
  let most = 0;
  let before: (query: OrderHistoryQuery) => Failure | null = () => null;
  return {
    list,
    unreadable,
    hideTimes() {
      noTime = true;
    },
    queries,
    mostInFlight: () => most,
    beforeReply: (hook: (query: OrderHistoryQuery) => Failure | null) => {
      before = hook;
    },
    clockOffsetMs: () => 0,
    async orderHistory(query: OrderHistoryQuery) {
      queries.push(query);
      most = Math.max(most, ++inFlight);
      await Promise.resolve();
      inFlight--;
      const failure = before(query);
      if (failure !== null) return { ok: false, failure } as const;
      const isWanted = (one: HistoryOrder): boolean =>
        (query.orderId === undefined || one.id === query.orderId) &&
        (query.symbolId === undefined || one.symbolId === query.symbolId);
      const found = [...list.values()]
        .filter(
          (one) =>
            (ignoresFilters || isWanted(one)) &&
            (ignoresTimes ||
              (timeOf(one) >=
                (query.startTime ?? (defaultRange === undefined ? -1 : NOW - defaultRange)) + opens &&
                timeOf(one) <= (query.endTime ?? Infinity) - closes)),
        )
        .sort((a, b) =>
          ordering === 'none'
            ? Number.parseInt(a.id.slice(-2), 10) - Number.parseInt(b.id.slice(-2), 10)
            : (ordering === 'asc' ? 1 : -1) * (a.orderTime - b.orderTime),
        );
      const listed = found.slice(0, Math.min(cap, query.limit ?? cap));
      const hidden = listed
        .filter((one) => unreadable.has(one.id))
        .map(({ orderTime, symbolId }) => ({
          ...{ record: 'order history', message: 'data[0].id: expected digits, received null', symbolId },
          raw: JSON.stringify({ id: null, orderTime: noTime ? 'soon' : orderTime, symbolId }),
        }));
      const data = listed.filter((one) => isWanted(one) && !unreadable.has(one.id));
      const meta = { listed: listed.length, ...(hidden.length === 0 ? {} : { unreadable: hidden }) };
      return { ok: true, data, meta } as const;
    },
  };
}
type Exchange = ReturnType<typeof createExchange>;

const opened: (() => void)[] = [];
afterAll(() => opened.forEach((close) => close()));

/** The real archive writer without its worker, so that a test needs no real time. */
function createStore() {
  const { db, strings, writer, close } = openRecords();
  opened.push(close);
  const result = <T>(data: T) => Promise.resolve({ ok: true, data } as const);
  const store: OrderSyncPorts['archive'] = {
    orderState: () => result(writer.state()),
    insertOrders: (rows, checkpoint, gaps) => result(writer.insert(rows, checkpoint, gaps, NOW)),
    nonFinalOrders: (...input) => result(writer.nonFinal(...input)),
    symbols: () => result([]),
  };
  /** Returns id, status and update time of every stored order. */
  const storedOrders = (): string[] =>
    db
      .prepare('SELECT CAST(id AS TEXT) AS id, status, mtime FROM history_order')
      .all()
      .map((row) => `${String(row['id'])} ${strings.valueOf(Number(row['status']))} ${String(row['mtime'])}`)
      .sort();
  return { store, writer, storedOrders };
}
const listedOrders = (exchange: Exchange): string[] =>
  [...exchange.list.values()].map((one) => `${one.id} ${one.status} ${one.mtime}`).sort();

function createSync(
  exchange: Exchange,
  store: OrderSyncPorts['archive'],
  time: ManualTime,
  onVerified: () => void = () => undefined,
) {
  let reports = 0;
  const sync = new OrderSync({
    client: exchange,
    archive: store,
    limiter: new RequestLimiter(new RateLimit(), time),
    clock: time,
    timers: time,
    onStatus: () => {
      reports += 1;
    },
    listed: () => ['BTC-USDT-M', 'ETH-USDT-M', 'BTC-USD-M'],
    onVerified,
    restMs: 0,
  });
  return { sync, reports: () => reports };
}
/** Ages an hour apart. */
const hourly = (count: number): number[] => Array.from({ length: count }, (_, n) => n * HOUR);
/** Orders at random times, many in one millisecond; some still resting. */
function fill(exchange: Exchange, ages: readonly number[], sameMs: number): void {
  let n = 0;
  const put = (orderTime: number): void => {
    const resting = n % 9 === 4;
    const order = orderNumber(n, { orderTime, mtime: orderTime + 7, ...(resting ? { status: 'NEW' } : {}) });
    exchange.list.set(order.id, order);
    n += 1;
  };
  for (const age of ages) put(NOW - HOUR - age);
  // In two neighbouring milliseconds, so that no window has one of them alone by chance.
  for (let i = 0; i < sameMs; i++) put(NOW - 5 * HOUR + (i % 2));
}

/** Runs the sync for a minute and returns the stored orders each time the history was called verified. */
async function verifiedIn(time: ManualTime, exchange: Exchange): Promise<readonly string[][]> {
  const { store, storedOrders } = createStore();
  const verified: string[][] = [];
  const { sync } = createSync(exchange, store, time, () => verified.push(storedOrders()));
  sync.start();
  await time.pass(60_000);
  await sync.stop();
  return verified;
}

describe('the order sync', () => {
  it('verifies no time to come, though a pass began by a clock that was days ahead', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 1_000, ordering: 'asc' });
    // The clock is corrected by the replies of the first pass.
    const clockOffsetMs = (): number => (exchange.queries.length === 0 ? 72 * HOUR : 0);
    const { store } = createStore();
    const { sync } = createSync({ ...exchange, clockOffsetMs }, store, time);
    sync.start();
    await time.pass(5_000);
    const seen = exchange.queries.length;
    await time.pass(15 * 60_000);
    expect(exchange.queries[seen]).toMatchObject({ startTime: NOW - 60_000 - 24 * HOUR - 1 });
    await sync.stop();
  });

  it('verifies nothing without an order that changed during the pass, where times filter by last change', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 50, ordering: 'desc', filtersChange: true });
    fill(exchange, hourly(70), 0);
    const old = orderNumber(90, { orderTime: NOW - 90 * HOUR, mtime: NOW - 90 * HOUR, status: 'NEW' });
    exchange.list.set(old.id, old);
    exchange.beforeReply(() => {
      const isPastNewer = exchange.queries.length === 4;
      if (isPastNewer) exchange.list.set(old.id, { ...old, status: 'FILLED', mtime: NOW });
      return null;
    });
    expect(await verifiedIn(time, exchange)).toEqual([listedOrders(exchange)]);
  });

  it('reads all that changed during a long pass, more than one reply lists, before it verifies', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 50, ordering: 'desc', filtersChange: true });
    fill(exchange, hourly(70), 0);
    const resting = Array.from({ length: 70 }, (_, n) =>
      orderNumber(100 + n, { orderTime: NOW - (90 + n) * HOUR, mtime: NOW - (90 + n) * HOUR, status: 'NEW' }),
    );
    for (const one of resting) exchange.list.set(one.id, one);
    exchange.beforeReply(() => {
      if (exchange.queries.length !== 4) return null;
      // The pass takes long, and most of its windows are read.
      time.setWall(HOUR / 6);
      for (const [n, one] of resting.entries())
        exchange.list.set(one.id, { ...one, status: 'FILLED', mtime: NOW + n });
      return null;
    });
    expect(await verifiedIn(time, exchange)).toEqual([listedOrders(exchange)]);
  });

  it('misses nothing after days without the app in a pass that began by a clock that was ahead', async () => {
    const exchange = createExchange({ cap: 1_000, ordering: 'asc' });
    const place = (n: number, orderTime: number): void => {
      const order = orderNumber(n, { orderTime, mtime: orderTime });
      exchange.list.set(order.id, order);
    };
    place(0, NOW - HOUR);
    const clockOffsetMs = (): number => (exchange.queries.length === 0 ? 720 * HOUR : 0);
    const { store, storedOrders } = createStore();
    // The app ends once the pass has no more windows.
    const ended: OrderSyncPorts['archive'] = {
      ...store,
      insertOrders: (rows, ...rest) =>
        rows.length === 0 ? new Promise(() => undefined) : store.insertOrders(rows, ...rest),
    };
    const before = new ManualTime();
    createSync({ ...exchange, clockOffsetMs }, ended, before).sync.start();
    await before.pass(5_000);
    expect(storedOrders()).toEqual(listedOrders(exchange));

    const after = new ManualTime(NOW + 240 * HOUR);
    place(1, NOW + 24 * HOUR);
    const { sync } = createSync(exchange, store, after);
    sync.start();
    await after.pass(20 * 60_000);
    expect(sync.status().state).toBe('complete');
    expect(storedOrders()).toEqual(listedOrders(exchange));
    await sync.stop();
  });

  it('stores every order in its last state, for any cap, row order, change, fault and kill', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          cap: fc.constantFrom(50, 100, 1_000),
          ordering: fc.constantFrom('asc', 'desc', 'none'),
          bounds: fc.constantFrom('both', 'neither', 'start', 'end'),
        }),
        fc.array(fc.integer({ min: 0, max: 2_000 * HOUR }), { maxLength: 150 }),
        // Spread over three contracts, so that one contract's share of a millisecond fits a cap of 50.
        fc.constantFrom(0, 49, 120),
        fc.array(fc.record({ at: fc.nat(40), what: fc.constantFrom('offline', 'kill', 'pause') }), {
          maxLength: 5,
        }),
        async (how, ages, sameMs, events) => {
          const time = new ManualTime();
          const exchange = createExchange(how);
          fill(exchange, ages, sameMs);
          const { store, writer, storedOrders } = createStore();
          let current = createSync(exchange, store, time);
          exchange.beforeReply(() => {
            const now = events.filter((one) => one.at === exchange.queries.length).map((one) => one.what);
            if (now.includes('kill')) {
              void current.sync.stop();
              current = createSync(exchange, store, time);
              current.sync.start();
            } else if (now.includes('pause')) {
              current.sync.pause();
              current.sync.start();
            }
            return now.includes('offline') ? OFFLINE : null;
          });
          current.sync.start();
          for (let n = 0; n < 60 && current.sync.status().state !== 'complete'; n++)
            await time.pass(HOUR / 60);
          expect(current.sync.status()).toMatchObject({ state: 'complete', failure: null, quarantined: 0 });
          expect(storedOrders()).toEqual(listedOrders(exchange));
          expect(writer.gaps()).toEqual([]);
          // Resting orders end, long after their creation left the overlap.
          for (const order of exchange.list.values())
            if (order.status === 'NEW')
              exchange.list.set(order.id, { ...order, status: 'CANCELED', mtime: NOW });
          // Leaves time for another injected fault.
          await time.pass(2 * HOUR);
          expect(storedOrders()).toEqual(listedOrders(exchange));
          expect(current.sync.status().unsettled).toBe(0);
          await current.sync.stop();
        },
      ),
      { numRuns: 12 },
    );
  });

  it('marks a full millisecond of one contract as a gap and reads the rest', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 50, ordering: 'asc' });
    for (let n = 0; n < 200; n++) {
      const order = orderNumber(3 * n, { orderTime: NOW - HOUR, mtime: NOW - HOUR });
      exchange.list.set(order.id, order);
    }
    const early = orderNumber(1, { orderTime: NOW - 9 * HOUR });
    exchange.list.set(early.id, early);
    const { store, writer, storedOrders } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(60_000);
    expect(sync.status().state).toBe('complete');
    expect(writer.gaps()).toMatchObject([{ from: NOW - HOUR, to: NOW - HOUR, symbol: 'BTC-USDT-M' }]);
    expect(storedOrders()).toHaveLength(51);
    await sync.stop();
  });

  it.each([false, true])(
    'marks unreadable records as gaps of their time (time hidden: %s)',
    async (hidden) => {
      const time = new ManualTime();
      const exchange = createExchange({ cap: 50, ordering: 'desc' });
      fill(exchange, hourly(130), 0);
      const ids = [...exchange.list.values()].slice(60, 62);
      for (const { id } of ids) exchange.unreadable.add(id);
      if (hidden) exchange.hideTimes();
      const { store, writer } = createStore();
      const { sync } = createSync(exchange, store, time);
      sync.start();
      await time.pass(HOUR);
      expect(sync.status()).toMatchObject({ state: 'complete', stored: 128 });
      const gaps = writer.gaps();
      for (const { orderTime } of ids)
        expect(gaps.some((gap) => gap.from <= orderTime && gap.to >= orderTime)).toBe(true);
      expect(gaps.every((gap) => /^\d records? of this time cannot be read\.$/.test(gap.reason))).toBe(true);
      if (hidden) for (const gap of gaps) expect(gap.to - gap.from).toBeLessThan(200 * HOUR);
      else expect(gaps.map((gap) => gap.from)).toEqual(ids.map((one) => one.orderTime).sort());
      await sync.stop();
    },
  );

  it('has one gap of a record without a time, however often it is read again', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 50, ordering: 'desc' });
    fill(exchange, [HOUR, 2 * HOUR], 0);
    const [hidden] = exchange.list.keys();
    exchange.unreadable.add(hidden ?? '');
    exchange.hideTimes();
    const { store, writer } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(HOUR);
    const before = writer.gaps();
    await time.pass(3 * HOUR);
    const [gap, ...others] = writer.gaps();
    expect([before.length, others]).toEqual([1, []]);
    expect(gap).toMatchObject({
      from: before[0]?.from,
      symbol: before[0]?.symbol,
      reason: before[0]?.reason,
    });
    await sync.stop();
  });

  it('resumes at the window where it was killed, then reads only the overlap', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 50, ordering: 'desc' });
    fill(exchange, hourly(200), 0);
    const { store, storedOrders } = createStore();
    const first = createSync(exchange, store, time);
    exchange.beforeReply(() => {
      if (exchange.queries.length === 30) void first.sync.stop();
      return null;
    });
    first.sync.start();
    await time.pass(10_000);
    const requests = exchange.queries.length;
    expect(requests).toBe(30);
    const second = createSync(exchange, store, time);
    second.sync.start();
    await time.pass(10_000);
    expect(storedOrders()).toEqual(listedOrders(exchange));
    // Only the request in flight at the kill is repeated.
    expect(exchange.queries[requests]).toEqual(exchange.queries[requests - 1]);
    const seen = exchange.queries.length;
    await time.pass(15 * 60_000);
    const later = exchange.queries.slice(seen).filter((query) => query.startTime !== undefined);
    expect(later[0]).toMatchObject({ endTime: NOW + 10_000 + 15 * 60_000 - 60_000 + 1 });
    expect(later.every((query) => (query.startTime ?? 0) >= NOW - 25 * HOUR)).toBe(true);
    expect(exchange.mostInFlight()).toBe(1);
    await second.sync.stop();
  });

  it.each(['both', 'neither', 'start', 'end'] as const)(
    'reads neighbouring crowded milliseconds completely, inclusive bounds: %s',
    async (bounds) => {
      const time = new ManualTime();
      const exchange = createExchange({ cap: 1_000, ordering: 'desc', bounds });
      for (let n = 0; n < 3_120; n++) {
        const orderTime = NOW - HOUR + Math.floor(n / 520);
        const order = orderNumber(n, { orderTime, mtime: orderTime, symbolId: 'BTC-USDT-M' });
        exchange.list.set(order.id, order);
      }
      const { store, writer, storedOrders } = createStore();
      const { sync } = createSync(exchange, store, time);
      sync.start();
      await time.pass(60_000);
      expect(sync.status().state).toBe('complete');
      expect(writer.gaps()).toEqual([]);
      expect(storedOrders()).toEqual(listedOrders(exchange));
      await sync.stop();
    },
  );

  it('refreshes an open order where the exchange ignores the id filter', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 50, ordering: 'desc', ignoresFilters: true });
    fill(exchange, hourly(120), 0);
    const { store, storedOrders } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(10_000);
    for (const order of exchange.list.values())
      if (order.status === 'NEW') exchange.list.set(order.id, { ...order, status: 'CANCELED', mtime: NOW });
    await time.pass(HOUR);
    expect(storedOrders()).toEqual(listedOrders(exchange));
    await sync.stop();
  });

  it('requests nothing while paused, and stores polled orders at once', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 50, ordering: 'asc' });
    fill(exchange, [0, HOUR], 0);
    const { store, storedOrders } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    sync.pause();
    await time.pass(10_000);
    expect(sync.status().state).toBe('paused');
    const requests = exchange.queries.length;
    await time.pass(HOUR);
    expect(exchange.queries).toHaveLength(requests);
    const fresh = orderNumber(77, { orderTime: NOW, mtime: NOW, status: 'NEW' });
    sync.offer([fresh]);
    await time.pass(0);
    expect(storedOrders()).toContain(`${fresh.id} NEW ${NOW}`);
    sync.offer([{ ...fresh, id: '77', mtime: NOW + 24 * HOUR }]);
    const later = time.now() + 1;
    sync.offer([{ ...fresh, status: 'FILLED', mtime: later }]);
    await time.pass(0);
    expect(storedOrders()).toContain(`${fresh.id} FILLED ${later}`);
    await sync.stop();
  });

  it('does not ask for ever where the exchange ignores the times, and verifies nothing', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 1_000, ordering: 'desc', ignoresTimes: true });
    fill(
      exchange,
      Array.from({ length: 1_200 }, (_, n) => n * 60_000),
      0,
    );
    const { store, storedOrders } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(60_000);
    expect(storedOrders()).toHaveLength(1_000);
    expect(sync.status()).toMatchObject({ state: 'failed', completedAt: null, gaps: 0 });
    expect(sync.status().failure?.message).toMatch(
      /1000 orders, most of them outside .*startTime \d+, endTime \d+/,
    );
    expect(exchange.queries.length).toBeLessThan(60);
    await time.pass(2 * HOUR);
    expect(exchange.queries.length).toBeLessThan(80);
    await sync.stop();
  });

  it('asks for an order of an undocumented status until a week after its last change', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 1_000, ordering: 'desc' });
    const orders = ['EXPIRED', 'NEW'].map((status, n) =>
      orderNumber(n, { orderTime: NOW, mtime: NOW, status }),
    );
    for (const one of orders) exchange.list.set(one.id, one);
    const { store } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    const requested = async (ms: number): Promise<(boolean | undefined)[]> => {
      exchange.queries.length = 0;
      await time.pass(ms);
      return orders.map(({ id }) => exchange.queries.some(({ orderId }) => orderId === id));
    };
    expect(await requested(6 * 24 * HOUR)).toEqual([true, true]);
    await requested(25 * HOUR);
    expect(await requested(HOUR)).toEqual([false, true]);
    // It may still change, for all that is known.
    expect(sync.status()).toMatchObject({ unsettled: 2, state: 'complete' });
    await sync.stop();
  });

  it('asks ever less for an order that the exchange lists no more, and stores it once it does again', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 1_000, ordering: 'desc' });
    const order = orderNumber(0, { orderTime: NOW, mtime: NOW, status: 'NEW' });
    const { store, storedOrders } = createStore();
    await store.insertOrders([order], null, []);
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(10 * 24 * HOUR);
    const asked = exchange.queries.filter(({ orderId }) => orderId === order.id);
    // Two requests each, where 15-minute passes alone would make 1,900.
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.length).toBeLessThan(40);
    exchange.list.set(order.id, { ...order, status: 'CANCELED' });
    await time.pass(24 * HOUR);
    expect(storedOrders()).toEqual([`${order.id} CANCELED ${NOW}`]);
    expect(sync.status()).toMatchObject({ unsettled: 0, state: 'complete' });
    await sync.stop();
  });

  it('refreshes an old order where the exchange lists its last days only if no start is given', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 1_000, ordering: 'desc', defaultRange: 7 * 24 * HOUR });
    const old = orderNumber(4, { orderTime: NOW - 500 * HOUR, mtime: NOW - 500 * HOUR, status: 'NEW' });
    exchange.list.set(old.id, old);
    const { store, storedOrders } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(5_000);
    exchange.list.set(old.id, { ...old, status: 'FILLED', mtime: NOW });
    await time.pass(HOUR);
    expect(storedOrders()).toEqual(listedOrders(exchange));
    await sync.stop();
  });

  it('asks for the other orders that can change though one of them is refused', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 1_000, ordering: 'desc' });
    // Older than the next pass reads again.
    fill(
      exchange,
      Array.from({ length: 40 }, (_, n) => (n + 2_000) * 60_000),
      0,
    );
    const { store, storedOrders } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(5_000);
    const resting = [...exchange.list.values()].filter((one) => one.status === 'NEW');
    for (const one of resting)
      exchange.list.set(one.id, { ...one, status: 'CANCELED', mtime: one.mtime + 1 });
    const [refused] = resting;
    exchange.beforeReply(({ orderId }) =>
      orderId === refused?.id ? { kind: 'server', message: 'code 500', next: '' } : null,
    );
    await time.pass(HOUR);
    const missing = listedOrders(exchange).filter((one) => !storedOrders().includes(one));
    expect(missing).toEqual([expect.stringContaining(refused?.id ?? '')]);
    expect(sync.status()).toMatchObject({ unsettled: 1, state: 'complete' });
    await sync.stop();
  });
});
