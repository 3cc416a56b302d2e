import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../src-shared/ipc/failures.ts';
import { NO_FILTER } from '../../src-shared/ipc/trades.ts';
import type { TradesQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import type { UnreadableRecord } from '../../src-shared/exchange-api/replies.ts';
import { openDatabase } from '../archive/sqlite/database.ts';
import { NoteStore } from '../archive/notes/store.ts';
import { TradeReader } from '../archive/trades/query.ts';
import { TradeWriter } from '../archive/trades/writer.ts';
import { StringTable } from '../archive/sqlite/string-table.ts';
import { RateLimit } from '../exchange/rate-limit.ts';
import { RequestLimiter } from './request-limiter.ts';
import { ManualTime, NOW } from '../../tests/shared/manual-time.ts';
import { FIRST_CHECKPOINT, printCheckpoint } from './trade-checkpoint.ts';
import type { TradeStore } from './trade-source.ts';
import { gapsOf } from './unreadable-records.ts';
import { TradeSync, type TradeSyncStatus } from './trade-sync.ts';
import { tradeNumber } from '../../tests/archive/trade-number.ts';

const HOUR = 3_600_000;

interface ExchangeOptions {
  base?: 0 | 1;
  /** Most rows of a page. */
  cap?: number;
  /** Page 0 of a base-1 exchange: an error, nothing, or page 1 again. The page after the last likewise. */
  beyond?: 'error' | 'empty' | 'clamp';
  oldestFirst?: boolean;
  /** Counts pages in the requested size but fills only `cap` rows of each. */
  hasWrongPageCounts?: boolean;
  /** Lists and counts only this long before endTime where startTime is left out, ms. */
  defaultRange?: number;
  /** Rejects any larger page. */
  largest?: number;
  /** Sorts trades of equal times one way on even pages, the other way on odd ones. */
  hasUnstableTies?: boolean;
}

const FAULT: Failure = { kind: 'server', message: 'code 500', next: '' };
const OFFLINE: Failure = { kind: 'offline', message: 'gone', next: '' };

/** An exchange with a paged trade list; `beforeReply` injects failures. */
function createExchange(options: ExchangeOptions = {}) {
  const { base = 0, cap = 10, beyond = 'error', oldestFirst = false } = options;
  const list: Trade[] = [];
  /** Ids that cannot be read. */
  const unreadable = new Set<string>();
  const queries: TradesQuery[] = [];
  let inFlight = 0;
  let most = 0;
  let before: (query: TradesQuery) => Failure | null = () => null;
  return {
    list,
    unreadable,
    queries,
    mostInFlight: () => most,
    beforeReply: (hook: (query: TradesQuery) => Failure | null) => {
      before = hook;
    },
    clockOffsetMs: () => 0,
    async trades(query: TradesQuery) {
      queries.push(query);
      most = Math.max(most, ++inFlight);
      await Promise.resolve();
      inFlight--;
      const failure = before(query);
      if (failure !== null) return { ok: false, failure } as const;
      const { endTime = Number.MAX_SAFE_INTEGER, pageNumber = base, pageSize = cap } = query;
      const { startTime = endTime - (options.defaultRange ?? endTime) } = query;
      const tie = options.hasUnstableTies === true && pageNumber % 2 === 1 ? -1 : 1;
      const found = list
        .filter((one) => one.tradeTime >= startTime && one.tradeTime <= endTime)
        .sort(
          (a, b) =>
            (a.tradeTime - b.tradeTime || (BigInt(a.tradeId) < BigInt(b.tradeId) ? -tie : tie)) *
            (oldestFirst ? 1 : -1),
        );
      if (pageSize > (options.largest ?? Infinity)) return { ok: false, failure: FAULT } as const;
      const step = options.hasWrongPageCounts ? pageSize : Math.min(pageSize, cap);
      const pageCount = Math.ceil(found.length / step);
      let index = pageNumber - base;
      if (index < 0 || index >= Math.max(1, pageCount)) {
        if (beyond === 'error') return { ok: false, failure: FAULT } as const;
        if (beyond === 'clamp') index = Math.min(Math.max(index, 0), Math.max(0, pageCount - 1));
      }
      const rows = index < 0 ? [] : found.slice(index * step, index * step + Math.min(pageSize, cap));
      const data = rows.filter((one) => !unreadable.has(one.tradeId));
      const hidden = rows.filter((one) => unreadable.has(one.tradeId)).map(unreadableOf);
      const meta = hidden.length === 0 ? {} : { unreadable: hidden };
      return { ok: true, data: { data, pageCount, total: found.length }, meta } as const;
    },
  };
}
type Exchange = ReturnType<typeof createExchange>;

let made = 0;
const trade = (tradeTime: number): Trade =>
  tradeNumber(made++, { tradeTime, side: 'BUY', liquidity: 'TAKER', orderId: '1' });

/** An unreadable record as the client reports it: equal fills without ids have equal text. */
const unreadableOf = ({ tradeTime, symbol }: Trade): UnreadableRecord => ({
  record: 'trade',
  message: 'data.data[0].tradeId: expected a text, received null',
  symbolId: symbol,
  raw: JSON.stringify({ tradeTime, symbol, tradeId: null }),
});

/** The real archive writer without its worker, so that a test needs no real time. */
function createStore() {
  const { db } = openDatabase(':memory:', 'test', NOW);
  const strings = new StringTable(db);
  const writer = new TradeWriter(db, strings);
  const reader = new TradeReader(db, strings, writer, new NoteStore(db));
  const result = <T>(data: T) => Promise.resolve({ ok: true, data } as const);
  const store: TradeStore = {
    state: () => result(writer.state()),
    insertTrades: (rows, checkpoint, unread) => result(writer.insert(rows, checkpoint, NOW, unread)),
    beginPass: (checkpoint) => {
      writer.beginPass(checkpoint);
      return result(null);
    },
    endPass: (checkpoint, from, to) => {
      writer.endPass(checkpoint, from, to);
      return result(null);
    },
    count: (filter) => result(reader.count(filter)),
  };
  const ids = (): string[] =>
    Array.from(
      { length: Math.ceil(writer.stored() / 500) },
      (_, n) => reader.page(NO_FILTER, n * 500, 500).rows,
    )
      .flat()
      .map((one) => one.tradeId);
  opened.push(() => db.close());
  return { store, ids, records: () => writer.unreadable() };
}
const opened: (() => void)[] = [];
afterAll(() => opened.forEach((close) => close()));
const syncs: TradeSync[] = [];
// Not awaited: one whose archive never answers does not end.
afterEach(() => syncs.splice(0).forEach((one) => void one.stop()));

function createSync(exchange: Exchange, store: TradeStore, time: ManualTime, restMs = 0, pageSize = 1_000) {
  const statuses: TradeSyncStatus[] = [];
  const limit = new RateLimit();
  const sync = new TradeSync({
    connectionId: 'test',
    client: {
      clockOffsetMs: () => exchange.clockOffsetMs(),
      async trades(query) {
        const result = await exchange.trades(query);
        // As the client does with every reply.
        if (!result.ok && result.failure.kind === 'limited')
          limit.note(429, result.failure.retryAt ?? null, time.now());
        return result;
      },
    },
    archive: store,
    limiter: new RequestLimiter(limit, time),
    clock: time,
    timers: time,
    onStatus: (status) => statuses.push(status),
    restMs,
    pageSize,
  });
  syncs.push(sync);
  return { sync, statuses };
}

/** A sync of an exchange with these trades, which the test starts. */
function createFixture(options?: ExchangeOptions, ...trades: readonly Trade[]) {
  const time = new ManualTime();
  const exchange = createExchange(options);
  exchange.list.push(...trades);
  const archive = createStore();
  return { time, exchange, ...archive, ...createSync(exchange, archive.store, time) };
}
/** The same, started, after its first passes. */
async function runFixture(passMs: number, ...given: Parameters<typeof createFixture>) {
  const fixture = createFixture(...given);
  fixture.sync.start();
  await fixture.time.pass(passMs);
  return fixture;
}
/** Trades a millisecond apart. */
const series = (count: number): Trade[] => Array.from({ length: count }, (_, n) => trade(NOW - HOUR - n));
/** Three trades to a millisecond. */
const tied = (): Trade[] => Array.from({ length: 30 }, (_, n) => trade(NOW - HOUR - Math.floor(n / 3)));
const sorted = (ids: readonly string[]): string[] => [...ids].sort();
const listed = (exchange: Exchange): string[] => exchange.list.map((one) => one.tradeId);

describe('the trade sync', () => {
  it('is complete, with nothing missing or doubled, for any base, size, order, drift, fault and kill', async () => {
    const options = fc.record({
      base: fc.constantFrom(0 as const, 1 as const),
      cap: fc.integer({ min: 1, max: 12 }),
      beyond: fc.constantFrom('error' as const, 'empty' as const, 'clamp' as const),
      oldestFirst: fc.boolean(),
      hasWrongPageCounts: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        options,
        fc.array(fc.integer({ min: 0, max: 200 * HOUR }), { maxLength: 60 }),
        fc.array(
          fc.record({ at: fc.nat(40), what: fc.constantFrom('drift', 'fresh', 'offline', 'fault', 'kill') }),
          {
            maxLength: 6,
          },
        ),
        async (how, ages, events) => {
          const time = new ManualTime();
          const exchange = createExchange(how);
          exchange.list.push(...ages.map((age) => trade(NOW - age)));
          const { store, ids } = createStore();
          let current = createSync(exchange, store, time);
          let complete = false;
          let withoutFaults = false;
          exchange.beforeReply(() => {
            if (withoutFaults) return null;
            const now = events.filter((one) => one.at === exchange.queries.length).map((one) => one.what);
            // A trade listed late, inside the overlap, and a new one.
            if (now.includes('drift')) exchange.list.push(trade(time.now() - 12 * HOUR));
            if (now.includes('fresh')) exchange.list.push(trade(time.now()));
            if (now.includes('kill')) {
              void current.sync.stop();
              current = createSync(exchange, store, time);
              current.sync.start();
            }
            return now.includes('offline') ? OFFLINE : now.includes('fault') ? FAULT : null;
          });
          current.sync.start();
          for (let n = 0; n < 400 && !complete; n++) {
            await time.pass(60_000);
            complete = current.sync.status().state === 'complete';
          }
          expect(complete).toBe(true);
          await time.pass(HOUR);
          // Then without faults, so that trades too new for the last pass are verified.
          withoutFaults = true;
          const before = time.now();
          await time.pass(HOUR);
          expect(current.sync.status()).toMatchObject({ state: 'complete', failure: null, quarantined: 0 });
          expect(current.sync.status().completedAt).toBeGreaterThan(before);
          expect(sorted(ids())).toEqual(sorted(listed(exchange)));
          expect(current.sync.status()).toMatchObject({
            stored: exchange.list.length,
            total: exchange.list.length,
          });
          await current.sync.stop();
        },
      ),
      { numRuns: 150 },
    );
  });

  it('resumes at the page where it was killed, and verifies a pass that was finished', async () => {
    for (const killAt of [4, 6]) {
      const time = new ManualTime();
      const exchange = createExchange({ base: 1, beyond: 'empty' });
      exchange.list.push(...series(45));
      const { store, ids } = createStore();
      let inserts = 0;
      let kill = () => Promise.resolve();
      const dying: TradeStore = {
        ...store,
        async insertTrades(rows, checkpoint, unread) {
          const result = await store.insertTrades(rows, checkpoint, unread);
          if (checkpoint !== null && ++inserts === killAt) void kill();
          return result;
        },
      };
      const killed = createSync(exchange, dying, time);
      kill = () => killed.sync.stop();
      killed.sync.start();
      await time.pass(10_000);
      const requests = exchange.queries.length;
      const second = createSync(exchange, store, time);
      second.sync.start();
      await time.pass(10_000);
      expect(second.sync.status().state).toBe('complete');
      const passQueries = exchange.queries.slice(requests).filter((query) => query.endTime !== undefined);
      expect(passQueries.map((query) => query.pageNumber)).toEqual([4, 5].slice(killAt - 4));
      expect(sorted(ids())).toEqual(sorted(listed(exchange)));
      await second.sync.stop();
    }
  });

  it('ends a minute ago, overlaps a day, and counts only the new window', async () => {
    const { time, exchange, sync } = await runFixture(
      5_000,
      {},
      trade(NOW - 100 * HOUR),
      trade(NOW - 50 * HOUR),
      trade(NOW - HOUR),
    );
    const passQueries = () => exchange.queries.filter((query) => query.endTime !== undefined);
    expect(passQueries()[0]).toMatchObject({ startTime: 1, endTime: NOW - 60_000 + 1 });
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 3, total: 3, completedAt: NOW });
    const seen = passQueries().length;
    await time.pass(15 * 60_000);
    expect(passQueries()[seen]).toMatchObject({ startTime: NOW - 60_000 - 24 * HOUR - 1 });
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 3, total: 3 });
  });

  it('lists all trades of an exchange that lists its last days where no start is given', async () => {
    const { exchange, ids, sync } = await runFixture(
      5_000,
      { defaultRange: 7 * 24 * HOUR },
      trade(NOW - 50 * HOUR),
      trade(NOW - 1_000 * HOUR),
    );
    expect(ids()).toEqual(listed(exchange));
    expect(sync.status()).toMatchObject({ state: 'complete', total: 2 });
  });

  it('reads everything once more where an older version gave no start', async () => {
    const time = new ManualTime();
    const exchange = createExchange();
    exchange.list.push(trade(NOW - HOUR), trade(NOW - 1_000 * HOUR));
    const { store, ids } = createStore();
    const older = printCheckpoint({ ...FIRST_CHECKPOINT, verifiedTo: NOW - 2 * HOUR, completedAt: NOW });
    await store.insertTrades(exchange.list.slice(0, 1), older, []);
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(5_000);
    expect(ids()).toEqual(listed(exchange));
    expect(sync.status()).toMatchObject({ state: 'complete', total: 2 });
    const starts = () =>
      exchange.queries.filter((one) => one.endTime !== undefined).map((one) => one.startTime);
    const seen = starts().length;
    await time.pass(15 * 60_000);
    expect(starts()[seen]).toBe(NOW - 60_000 - 24 * HOUR - 1);
  });

  it('reads page 1 where page 0, which does not exist, is an empty history', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ base: 1 });
    exchange.list.push(trade(NOW - HOUR), trade(NOW - 2 * HOUR));
    const zero = {
      ...exchange,
      trades: async (query: TradesQuery) => {
        const isZero = query.pageNumber === 0;
        const result = await exchange.trades({ ...query, pageNumber: isZero ? 1 : (query.pageNumber ?? 1) });
        return isZero && result.ok ? { ...result, data: { data: [], pageCount: 0, total: 0 } } : result;
      },
    };
    const { store, ids } = createStore();
    const { sync } = createSync(zero, store, time);
    sync.start();
    await time.pass(5_000);
    expect(ids()).toEqual(listed(exchange));
    expect(sync.status()).toMatchObject({ state: 'complete', total: 2 });
  });

  it('ends a pass whose page count is out of all proportion, or grows with each page', async () => {
    for (const pageCountOf of [() => 1e15, (page: number) => page + 1]) {
      const time = new ManualTime();
      const exchange = createExchange({ base: 1, beyond: 'empty' });
      exchange.list.push(...series(25));
      const endless = {
        ...exchange,
        trades: async (query: TradesQuery) => {
          const result = await exchange.trades(query);
          if (!result.ok) return result;
          return { ...result, data: { ...result.data, pageCount: pageCountOf(query.pageNumber ?? 1) } };
        },
      };
      const { store, ids } = createStore();
      const { sync } = createSync(endless, store, time);
      sync.start();
      await time.pass(20_000);
      expect(ids()).toEqual(listed(exchange));
      expect(sync.status()).toMatchObject({ state: 'complete', total: 25 });
      expect(exchange.queries.length).toBeLessThan(100);
    }
  });

  it('verifies no time to come, though a pass began by a clock that was days ahead', async () => {
    const time = new ManualTime();
    const exchange = createExchange();
    const passQueries = () => exchange.queries.filter((query) => query.endTime !== undefined);
    // The clock is corrected by the replies of the first pass.
    const clockOffsetMs = (): number => (passQueries().length === 0 ? 72 * HOUR : 0);
    const { store, ids } = createStore();
    const { sync } = createSync({ ...exchange, clockOffsetMs }, store, time);
    sync.start();
    await time.pass(5_000);
    const seen = passQueries().length;
    exchange.list.push(trade(NOW + 10_000));
    await time.pass(15 * 60_000);
    expect(passQueries()[seen]).toMatchObject({ startTime: NOW - 60_000 - 24 * HOUR - 1 });
    expect(ids()).toEqual(listed(exchange));
  });

  it('misses nothing after days without the app in a pass that began by a clock that was ahead', async () => {
    const exchange = createExchange();
    exchange.list.push(trade(NOW - HOUR));
    const clockOffsetMs = (): number =>
      exchange.queries.every(({ endTime }) => endTime === undefined) ? 720 * HOUR : 0;
    const { store, ids } = createStore();
    // The app ends once the pass has no more rows.
    const ended: TradeStore = {
      ...store,
      insertTrades: (rows, checkpoint, unread) =>
        rows.length === 0 && checkpoint !== null
          ? new Promise(() => undefined)
          : store.insertTrades(rows, checkpoint, unread),
    };
    const before = new ManualTime();
    createSync({ ...exchange, clockOffsetMs }, ended, before).sync.start();
    await before.pass(5_000);
    expect(ids()).toEqual(listed(exchange));

    const after = new ManualTime(NOW + 240 * HOUR);
    exchange.list.push(trade(NOW + 24 * HOUR));
    const { sync } = createSync(exchange, store, after);
    sync.start();
    await after.pass(20 * 60_000);
    expect(sync.status().state).toBe('complete');
    expect(sorted(ids())).toEqual(listed(exchange));
  });

  it('starts a day before now if the stored verified time has not come yet', async () => {
    const time = new ManualTime();
    const exchange = createExchange();
    const { store } = createStore();
    const ahead = { ...FIRST_CHECKPOINT, fromStart: true, verifiedTo: NOW + 72 * HOUR, completedAt: NOW };
    await store.insertTrades([], printCheckpoint(ahead), []);
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(5_000);
    const [first] = exchange.queries.filter((query) => query.endTime !== undefined);
    expect(first).toMatchObject({ startTime: NOW - 60_000 - 24 * HOUR - 1, endTime: NOW - 60_000 + 1 });
  });

  it('reports the mismatch and never completes while the exchange counts otherwise', async () => {
    const time = new ManualTime();
    const exchange = createExchange();
    exchange.list.push(...Array.from({ length: 25 }, () => trade(NOW - HOUR)));
    const short = {
      ...exchange,
      trades: async (query: TradesQuery) => {
        const result = await exchange.trades(query);
        return result.ok ? { ...result, data: { ...result.data, total: result.data.total + 1 } } : result;
      },
    };
    const { store } = createStore();
    const { sync, statuses } = createSync(short, store, time);
    sync.start();
    await time.pass(60_000);
    expect(sync.status()).toMatchObject({ state: 'failed', stored: 25, completedAt: null });
    expect(sync.status().failure?.message).toBe('The exchange counts 26 trades, but its pages listed 25.');
    await time.pass(30 * HOUR);
    expect(statuses.some((status) => status.state === 'complete')).toBe(false);
    // Three passes at once, then three at a time with growing delays.
    expect(exchange.queries.length).toBeLessThan(120);
  });

  it.each([{}, { oldestFirst: true, base: 1 as const }])(
    'completes where each page sorts trades of equal times anew, with %j',
    async (options) => {
      const time = new ManualTime();
      const exchange = createExchange({ hasUnstableTies: true, ...options });
      exchange.list.push(...tied());
      const { store, ids } = createStore();
      const { sync } = createSync(exchange, store, time, 0, 20);
      sync.start();
      await time.pass(60_000);
      expect(sync.status()).toMatchObject({ state: 'complete', stored: 30, failure: null });
      expect(sorted(ids())).toEqual(sorted(listed(exchange)));
      // The next pass has its own trades and the old page size.
      exchange.list.push(trade(time.now()));
      await time.pass(16 * 60_000);
      expect(sync.status()).toMatchObject({ state: 'complete', stored: 31, total: 31, pageSize: 20 });
    },
  );

  it('counts both readings together across a kill in the second', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ hasUnstableTies: true });
    exchange.list.push(...tied());
    const { store, ids } = createStore();
    const killed = createSync(exchange, store, time);
    exchange.beforeReply(({ pageSize, pageNumber }) => {
      if (pageSize === 9 && pageNumber === 2) void killed.sync.stop();
      return null;
    });
    killed.sync.start();
    await time.pass(10_000);
    const { sync } = createSync(exchange, store, time);
    const before = exchange.queries.length;
    sync.start();
    await time.pass(10_000);
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 30 });
    expect(sorted(ids())).toEqual(sorted(listed(exchange)));
    // The tail sync's pages first, then where the second reading ended.
    expect(exchange.queries.slice(before).find(({ endTime }) => endTime !== undefined)).toMatchObject({
      pageNumber: 2,
      pageSize: 9,
    });
  });

  it('is repeated with other page ends after a pause, too', async () => {
    const { time, exchange, sync } = createFixture({ hasUnstableTies: true }, ...tied());
    exchange.beforeReply(({ pageNumber }) => {
      if (pageNumber === 0 && time.now() < NOW + 60_000) exchange.list.push(trade(NOW - HOUR));
      return null;
    });
    sync.start();
    await time.pass(60_000);
    expect(sync.status()).toMatchObject({ state: 'failed' });
    await time.pass(16 * 60_000);
    expect(sync.status()).toMatchObject({ state: 'complete', stored: exchange.list.length });
  });

  it('counts the trades of two readings together only while the total stays', async () => {
    const { time, exchange, sync, statuses } = createFixture({ hasUnstableTies: true }, ...tied());
    // After each pass one trade goes, so that no reading has the total of the one before.
    exchange.beforeReply(({ pageNumber }) => {
      if (pageNumber === 0) exchange.list.shift();
      return null;
    });
    sync.start();
    await time.pass(60_000);
    expect(statuses.some((status) => status.state === 'complete')).toBe(false);
  });

  it('completes with both sides of a trade of the account with itself, which share their id', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 4 });
    const own = Array.from({ length: 9 }, () => trade(NOW - HOUR));
    const other = own.map((one): Trade => ({ ...one, side: 'SELL', orderId: '2', liquidity: 'MAKER' }));
    exchange.list.push(...own, ...other);
    const { store, ids } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(60_000);
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 18, quarantined: 0, failure: null });
    expect(sorted(ids())).toEqual(sorted(listed(exchange)));
  });

  it('counts unreadable records, across a kill, and completes without them until they are readable', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ base: 1, beyond: 'clamp' });
    exchange.list.push(...series(25));
    // Two equal except for their ids, and one outside a later pass's overlap.
    const [same] = exchange.list;
    const others = [trade(same!.tradeTime), trade(NOW - 90 * HOUR)];
    exchange.list.push(...others.map((one) => ({ ...one, symbol: same!.symbol })));
    for (const { tradeId } of [same!, ...others]) exchange.unreadable.add(tradeId);
    const { store, records } = createStore();
    let pages = 0;
    const killed = createSync(exchange, store, time);
    exchange.beforeReply(() => {
      if (++pages === 5) void killed.sync.stop();
      return null;
    });
    killed.sync.start();
    await time.pass(10_000);
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(10_000);
    expect(sync.status()).toMatchObject({
      state: 'complete',
      stored: 24,
      total: 27,
      unreadable: 3,
      failure: null,
    });
    expect(records()).toMatchObject([
      { from: NOW - 90 * HOUR, to: NOW - 90 * HOUR, raw: expect.stringContaining('"tradeId":null') },
      { from: NOW - HOUR, symbolId: same!.symbol },
      { from: NOW - HOUR, symbolId: same!.symbol },
    ]);
    expect(gapsOf(records())).toMatchObject([
      { from: NOW - 90 * HOUR, reason: '1 record of this time cannot be read.' },
      { from: NOW - HOUR, to: NOW - HOUR, reason: '2 records of this time cannot be read.' },
    ]);
    // The next pass deletes those it can read, and keeps those outside its window.
    exchange.unreadable.clear();
    await time.pass(30 * 60_000);
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 26, unreadable: 1 });
  });

  it('names unreadable records in a mismatch they do not explain', async () => {
    const time = new ManualTime();
    const exchange = createExchange({ cap: 5 });
    exchange.list.push(...Array.from({ length: 8 }, () => trade(NOW - HOUR)));
    for (const { tradeId } of exchange.list.slice(0, 5)) exchange.unreadable.add(tradeId);
    const { store } = createStore();
    const { sync } = createSync(exchange, store, time);
    sync.start();
    await time.pass(60_000);
    expect(sync.status()).toMatchObject({ state: 'failed', unreadable: 3 });
    expect(sync.status().failure?.message).toMatch(
      /^The exchange counts 8 trades, but its pages listed 3 and \d more records that cannot be read\.$/,
    );
  });

  it('stores a fill within two seconds, also one listed late, and verifies it later', async () => {
    const { time, exchange, sync } = await runFixture(10_000, { base: 1 }, trade(NOW - 5 * HOUR));
    const verifiedAt = sync.status().completedAt;
    exchange.list.push(trade(time.now()));
    sync.syncTail();
    await time.rest();
    expect(sync.status().stored).toBe(2);

    sync.syncTail();
    await time.pass(500);
    exchange.list.push(trade(time.now()));
    await time.pass(1_500);
    expect(sync.status()).toMatchObject({ stored: 3, completedAt: verifiedAt });
    await time.pass(120_000);
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 3, total: 3 });
    expect(sync.status().completedAt).toBeGreaterThan(verifiedAt!);
  });

  it('repeats the tail sync for a change during it', async () => {
    const { time, exchange, sync } = createFixture();
    exchange.list.push(trade(NOW));
    let injected = false;
    exchange.beforeReply(() => {
      // A second fill between the first and the last page.
      if (!injected)
        queueMicrotask(() => {
          exchange.list.push(trade(NOW));
          sync.syncTail();
        });
      injected = true;
      return null;
    });
    sync.syncTail();
    await time.rest();
    expect(sync.status().stored).toBe(2);
  });

  it('keeps one request in flight, rests between pages, and stops reading when paused', async () => {
    const time = new ManualTime();
    const exchange = createExchange();
    exchange.list.push(...series(100));
    const { store } = createStore();
    const { sync, statuses } = createSync(exchange, store, time, 1_000);
    sync.start();
    sync.start();
    await time.pass(4_500);
    const passQueries = exchange.queries.filter((query) => query.endTime !== undefined).length;
    expect(passQueries).toBe(5);
    sync.pause();
    expect(sync.status().state).toBe('paused');
    const requests = exchange.queries.length;
    await time.pass(HOUR);
    expect(exchange.queries.length).toBe(requests);
    sync.start();
    await time.pass(20_000);
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 100 });
    expect(exchange.mostInFlight()).toBe(1);
    expect(statuses.at(-1)).toEqual(sync.status());
  });

  it.each([0, 1] as const)('finds and stores the page size that is served; pages from %i', async (base) => {
    const { time, exchange, store, ids, sync } = await runFixture(
      5_000,
      { base, cap: 1_000, largest: 150 },
      ...series(330),
    );
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 330, failure: null, pageSize: 100 });
    expect(sorted(ids())).toEqual(sorted(listed(exchange)));
    await sync.stop();
    const seen = exchange.queries.length;
    const next = createSync(exchange, store, time).sync;
    next.start();
    await time.pass(5_000);
    next.syncTail();
    await time.pass(15 * 60_000);
    const sizes = new Set(exchange.queries.slice(seen + 2).map((query) => query.pageSize));
    expect([...sizes]).toEqual([100]);
    await next.stop();
    // Another maximum size discards the one found before.
    const smaller = createSync(exchange, store, time, 0, 50).sync;
    smaller.start();
    await time.pass(5_000);
    expect(smaller.status()).toMatchObject({ state: 'complete', pageSize: 50 });
    await smaller.stop();
  });

  it('backs off while no page can be read at any size', async () => {
    const { time, exchange, sync } = await runFixture(10_000, { largest: 0 });
    const rounds: number[] = [];
    for (let tries = 0; tries < 12; tries++) {
      const before = exchange.queries.length;
      await time.pass(5 * 60_000);
      rounds.push((exchange.queries.length - before) / 12);
    }
    // After 30, 60 and 120 s in the first five minutes; every ten minutes at the end.
    expect(rounds[0]).toBe(3);
    expect(Math.max(...rounds.slice(-4))).toBeLessThanOrEqual(1);
    expect(sync.status()).toMatchObject({ state: 'failed', failure: { kind: 'server' } });
  });

  it('waits for Retry-After, then continues by itself', async () => {
    const { time, exchange, sync } = createFixture({}, ...series(30));
    const retryAt = NOW + 300_000;
    exchange.beforeReply((query) =>
      query.pageNumber === 2 && time.now() < retryAt
        ? { kind: 'limited', message: '', next: '', retryAt }
        : null,
    );
    sync.start();
    await time.pass(299_000);
    expect(sync.status()).toMatchObject({ state: 'failed', failure: { kind: 'limited' } });
    const requests = exchange.queries.length;
    sync.syncTail();
    await time.pass(500);
    expect(exchange.queries.length).toBe(requests);
    await time.pass(60_000);
    expect(sync.status()).toMatchObject({ state: 'complete', stored: 30, failure: null });
  });

  it('reports a failed archive write, and continues once writes succeed', async () => {
    const time = new ManualTime();
    const exchange = createExchange();
    exchange.list.push(...series(30));
    const { store, ids } = createStore();
    const full: Failure = { kind: 'file', message: 'the disk is full', next: 'Make room' };
    let isFull = true;
    const filling: TradeStore = {
      ...store,
      insertTrades: (rows, checkpoint, unread) =>
        isFull && rows.length > 0
          ? Promise.resolve({ ok: false, failure: full })
          : store.insertTrades(rows, checkpoint, unread),
    };
    const { sync } = createSync(exchange, filling, time);
    sync.start();
    await time.pass(10_000);
    expect(sync.status()).toMatchObject({ state: 'failed', failure: full, stored: 0 });
    isFull = false;
    await time.pass(60_000);
    expect(sync.status()).toMatchObject({ state: 'complete', failure: null });
    expect(sorted(ids())).toEqual(sorted(listed(exchange)));
  });
});
