import { describe, expect, it } from 'vitest';
import { NOW, pastOrder } from '../../../tests/domain/order-samples.ts';
import type { Trade } from '../../exchange-api/trade.ts';
import { newestFill } from './newest-fill.ts';
import { SYSTEM_SOURCE } from '../../exchange-api/enums.ts';

const trade = (changes: Partial<Trade>): Trade =>
  ({ orderId: '1', price: '95000.0', tradeTime: NOW - 60_000, ...changes }) as Trade;
const REST = { type: 'LIMIT', timeInForce: 'GTC' } as const;

describe('the newest fill', () => {
  it('is the newest of trades and orders', () => {
    expect(newestFill([], [])).toBeNull();
    expect(newestFill([trade({})], [])).toEqual({ price: '95000.0', at: NOW - 60_000 });
    expect(newestFill([trade({})], [pastOrder({ avgPrice: '96000.0' })])).toEqual({
      price: '96000.0',
      at: NOW,
    });
    expect(newestFill([trade({ tradeTime: NOW + 1 })], [pastOrder()])?.at).toBe(NOW + 1);
  });

  it('is none of the system: a liquidation does not fill at the market’s price', () => {
    const liquidation = pastOrder({ id: '9', source: SYSTEM_SOURCE, avgPrice: '80000.0' });
    const before = pastOrder({ id: '8', mtime: NOW - 5_000 });
    expect(newestFill([trade({ orderId: '9', price: '80000.0', tradeTime: NOW })], [liquidation])).toBeNull();
    expect(newestFill([trade({ orderId: '9', tradeTime: NOW }), trade({})], [liquidation, before])).toEqual({
      price: '95000.0',
      at: NOW - 5_000,
    });
  });

  it('does not take a late cancel of a resting order for the time of its fill', () => {
    const cancelled = { status: 'CANCELED', tradeQuantity: '0.500', avgPrice: '70000.0' } as const;
    expect(newestFill([], [pastOrder({ ...REST, ...cancelled })])).toBeNull();
    expect(newestFill([], [pastOrder({ ...REST, ...cancelled, status: 'NEW' })])?.price).toBe('70000.0');
    // These never rest: the rest is cancelled with the fill.
    expect(newestFill([], [pastOrder({ ...REST, ...cancelled, timeInForce: 'IOC' })])?.price).toBe('70000.0');
    expect(newestFill([], [pastOrder({ ...cancelled, timeInForce: 'GTC' })])?.price).toBe('70000.0');
  });

  it('passes over orders without a fill', () => {
    const none = { status: 'CANCELED', tradeQuantity: '0' } as const;
    for (const avgPrice of [null, '0', '0.00'])
      expect(newestFill([trade({})], [pastOrder({ ...none, avgPrice })])?.price).toBe('95000.0');
  });
});
