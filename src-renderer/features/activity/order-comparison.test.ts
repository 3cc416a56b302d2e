import { describe, expect, it } from 'vitest';
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import { record } from '../../../tests/renderer/app-fixture.ts';
import { compareOrders, matchedOrder } from './order-comparison.ts';

const order: SeenOrder = {
  orderId: '9007199254740993',
  list: 'open-orders',
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '97250',
  totalQuantity: '0.85',
  tradeQuantity: '0',
  status: 'NEW',
  reduceOnly: false,
  postOnly: false,
  reverseOrder: null,
  liquidation: false,
  createdAt: 2_000,
};
const body =
  '{"symbolId":"BTC-USDT-M","side":"BUY","type":"LIMIT","timeInForce":"GTC","quantity":0.850,"price":97250.0,"postOnly":true}';
const matched = (candidates: readonly SeenOrder[]): IntentRecord =>
  record({
    state: 'matched',
    orderId: order.orderId,
    body,
    finding: {
      rounds: 1,
      absent: 0,
      checks: [
        {
          round: 1,
          at: 3_000,
          since: 0,
          reads: [],
          verdict: 'matched',
          candidates,
          hints: [],
          nextAt: null,
          text: '',
        },
      ],
    },
  });

describe('what was found', () => {
  it('is the candidate that was matched, never another', () => {
    const foreign = { ...order, orderId: '1' };
    expect(matchedOrder(matched([foreign, order]))?.orderId).toBe(order.orderId);
    expect(matchedOrder(matched([foreign]))).toBeNull();
    expect(matchedOrder(record({ state: 'accepted', orderId: '7' }))).toBeNull();
  });

  it('is compared number for number and flag for flag', () => {
    const rows = Object.fromEntries(compareOrders(matched([]), order).map((one) => [one.field, one]));
    expect(rows['Price']).toEqual({ field: 'Price', sent: '97250.0', found: '97250', same: true });
    expect(rows['Quantity']).toMatchObject({ sent: '0.850', same: true });
    expect(rows['Reduce-only']).toMatchObject({ sent: 'no', found: 'no', same: true });
    expect(rows['Post-only']).toMatchObject({ sent: 'yes', found: 'no', same: false });
  });

  it('leaves open which fields a close-all did not send', () => {
    const closing = {
      ...matched([]),
      body: '{"symbolId":"BTC-USDT-M","side":"SELL","type":"MARKET","reduceOnly":true}',
    };
    const rows = compareOrders(closing, { ...order, side: 'SELL', type: 'MARKET', reduceOnly: true });
    expect(rows.find((one) => one.field === 'Quantity')).toMatchObject({ sent: null, same: null });
    expect(rows.map((one) => one.field)).not.toContain('Price');
  });
});
