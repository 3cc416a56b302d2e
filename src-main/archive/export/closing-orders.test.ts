import { describe, expect, it, onTestFinished } from 'vitest';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { openHere, START, tradeNumber } from '../../../tests/archive/trades.ts';
import { closingOrders } from './closing-orders.ts';

const order = (id: string, change: Partial<HistoryOrder> = {}): HistoryOrder =>
  orderNumber(0, { id, mtime: START + 5_000, profit: '3', reduceOnly: 1, side: 'SELL', ...change });
const fill = (orderId: string, at: number, change: Partial<Trade> = {}): Trade =>
  tradeNumber(0, { orderId, tradeId: `${orderId}${at}`, tradeTime: START + at, ...change });

function opened(orders: readonly HistoryOrder[], trades: readonly Trade[] = []) {
  const archive = openHere();
  onTestFinished(() => archive.close());
  archive.writer.insert(trades, null, 0);
  const insert = (list: readonly HistoryOrder[]): void => {
    archive.orders.insert(list, ...([null, [], 0] as const));
  };
  insert(orders);
  const read = (filter: Partial<TradeFilter> = {}, options: Parameters<typeof closingOrders>[3] = {}) =>
    closingOrders(archive.db, archive.strings, { ...NO_FILTER, ...filter }, options);
  const ids = (...args: Parameters<typeof read>): string[] => {
    const found = read(...args)!;
    const all: string[] = [];
    for (let some = found.next(); some !== null; some = found.next()) all.push(...some.map(({ id }) => id));
    return all;
  };
  return { insert, read, ids };
}

describe('closing orders', () => {
  it('have the profit of each, dated by its last fill, or without fills by its last change', () => {
    const { read } = opened(
      [order('1', { profit: '-3.50' }), order('2', { side: 'BUY' })],
      [fill('1', 1_000), fill('1', 2_000)],
    );
    const found = read()!;
    const same = { changedAt: START + 5_000, symbol: 'BTC-USDT-M', coin: 'USDT', isFinal: true };
    expect(found.next()).toEqual([
      { ...same, id: '1', time: START + 2_000, side: 'SELL', profit: '-3.50' },
      { ...same, id: '2', time: START + 5_000, side: 'BUY', profit: '3' },
    ]);
    expect([found.next(), found.next()]).toEqual([null, null]);
  });

  it('are those that are final, or all with their profit so far', () => {
    const { read, ids } = opened([
      order('1'),
      order('2', { status: 'NEW' }),
      order('3', { status: 'NEW', profit: '0.00' }),
      order('4', { profit: '0' }),
    ]);
    expect([ids(), ids({}, { which: 'final' }), ids({}, { which: 'all' })]).toEqual([
      ['1'],
      ['1'],
      ['1', '2'],
    ]);
    expect(
      read({}, { which: 'all' })
        ?.next()
        ?.map(({ isFinal }) => isFinal),
    ).toEqual([true, false]);
    expect(read()?.open).toBe(1);
  });

  it('are all read, by last change and id, in steps of thousands', () => {
    const list = Array.from({ length: 4_500 }, (_, n) =>
      order(String(n), { mtime: START + Math.floor(n / 1_900) }),
    );
    const { read, ids } = opened(list.toReversed());
    expect(ids()).toEqual(list.map(({ id }) => id));
    expect(read()?.next()).toHaveLength(2_000);
  });

  it('are those of the start: not what is stored while they are read', () => {
    const list = Array.from({ length: 2_500 }, (_, n) => order(String(n)));
    const { insert, read } = opened(list);
    const found = read()!;
    expect(found.next()).toHaveLength(2_000);
    insert([order('9000')]);
    expect(found.next()).toHaveLength(500);
    expect(found.next()).toBeNull();
  });

  it.each<[string, Partial<TradeFilter>]>([
    ['liquidity', { liquidities: ['MAKER'] }],
    ['coin of the fee', { feeAssets: ['USDT'] }],
    ['price', { priceFrom: '1' }],
    ['quantity', { qtyTo: '1' }],
    ['note', { noted: { tags: [], text: null } }],
  ])('are none where trades are selected by %s', (_what, filter) => {
    expect(opened([order('1')]).read(filter)).toBeNull();
  });

  it('are selected by side, by id, and by contract, however order and trades spell it', () => {
    const { ids } = opened(
      [
        order('1'),
        order('2', { side: 'BUY' }),
        order('3', { symbolId: 'ETH-USDT-M' }),
        order('4', { symbolId: 'SOL_USDT' }),
      ],
      [fill('4', 0, { symbol: 'SOL-USDT-M' }), fill('3', 0, { symbol: 'ETH-USDT-M' })],
    );
    expect(ids({ sides: ['BUY'] })).toEqual(['2']);
    expect(ids({ orderId: '3' })).toEqual(['3']);
    expect(ids({ symbols: ['ETH-USDT-M'] })).toEqual(['3']);
    expect(ids({ symbols: ['SOL-USDT-M'] })).toEqual(['4']);
    expect(ids({ symbols: ['SOL_USDT'] })).toEqual(['4']);
    expect(ids({ symbols: ['XRP-USDT-M'] })).toEqual([]);
  });

  it('are within a time by their last fill, or by their last change', () => {
    const { read, ids } = opened(
      [order('1'), order('2', { status: 'NEW' })],
      [fill('1', 1_000), fill('2', 1_000)],
    );
    const until = (to: number): Partial<TradeFilter> => ({ to: START + to });
    const since = (from: number): Partial<TradeFilter> => ({ from: START + from });
    expect([ids(until(999)), ids(until(1_000))]).toEqual([[], ['1']]);
    expect([ids(since(1_000)), ids(since(1_001))]).toEqual([['1'], []]);
    const within = 'change' as const;
    expect([ids(until(4_999), { within }), ids(until(5_000), { within })]).toEqual([[], ['1']]);
    expect([ids(since(5_000), { within }), ids(since(5_001), { within })]).toEqual([['1'], []]);
    expect([read(until(999))?.open, read(until(1_000))?.open]).toEqual([0, 1]);
  });

  it('may be filled up to a minute after their last change, since the lists’ clocks may differ', () => {
    const { ids } = opened([order('1')], [fill('1', 65_000)]);
    expect(ids({ from: START + 65_000 })).toEqual(['1']);
    expect(ids({ from: START + 65_001 })).toEqual([]);
    const late = opened([order('1')], [fill('1', 65_001)]);
    expect(late.ids({ from: START + 65_001 })).toEqual([]);
    expect(late.ids()).toEqual(['1']);
  });

  it('name each whose profit is not known, by its last fill, once', () => {
    const unread = { profit: null, received: { profit: 'soon' } };
    const { read, ids } = opened(
      [order('1', unread), order('2'), order('3', { ...unread, status: 'NEW' })],
      [fill('1', 1_000)],
    );
    expect(ids()).toEqual(['2']);
    expect(read()?.unread).toEqual([{ id: '1', symbol: 'BTC-USDT-M', time: START + 1_000 }]);
    expect(read({ sides: ['BUY'] })?.unread).toEqual([]);
  });
});
