import { describe, expect, it } from 'vitest';
import { externalOrders, type OrderSeen } from './order-origin.ts';
import { record } from '../../../tests/renderer/app-fixture.ts';

const order: OrderSeen = {
  id: '9',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  createdAt: record().createdAt + 300,
  conditionOrderId: '',
};

describe('an external order', () => {
  it('is one whose id no intent has', () => {
    const external = externalOrders([record({ orderId: '7' }), record({ orderId: '8', state: 'landed' })]);
    expect(external(order)).toBe(true);
    expect(['7', '8'].map((id) => external({ ...order, id }))).toEqual([false, false]);
    expect(external({ ...order, id: '7', symbolId: 'ETH-USDT-M' })).toBe(true);
  });
  it('is not assumed where an intent with a lost reply could be it', () => {
    for (const state of ['sending', 'unknown', 'closed'] as const) {
      const external = externalOrders([record({ orderId: null, state })]);
      expect(external(order)).toBe(false);
      expect(external({ ...order, side: 'SELL' })).toBe(true);
      expect(external({ ...order, createdAt: (order.createdAt ?? 0) + 3_600_000 })).toBe(true);
      expect(external({ ...order, createdAt: (order.createdAt ?? 0) - 3_600_000 })).toBe(true);
    }
    expect(externalOrders([record({ orderId: null, state: 'rejected' })])(order)).toBe(true);
  });
  it('is not assumed for orders the exchange creates itself', () => {
    const external = externalOrders([]);
    expect(external({ ...order, source: 0 })).toBe(true);
    expect([2, 10].map((source) => external({ ...order, source }))).toEqual([false, false]);
    expect(external({ ...order, conditionOrderId: '12' })).toBe(false);
    expect(external({ ...order, conditionOrderId: '0' })).toBe(true);
  });
});
