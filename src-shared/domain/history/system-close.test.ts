import { describe, expect, it } from 'vitest';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import { systemCloseOf } from './system-close.ts';

const order = (changes: Partial<HistoryOrder>): HistoryOrder =>
  ({
    id: '9',
    symbolId: 'BTC-USDT-M',
    side: 'SELL',
    source: 2,
    positionId: '7',
    tradeQuantity: '1.5',
    price: '90000',
    avgPrice: '90100',
    profit: '-12',
    marginMode: 'CROSSED',
    lockAssetId: 'USDT',
    feeAssetId: 'USDT',
    orderTime: 5,
    mtime: 6,
    ...changes,
  }) as HistoryOrder;

describe('a close by the exchange', () => {
  it('is an order of the system with a fill', () => {
    expect(systemCloseOf(order({}))).toMatchObject({ kind: 'liquidation', quantity: '1.5', price: '90100' });
    expect(systemCloseOf(order({ source: 0 }))).toBeNull();
    expect(systemCloseOf(order({ tradeQuantity: '0' }))).toBeNull();
  });
  it('is a delivery right after a full hour of the day in the name, however that is spelled', () => {
    const kindOf = (symbolId: string, orderTime = Date.UTC(2026, 11, 25, 8, 0, 3)) =>
      systemCloseOf(order({ symbolId, orderTime }))?.kind;
    for (const name of ['BTC1225', 'btc1225', 'BTC_1225', 'BTC-1225', 'BTC币1225', '1INCH1225'])
      expect([name, kindOf(`${name}-USDT-M`)]).toEqual([name, 'delivery']);
    for (const name of ['BTC261225', 'BTC20261225', 'BTC-261225', '1INCH_261225'])
      expect([name, kindOf(`${name}-USDT-M`)]).toEqual([name, 'delivery']);
    for (const name of ['BTC', 'BTC1226', 'BTC11225', '1225', 'BTC251225', 'BTC20251225', 'BTC19261225'])
      expect(kindOf(`${name}-USDT-M`)).toBe('liquidation');
    expect(kindOf('btc1225-usdt-M', Date.UTC(2026, 11, 25, 8, 1))).toBe('liquidation');
  });
  it('has the price of the order where it has no average, and none where both are 0', () => {
    expect(systemCloseOf(order({ avgPrice: '0' }))?.price).toBe('90000');
    expect(systemCloseOf(order({ avgPrice: '0.00', price: '0' }))?.price).toBeNull();
  });
  it('has null for figures that cannot be read', () => {
    expect(
      systemCloseOf(order({ tradeQuantity: null, avgPrice: null, price: null, profit: null })),
    ).toMatchObject({ kind: 'liquidation', quantity: null, price: null, profit: null });
  });
});
