import { describe, expect, it } from 'vitest';
import { openOrder, pastOrder } from '../../../tests/domain/order-samples.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import { seenOrders, type SeenOrder } from './listed-orders.ts';

const fromOpen = (changes: Partial<OpenOrder> = {}): SeenOrder =>
  seenOrders([openOrder({ orderId: '9', postOnly: 1, ...changes })], []).get('9')!;
const fromHistory = (changes: Partial<HistoryOrder> = {}): SeenOrder =>
  seenOrders([], [pastOrder({ id: '9', ...changes })]).get('9')!;

describe('a listed order', () => {
  it('keeps what both lists have, as received', () => {
    const shared = {
      ...{ symbolId: 'BTC-USDT-M', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', price: '99000.0' },
      ...{ totalQuantity: '1.500', tradeQuantity: '0', status: 'OPEN', reduceOnly: true, postOnly: true },
    };
    expect(fromOpen({ ctime: 7 })).toEqual({
      ...{ ...shared, orderId: '9', list: 'open-orders', createdAt: 7, condition: false },
      ...{ reverseOrder: null, liquidation: false, tpSl: null },
    });
    const past = {
      ...{ side: 'SELL', type: 'LIMIT', timeInForce: 'GTC', price: '99000.0', tradeQuantity: '0' },
      ...{
        totalQuantity: '1.500',
        status: 'OPEN',
        reduceOnly: 1,
        postOnly: 1,
        reverseOrder: 1,
        orderTime: 7,
      },
    };
    expect(fromHistory(past)).toEqual({
      ...{ ...shared, orderId: '9', list: 'order-history', createdAt: 7, condition: false },
      ...{ reverseOrder: true, liquidation: false },
      tpSl: { tpPrice: null, tpExecutePrice: null, slPrice: null, slExecutePrice: null },
    });
  });

  it('is the history’s where both have it', () => {
    const seen = seenOrders([openOrder({ orderId: '9' })], [pastOrder({ id: '9', status: 'CANCELED' })]);
    expect([...seen.values()]).toMatchObject([{ list: 'order-history', status: 'CANCELED' }]);
  });

  it.each([
    ['', false],
    ['0', false],
    ['71', true],
  ])('of condition %j: created by one is %s', (conditionOrderId, condition) => {
    expect(fromOpen({ conditionOrderId }).condition).toBe(condition);
    expect(fromHistory({ conditionOrderId }).condition).toBe(condition);
  });

  it('of source 2 was created by a liquidation', () => {
    expect([0, 1, 2, 3, null].map((source) => fromHistory({ source }).liquidation)).toEqual([
      ...[false, false, true, false, false],
    ]);
  });

  it('has the TP/SL prices that are given and not 0', () => {
    const types = { tpPriceType: '1', slPriceType: '2' };
    const all = { tpPrice: '99000.0', tpExecutePrice: '99001', slPrice: '95000', slExecutePrice: '94999' };
    expect(fromOpen({ tpSl: { ...types, ...all } }).tpSl).toEqual(all);
    const few = { ...types, tpPrice: '0', tpExecutePrice: null, slPrice: '', slExecutePrice: '0.0' };
    const none = { tpPrice: null, tpExecutePrice: null, slPrice: null, slExecutePrice: null };
    expect(fromOpen({ tpSl: few }).tpSl).toEqual(none);
    expect(fromHistory({ tpPrice: '99000.0', slPrice: '0' }).tpSl).toEqual({ ...none, tpPrice: '99000.0' });
  });
});

it('a flag that cannot be read is unknown, not off', () => {
  expect([true, 1, false, 0, null].map((reduceOnly) => fromOpen({ reduceOnly }).reduceOnly)).toEqual([
    ...[true, true, false, false, null],
  ]);
});

describe('a listed order is doubtful', () => {
  it.each<[string, Partial<OpenOrder> & Partial<HistoryOrder>]>([
    ['its time', { ctime: null, orderTime: null as never }],
    ['reduce-only', { reduceOnly: null }],
    ['post-only', { postOnly: null }],
    ['its quantity', { totalQuantity: null }],
    ['its type', { type: '' }],
    ['a limit price', { type: 'LIMIT', price: null }],
    ['a limit order’s time in force', { type: 'LIMIT', timeInForce: '' }],
  ])('while %s cannot be read', (_what, changes) => {
    expect(fromOpen(changes).isDoubtful).toBe(true);
    expect(fromHistory(changes).isDoubtful).toBe(true);
  });

  it('while nothing shows whether a condition or the exchange created it', () => {
    const conditionOrderId = { conditionOrderId: '', received: { conditionOrderId: '{"id":7}' } };
    expect(fromOpen(conditionOrderId).isDoubtful).toBe(true);
    expect(fromHistory(conditionOrderId).isDoubtful).toBe(true);
    expect(fromHistory({ source: null }).isDoubtful).toBe(true);
    expect(fromHistory({ reverseOrder: null }).isDoubtful).toBe(true);
  });

  it('while its TP/SL cannot be read', () => {
    const types = { tpPriceType: '1', slPriceType: '2' };
    const none = { tpPrice: null, tpExecutePrice: null, slPrice: null, slExecutePrice: null };
    expect(fromOpen({ tpSl: null, received: { tpSl: '"none"' } }).isDoubtful).toBe(true);
    for (const price of Object.keys(none)) {
      const tpSl = { ...types, ...none, received: { [price]: '95,000' } };
      expect(fromOpen({ tpSl }).isDoubtful, price).toBe(true);
    }
    for (const price of ['tpPrice', 'slPrice'])
      expect(fromHistory({ [price]: null, received: { [price]: '95,000' } }).isDoubtful, price).toBe(true);
  });

  it('not for what is not given, or read though it was written otherwise', () => {
    const types = { tpPriceType: '1', slPriceType: '2', tpExecutePrice: null, slExecutePrice: null };
    const tpSl = { ...types, tpPrice: '99000', slPrice: null, received: { tpPrice: '9.9e4' } };
    expect(fromOpen({ tpSl, conditionOrderId: '' })).not.toHaveProperty('isDoubtful');
    expect(fromOpen({ tpSl: null })).not.toHaveProperty('isDoubtful');
    expect(fromHistory({ tpPrice: '99000', received: { tpPrice: '9.9e4' } })).not.toHaveProperty(
      'isDoubtful',
    );
  });

  it('not for the price and the time in force of a market order', () => {
    const market = { type: 'MARKET', price: null, timeInForce: '' };
    expect(fromOpen(market)).not.toHaveProperty('isDoubtful');
    expect(fromHistory(market)).not.toHaveProperty('isDoubtful');
  });
});
