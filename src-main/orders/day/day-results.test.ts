import { describe, expect, it, vi } from 'vitest';
import { done, failed, type Result } from '../../../src-shared/ipc/failures.ts';
import type { Feed, Feeds } from '../../../src-shared/ipc/feeds.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { INVERSE, LINEAR } from '../../../tests/domain/order-samples.ts';
import { type DayReading, DayResults } from './day-results.ts';
import { feedOf } from '../../../tests/shared/feed-of.ts';

const START = Date.parse('2026-11-21T00:00Z');
type Summary = Extract<Awaited<ReturnType<DayReading['summary']>>, { ok: true }>['data'];

const feed = <T>(value: T | null): Feed<T> => feedOf(value, { receivedAt: START + 60_000, age: 0 });
const order = (changes: Partial<HistoryOrder> = {}) =>
  ({ mtime: START + 1, orderTime: START + 1, tradeQuantity: '1.000', ...changes }) as HistoryOrder;
const NO = { wins: 0, losses: 0, grossProfit: '0', grossLoss: '0', profit: '0', fee: '0' };
const result = (
  coin: string,
  net: string,
  orders = 1,
  contracts: readonly (readonly [string, string])[] = [],
) => ({
  ...{ ...NO, coin, net, orders, winRate: null, profitFactor: null, drawdown: '0' },
  contracts: contracts.map(([symbol, one]) => ({ ...NO, coin, symbol, net: one, orders: 1 })),
});

interface Scripted {
  open: string | null;
  history: Feeds['history'];
  answer: Result<Summary>;
  offset: number;
  key: string;
  readonly asked: number[];
}

function setUp(results: Summary['results'], orders: readonly HistoryOrder[] = [order()]) {
  const self: Scripted = {
    open: 'practice',
    history: feed(orders),
    answer: done({ results, basis: { leftOut: { orders: 0 } } }),
    offset: 0,
    key: 'one',
    asked: [],
  };
  const connection = (id: string): DayReading => ({
    id,
    account: { address: 'https://api.meridian.example', key: self.key, uid: null },
    feeds: () => ({ history: self.history, contracts: feed([LINEAR, INVERSE]) }),
    clockOffsetMs: () => self.offset,
    summary(from) {
      self.asked.push(from);
      return Promise.resolve(self.answer);
    },
  });
  const read = new DayResults(() => (self.open === null ? null : connection(self.open)));
  const sum = (): Promise<null> => {
    const { promise, resolve } = Promise.withResolvers<null>();
    read.refresh('practice', START, () => resolve(null));
    return promise;
  };
  return Object.assign(self, {
    read,
    sum,
    of: (coin: string | null = 'USDT') => read.of('practice', START, coin),
  });
}

describe('the result of a day', () => {
  it('is that of the limit’s coin, with the others apart', async () => {
    const d = setUp(
      [result('USDT', '-12.5'), result('BTC', '0.001'), result('ETH', '0')],
      [order(), order()],
    );
    expect(d.of()).toMatchObject({ result: null, unknown: 'Order history has not been read yet.' });
    await d.sum();
    expect(d.of()).toEqual({
      ...{ result: '-12.5', unknown: null, resultAt: START + 60_000 },
      others: [{ coin: 'BTC', net: '0.001' }],
    });
    expect(d.of('BTC')).toMatchObject({ result: '0.001', others: [{ coin: 'USDT', net: '-12.5' }] });
    expect(d.of('USDC').result).toBe('0');
    expect(d.of(null)).toEqual({ result: null, unknown: null, resultAt: null, others: [] });
  });

  it('is no other account’s, whose key the connection had before', async () => {
    const d = setUp([result('USDT', '-12.5')]);
    await d.sum();
    d.key = 'other';
    expect(d.of()).toMatchObject({ result: null, unknown: 'Order history has not been read yet.' });
    d.answer = done({ results: [result('USDT', '3')], basis: { leftOut: { orders: 0 } } });
    await d.sum();
    expect(d.of()).toMatchObject({ result: '3', unknown: null });
  });

  it('begins at midnight by the exchange’s clock', async () => {
    const d = setUp([result('USDT', '1')]);
    d.offset = 7_000;
    await d.sum();
    expect(d.asked).toEqual([START + 7_000]);
  });

  it('takes the coin of the contract where an order names none', async () => {
    const rows = [
      result('', '-3', 2, [
        ['BTC-USDT-M', '-2'],
        ['BTC-USD-M', '-1'],
      ]),
      result('USDT', '-0.5'),
    ];
    const d = setUp(rows);
    await d.sum();
    expect(d.of()).toMatchObject({ result: '-2.5', unknown: null });

    const unlisted = setUp([result('', '-3', 1, [['OLD-USDT-M', '-3']])]);
    await unlisted.sum();
    expect(unlisted.of().unknown).toMatch(/no coin/);
  });

  it.each<[string, (d: ReturnType<typeof setUp>) => void, RegExp]>([
    ['the archive fails', (d) => (d.answer = failed({ kind: 'file', message: 'x', next: 'y' })), /archive/],
    ['an order cannot be read', (d) => (d.answer = left(2)), /2 of today’s orders cannot be read/],
    ['an order is not stored yet', (d) => (d.history = feed([order(), order()])), /being stored/],
    ...[1_000, 100].map((count): [string, (d: ReturnType<typeof setUp>) => void, RegExp] => [
      `all of the ${count} orders listed are of today`,
      (d) => (d.history = feed(Array.from({ length: count }, () => order({ tradeQuantity: '0' })))),
      /may not list all orders of today/,
    ]),
    ['the history is old', (d) => (d.history = { ...d.history, age: 91_000 }), /out of date/],
  ])('is not known while %s', async (_what, change, reason) => {
    const d = setUp([result('USDT', '-1')]);
    change(d);
    await d.sum();
    expect(d.of().unknown).toMatch(reason);
    // What is known counts, as far as it goes.
    expect(d.of().result).toBe(d.answer.ok ? '-1' : null);
  });

  it('lacks no order that is of yesterday, did not fill, or has a fill that cannot be read', async () => {
    const others = [
      order({ mtime: START - 1, orderTime: START - 1 }),
      order({ tradeQuantity: '0.000' }),
      order({ tradeQuantity: null }),
    ];
    const d = setUp([result('USDT', '-1')], [order({ mtime: START }), ...others]);
    await d.sum();
    expect(d.of()).toMatchObject({ result: '-1', unknown: null });
    const none = setUp([], [order({ mtime: START }), ...others]);
    await none.sum();
    expect(none.of().unknown).toMatch(/being stored/);
  });

  it('is that of all orders while one listed is of yesterday, however many there are', async () => {
    const none = { tradeQuantity: '0' };
    const today = Array.from({ length: 99 }, () => order({ ...none, orderTime: START }));
    const d = setUp([result('USDT', '-1')], [...today, order({ ...none, orderTime: START - 1 })]);
    await d.sum();
    expect(d.of().unknown).toBeNull();
    d.history = { ...feed([...today, order({ ...none, orderTime: START })]), serial: 2 };
    await d.sum();
    expect(d.of().unknown).toMatch(/may not list all/);
  });

  it('is read of the open account only, once at a time, and when its history is', async () => {
    const d = setUp([result('USDT', '-1')]);
    const changed = vi.fn();
    for (const open of ['live-1', null]) {
      d.open = open;
      d.read.refresh('practice', START, changed);
    }
    d.open = 'practice';
    d.history = feed<readonly HistoryOrder[]>(null);
    d.read.refresh('practice', START, changed);
    expect(d.asked).toEqual([]);
    d.history = feed([order()]);
    d.read.refresh('practice', START, changed);
    d.read.refresh('practice', START, changed);
    await vi.waitFor(() => expect(changed).toHaveBeenCalled());
    expect([d.asked, changed.mock.calls.length]).toEqual([[START], 1]);
    expect(d.of()).toMatchObject({ result: '-1' });
    d.read.refresh('practice', START + 86_400_000, changed);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
    expect(d.asked).toEqual([START, START + 86_400_000]);
    await d.sum();
    for (const open of ['live-1', null]) {
      d.open = open;
      expect(d.of()).toMatchObject({ result: null, resultAt: null, others: [] });
    }
  });

  it('is summed once for each reply of the history, and again until its orders are stored', async () => {
    const d = setUp([result('USDT', '-1')]);
    await d.sum();
    d.read.refresh('practice', START, () => undefined);
    expect(d.asked).toHaveLength(1);
    d.history = { ...feed([order(), order()]), serial: 2 };
    await d.sum();
    await d.sum();
    expect(d.asked).toHaveLength(3);
    d.read.refresh('practice', START + 86_400_000, () => undefined);
    expect(d.asked).toHaveLength(4);
    expect(d.read.of('practice', START + 86_400_000, 'USDT').result).toBeNull();
    expect(d.read.of('live-1', START, 'USDT').result).toBeNull();
  });
});

const left = (orders: number): Result<Summary> =>
  done({ results: [result('USDT', '-1')], basis: { leftOut: { orders } } });
