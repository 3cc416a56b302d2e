import fc from 'fast-check';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareText } from '../../../src-shared/amount.ts';
import { NO_FILTER, TRADE_COLUMNS, type TradeColumn } from '../../../src-shared/ipc/trades.ts';
import type { GroupContract } from '../../../src-shared/ipc/trade-groups.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { TripBook } from '../../../src-shared/domain/history/round-trips.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { OrderWriter } from '../orders/writer.ts';
import { requestHandlers } from '../handlers.ts';
import {
  anyDecimal,
  distinctTrades,
  kept,
  matches,
  openHere,
  START,
  temporaryFolder,
  tradeNumber,
  trades,
  NEWEST_GROUP_FIRST,
} from '../../../tests/archive/trades.ts';

function start(list: readonly Trade[]) {
  const archive = openHere();
  archive.writer.insert(list, null, 0);
  return { ...archive, log: requestHandlers(archive) };
}
function openedIn(file: string, count: number) {
  const archive = openHere(file);
  const list = Array.from({ length: count }, (_, n) => tradeNumber(n, { tradeId: `a${n}` }));
  archive.writer.insert(list, null, 0);
  return { ...archive, log: requestHandlers(archive) };
}
const unsigned = (text: string): string => text.replace('-', '');
const DECIMALS: readonly TradeColumn[] = ['price', 'executedQty', 'executedQuoteQty', 'fee'];
/** The expected order: numbers by unit and value, ids by value, strings by text. */
const byColumn =
  (column: TradeColumn) =>
  (a: Trade, b: Trade): number => {
    const unit = column === 'fee' ? 'feeAsset' : column === 'executedQty' ? 'symbol' : null;
    if (unit !== null && a[unit] !== b[unit]) return a[unit] < b[unit] ? -1 : 1;
    if (DECIMALS.includes(column)) return compareText(String(a[column]), String(b[column]));
    if (column === 'orderId' || column === 'tradeId') return BigInt(a[column]) < BigInt(b[column]) ? -1 : 1;
    const [own, other] = [a[column] ?? '', b[column] ?? ''];
    return own === other ? 0 : own < other ? -1 : 1;
  };
const oldestFirst = (a: Trade, b: Trade): number =>
  a.tradeTime - b.tradeTime || (BigInt(a.tradeId) < BigInt(b.tradeId) ? -1 : 1);

describe('the trade log in any order', () => {
  it('finds a filter’s rows in steps, whatever lies at their bounds', () => {
    const archive = openHere();
    // Seven of one time, ids opposite to time, and rows added after the request.
    const list = Array.from({ length: 25_000 }, (_, n) =>
      tradeNumber(n, { tradeTime: START + Math.floor(n / 7) * 1_000, tradeId: String(90_000 - n) }),
    );
    archive.writer.insert(list, null, 0);
    const count = 24_000;
    const from = START + 5_000;
    for (const filter of [
      NO_FILTER,
      { ...NO_FILTER, from },
      { ...NO_FILTER, to: START + 3_000_000 },
      { ...NO_FILTER, from, to: START + 3_300_000, symbols: ['ETH-USDT-M'], sides: ['SELL'] },
      { ...NO_FILTER, from, to: from - 1 },
      { ...NO_FILTER, from: START + 90_000_000 },
    ]) {
      const steps = archive.views.inTime(filter, count);
      let taken = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) taken += 1;
      const wanted = list.slice(0, count).filter(matches(filter)).sort(oldestFirst);
      expect([...step.value].map((seq) => list[seq - 1]!.tradeId)).toEqual(
        wanted.map(({ tradeId }) => tradeId),
      );
      expect(taken).toBeGreaterThanOrEqual(Math.floor(wanted.length / 10_000));
    }
    archive.close();
  });

  it('sorts and pages by every column both ways, equal ones by time, like sorting the list', async () => {
    await fc.assert(
      fc.asyncProperty(
        // Ids of one form, so that the order among equal times is the numbers'.
        distinctTrades(40).map((list) =>
          list.map((one, n) => ({
            ...one,
            tradeId: String(10n ** 17n + BigInt(n)),
            orderId: String(10n ** 18n + BigInt(n % 7)),
          })),
        ),
        fc.constantFrom(...TRADE_COLUMNS),
        fc.boolean(),
        fc.option(anyDecimal.map(unsigned)),
        fc.nat(40),
        async (list, column, descending, priceFrom, offset) => {
          const { log, close } = start(list);
          const filter = { ...NO_FILTER, priceFrom };
          const wanted = list
            .map(kept)
            .filter(matches(filter))
            .sort(
              (a, b) =>
                (column === 'orderId' && a.orderId === b.orderId ? 0 : byColumn(column)(a, b)) ||
                oldestFirst(a, b),
            );
          if (descending) wanted.reverse();
          const result = await log.list({ filter, sort: { column, descending }, offset, limit: 9 });
          expect(result.count).toBe(wanted.length);
          expect(result.rows).toEqual(wanted.slice(offset, offset + 9));
          close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('sums rows within a price bound exactly, beyond safe integers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ executedQty: anyDecimal, fee: anyDecimal, price: anyDecimal }), {
          maxLength: 30,
        }),
        anyDecimal.map(unsigned),
        async (changes, priceTo) => {
          const list = changes.map((change, n) => tradeNumber(n, change));
          const { log, totals, close } = start(list);
          const filter = { ...NO_FILTER, priceTo };
          expect(await log.totals(filter)).toEqual(totals.of(filter));
          close();
        },
      ),
    );
  });

  it('includes rows added after a view was built', async () => {
    const { log, writer, close } = start(trades(0, 50));
    const query = {
      filter: NO_FILTER,
      sort: { column: 'price', descending: true },
      offset: 0,
      limit: 1,
    } as const;
    await log.list(query);
    writer.insert([tradeNumber(60, { price: '99999999.5' })], null, 0);
    const result = await log.list(query);
    expect([result.count, result.stored, result.rows[0]?.price]).toEqual([51, 51, '99999999.5']);
    close();
  });

  it('lets trades be stored while it sorts ids that are not digits, also once an import has written', async () => {
    const folder = temporaryFolder();
    const { log, writer, close } = openedIn(join(folder.path, 'one.sqlite'), 25_000);
    const other = new DatabaseSync(join(folder.path, 'one.sqlite'));
    const sort = { column: 'tradeId', descending: false } as const;
    const state = { isSorting: true };
    const sorted = log.list({ filter: NO_FILTER, sort, offset: 0, limit: 1 });
    void Promise.resolve(sorted).finally(() => (state.isSorting = false));
    for (let n = 30_000; state.isSorting; n++) {
      await nextTurn();
      other.exec(
        `INSERT INTO trade_import (name, imported_at, after_seq, last_seq, known) VALUES ('a', ${n}, 0, 0, 0)`,
      );
      writer.insert([tradeNumber(n)], null, 0);
    }
    expect((await sorted).rows).toMatchObject([{ tradeId: 'a0' }]);
    other.close();
    close();
    folder.remove();
  });

  it('cancels a build when a newer request for the list comes', async () => {
    const { log, close } = start(trades(0, 2_000));
    const ask = (column: TradeColumn) =>
      log.list({ filter: NO_FILTER, sort: { column, descending: false }, offset: 0, limit: 5 });
    const [first, second] = await Promise.allSettled([ask('fee'), ask('price')]);
    expect(second.status).toBe('fulfilled');
    if (first.status === 'rejected') expect(first.reason).toMatchObject({ failure: { kind: 'cancelled' } });
    expect(log.building()).toBeNull();
    close();
  });
});

const contract = (symbol: string, quote: string, margin: string, quantity: string): GroupContract => ({
  symbol,
  quote,
  margin,
  quantity,
  inverse: margin !== quote,
});
const GROUPED = {
  filter: NO_FILTER,
  sort: NEWEST_GROUP_FIRST,
  zone: 'UTC',
  contracts: [
    contract('BTC-USDT-M', 'USDT', 'USDT', 'BTC'),
    contract('ETH-USDT-M', 'USDT', 'USDT', 'ETH'),
    contract('BTC-USD-M', 'USD', 'BTC', 'USD'),
  ],
};

describe('groups of the trade log', () => {
  it('sums an order’s trades, with PnL only from archived order history', async () => {
    const { log, close } = start(trades(0, 30));
    const found = await log.groups({ ...GROUPED, by: 'order', offset: 0, limit: 100 });
    expect(found.count).toBe(30); // two trades an order, of two contracts
    const filtered = await log.groups({
      ...GROUPED,
      by: 'order',
      filter: { ...NO_FILTER, symbols: ['BTC-USDT-M'], sides: ['BUY'] },
      offset: 1,
      limit: 2,
    });
    expect(filtered.count).toBe(5);
    expect(filtered.rows[0]).toMatchObject({
      kind: 'order',
      symbol: 'BTC-USDT-M',
      side: 'BUY',
      trades: 1,
      first: START + 18_000,
      profit: { value: null, missing: 1 },
    });
    close();
  });

  it('counts the PnL of an order that closed parts of two round trips in neither, far apart as they may be', async () => {
    const fills = [
      ['SELL', '2', '1'],
      ['BUY', '1', '2'],
      ['BUY', '1', '3'],
      ...['4', '5', '6'].flatMap((id) => [
        ['BUY', '1', id],
        ['SELL', '1', `${id}0`],
      ]),
      ['SELL', '1', '7'],
      ['BUY', '1', '2'],
    ];
    const list = fills.map(([side = '', executedQty = '', orderId = ''], n) =>
      tradeNumber(n * 3, { side, executedQty, orderId, tradeTime: START + n, fee: '0' }),
    );
    const { log, close, db, strings } = start(list);
    onTestFinished(close);
    const orders = ['2', '3', '40', '50', '60'].map((id, n) => orderNumber(n * 3, { id, profit: '1' }));
    new OrderWriter(db, strings).insert(orders, null, [], 0);
    const query = { ...GROUPED, offset: 0, limit: 10 };
    const { rows } = await log.groups({ ...query, by: 'round-trip' });
    expect(rows).toMatchObject(
      [null, '1', '1', '1', null].map((value) => ({ profit: { value }, symbol: 'BTC-USDT-M' })),
    );
    const tags = await log.groups({
      ...query,
      by: 'tag',
      sort: { column: 'tag', descending: false },
      contracts: [{ symbol: 'BTC-USDT-M', quote: 'USDT', margin: 'USDT', quantity: 'BTC', inverse: false }],
    });
    expect(tags.rows).toMatchObject([{ pnl: '3', trips: { counted: 3, unknown: 2 } }]);
  });

  it('computes the same round trips page by page as from all trades at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            side: fc.constantFrom('BUY', 'SELL', 'BUY', 'SELL', 'BUY', 'SELL', 'SETTLE'),
            // Few sizes, so that positions become flat again, some beyond one limb.
            executedQty: fc.oneof(
              { weight: 9, arbitrary: fc.constantFrom('1', '2', '1', '0') },
              anyDecimal.map(unsigned),
            ),
            executedQuoteQty: fc.oneof(
              { weight: 9, arbitrary: fc.constantFrom('1', '2') },
              anyDecimal.map(unsigned),
            ),
            fee: anyDecimal,
            order: fc.nat(3),
            gap: fc.nat(1),
          }),
          { minLength: 20, maxLength: 60 },
        ),
        fc.nat(5),
        fc.integer({ min: 1, max: 4 }),
        async (changes, offset, limit) => {
          let tradeTime = START;
          const list = changes.map(({ order, gap, ...change }, n) =>
            tradeNumber(n, { ...change, tradeTime: (tradeTime += gap), orderId: String(order) }),
          );
          const { log, close } = start(list);
          const book = new TripBook();
          for (const one of list)
            book.take({
              ...one,
              time: one.tradeTime,
              qty: one.executedQty ?? '',
              quote: one.executedQuoteQty ?? '',
              fee: one.fee ?? '',
              maker: one.liquidity === 'MAKER',
              inverse: one.symbol === 'BTC-USD-M',
              unread: false,
            });
          const wanted = book.trips().sort((a, b) => a.ended - b.ended);
          const query = { ...GROUPED, by: 'round-trip' } as const;
          const { rows, count } = await log.groups({ ...query, offset, limit });
          expect(count).toBe(wanted.length);
          expect(rows).toMatchObject(
            wanted
              .toReversed()
              .slice(offset, offset + limit)
              .map(({ closingOrders: _, ...trip }) => trip),
          );
          close();
        },
      ),
      { numRuns: 80 },
    );
  });

  it('reports which trades and orders are excluded from a group’s totals', async () => {
    const read = { side: 'BUY', executedQty: '1', fee: '0.1' };
    const list = [
      tradeNumber(0, { ...read, orderId: '1' }),
      tradeNumber(3, { ...read, orderId: '1', fee: null, received: { fee: 'n/a' } }),
      tradeNumber(6, { ...read, side: 'SELL', executedQty: '2', orderId: '2' }),
    ];
    const { log, close, db, strings } = start(list);
    onTestFinished(close);
    new OrderWriter(db, strings).insert(
      [orderNumber(0, { id: '1' }), orderNumber(3, { id: '2', profit: null, received: { profit: 'soon' } })],
      null,
      [],
      0,
    );
    const query = { ...GROUPED, offset: 0, limit: 10 };
    expect((await log.groups({ ...query, by: 'order' })).rows).toMatchObject([
      { orderId: '2', leftOut: 0, profit: { value: null, unread: 1 } },
      { orderId: '1', leftOut: 1, profit: { value: '0', unread: 0 }, fees: [{ amount: '0.1' }] },
    ]);
    expect((await log.groups({ ...query, by: 'round-trip' })).rows).toMatchObject([
      { flags: ['first-stored', 'unread'], profit: { value: null, unread: 1 } },
    ]);
  });

  it('lists round trips newest first, and names their trades by time and place', async () => {
    const list = ['BUY', 'BUY', 'SELL', 'BUY'].map((side, n) =>
      tradeNumber(n * 3, { side, executedQty: ['1', '2', '3', '1'][n]! }),
    );
    const { log, close } = start(list);
    const { rows, count } = await log.groups({
      ...GROUPED,
      by: 'round-trip',
      offset: 0,
      limit: 10,
    });
    expect(count).toBe(2);
    expect(rows).toMatchObject([
      {
        kind: 'round-trip',
        direction: 'LONG',
        trades: 1,
        flags: ['open'],
        profit: { value: null, orders: 0 },
      },
      { direction: 'LONG', trades: 3, opened: START, peakQty: '3', skip: 0, profit: { missing: 1 } },
    ]);
    close();
  });
});
