import { describe, expect, it } from 'vitest';
import { marksOf } from '../../../src-shared/domain/position/metrics.ts';
import { filledShare, flagsOf, flagTitle, toMark } from './open-orders.ts';
import { openOrder, position } from '../../../tests/domain/order-samples.ts';

describe('an open order', () => {
  const marks = marksOf([
    position({ symbolId: 'BTC-USDT-M', markPrice: '100' }),
    position({ symbolId: 'ETH-USDT-M', markPrice: null }),
  ]);
  const at = (symbolId: string, price: string, type = 'LIMIT') => toMark({ symbolId, price, type }, marks);

  it('has a distance only with a mark and a price of its own', () => {
    expect(at('BTC-USDT-M', '98.24')).toBe('-0.0176');
    expect(at('ETH-USDT-M', '98')).toBeNull();
    expect(at('SOL-USDT-M', '98')).toBeNull();
    expect(at('BTC-USDT-M', '0', 'MARKET')).toBeNull();
  });
  it('shows a filled share that is never rounded up to 100 %', () => {
    expect(filledShare({ tradeQuantity: '17250', totalQuantity: '18000' })).toBe('0.9583333333');
    expect(filledShare({ tradeQuantity: '999999999999', totalQuantity: '1000000000000' })).toBe(
      '0.9999999999',
    );
    expect(filledShare({ tradeQuantity: '0', totalQuantity: '0' })).toBe('0');
  });
  it('flags options sent as 0/1 or true/false, and no TP/SL whose fields are all null', () => {
    const none = { tpPrice: null, slPrice: null };
    const plain = { ...openOrder({}), reduceOnly: 0, postOnly: false, conditionOrderId: '', tpSl: none };
    expect(flagsOf(plain)).toEqual([]);
    expect(flagsOf({ ...plain, reduceOnly: 1, postOnly: true, tpSl: { ...none, slPrice: '90' } })).toEqual([
      'Reduce',
      'Post',
      'SL',
    ]);
    expect(flagsOf({ ...plain, tpSl: null, reverseOrder: 1, tpPrice: '110' })).toEqual(['Reverse', 'TP']);
  });
  it('says at which price a take profit or stop loss triggers', () => {
    const order = { ...openOrder({}), tpSl: { tpPrice: '65341.8', slPrice: null }, slPrice: '0.000020' };
    expect(['TP', 'SL', 'Post'].map((flag) => flagTitle(order, flag))).toEqual([
      'Take profit at 65,341.8',
      'Stop loss at 0.000020',
      undefined,
    ]);
  });
});
