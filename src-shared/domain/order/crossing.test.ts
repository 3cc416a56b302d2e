import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { context, NOW } from '../../../tests/domain/order-samples.ts';
import { crossingOf } from './crossing.ts';

const LIMIT: OrderRequest = {
  ...{ symbolId: 'BTC-USDT-M', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
  ...{ quantity: '0.1', price: '97000.0' },
};
const where = (age = 0, seconds = 60) => {
  const base = context({ references: [{ price: '97000.0', source: 'mark', at: NOW - age }] });
  return { ...base, limits: { ...base.limits, referenceAgeSeconds: seconds } };
};

describe('whether an order crosses', () => {
  it('is asked of limit orders only, by their price', () => {
    expect(crossingOf(LIMIT, where())?.state).toBe('crosses');
    expect(crossingOf({ ...LIMIT, price: undefined }, where())).toBeNull();
    // The exchange rejects it for its price; it is not compared.
    expect(crossingOf({ ...LIMIT, type: 'MARKET' }, where())).toBeNull();
  });

  it('is known while the reference price is not older than the limit, to the second', () => {
    const at = (age: number) => crossingOf(LIMIT, where(age))?.state;
    expect([0, 60_000, 60_999, 61_000].map(at)).toEqual(['crosses', 'crosses', 'crosses', 'unknown']);
  });
});
