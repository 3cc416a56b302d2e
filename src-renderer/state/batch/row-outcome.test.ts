import { expect, it } from 'vitest';
import type { OrderRequest } from '../../../src-shared/exchange-api/order-request.ts';
import { openOrder } from '../../../tests/domain/order-samples.ts';
import { listedOrder } from './row-outcome.ts';

it('names the differences of a found order, but no field that the list does not give', () => {
  const request: OrderRequest = {
    ...{ symbolId: 'BTC-USDT-M', side: 'SELL', type: 'LIMIT', timeInForce: 'GTC' },
    ...{ quantity: '1.5', price: '99000' },
  };
  const differences = (changes: Parameters<typeof openOrder>[0]) =>
    listedOrder('9', request, { openOrders: [openOrder({ orderId: '9', ...changes })], history: [] })
      ?.differences;
  expect(differences({})).toEqual([]);
  expect(differences({ type: '', price: null, totalQuantity: null })).toEqual([]);
  expect(differences({ type: 'MARKET', side: 'BUY' })).toEqual([
    'side BUY instead of SELL',
    'type MARKET instead of LIMIT',
  ]);
});
