/** An order at market, as the engine reads it. */
import type { OrderRequest } from '../../src-practice/engine/request.ts';

export const marketOrder = (
  symbolId: string,
  side: 'BUY' | 'SELL',
  quantity: string | null,
  rest: Partial<OrderRequest> = {},
): OrderRequest => ({
  symbolId,
  side,
  type: 'MARKET',
  timeInForce: null,
  quantity,
  price: null,
  reduceOnly: false,
  postOnly: false,
  reverseOrder: false,
  tpSl: null,
  ...rest,
});
