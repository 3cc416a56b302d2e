import { describe, expect, it } from 'vitest';
import { placedElsewhere, type OrderSeen } from './order-origin.ts';
import { record } from '../../../tests/renderer/app-fixture.ts';

const order: OrderSeen = {
  id: '9',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  createdAt: record().createdAt + 300,
  conditionOrderId: '',
};

describe('an order placed elsewhere', () => {
  it('is one whose id no intent has', () => {
    const elsewhere = placedElsewhere([record({ orderId: '7' }), record({ orderId: '8', state: 'matched' })]);
    expect(elsewhere(order)).toBe(true);
    expect(['7', '8'].map((id) => elsewhere({ ...order, id }))).toEqual([false, false]);
    expect(elsewhere({ ...order, id: '7', symbolId: 'ETH-USDT-M' })).toBe(true);
  });
  it('is not assumed where an intent with a lost reply could be it', () => {
    for (const state of ['sending', 'unknown', 'dismissed'] as const) {
      const elsewhere = placedElsewhere([record({ orderId: null, state })]);
      expect(elsewhere(order)).toBe(false);
      expect(elsewhere({ ...order, side: 'SELL' })).toBe(true);
      expect(elsewhere({ ...order, createdAt: (order.createdAt ?? 0) + 3_600_000 })).toBe(true);
      expect(elsewhere({ ...order, createdAt: (order.createdAt ?? 0) - 3_600_000 })).toBe(true);
    }
    expect(placedElsewhere([record({ orderId: null, state: 'rejected' })])(order)).toBe(true);
  });
  it('is not assumed for orders the exchange creates itself', () => {
    const elsewhere = placedElsewhere([]);
    expect(elsewhere({ ...order, source: 0 })).toBe(true);
    expect([2, 10].map((source) => elsewhere({ ...order, source }))).toEqual([false, false]);
    expect(elsewhere({ ...order, conditionOrderId: '12' })).toBe(false);
    expect(elsewhere({ ...order, conditionOrderId: '0' })).toBe(true);
  });
});
