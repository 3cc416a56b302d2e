/** An engine and an order at market, with only a test's changes. */
import { Engine, type EngineOptions } from '../../src-practice/engine/engine.ts';
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

export const START = 1_795_392_000_000;
export const engineOf = (options: Partial<EngineOptions> = {}): Engine =>
  new Engine({
    ...{ seed: 7, start: START, history: 0, convention: 'flat', order: 'asc', contracts: 13 },
    ...options,
  });
