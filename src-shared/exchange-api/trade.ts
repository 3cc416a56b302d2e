/** Trade record: element of data.data of GET /stapi/v1/trades. */
import * as f from './fields.ts';
import { LIQUIDITY, ORDER_SIDE } from './enums.ts';

export const tradeFields = {
  tradeTime: f.required(f.time('Time')),
  symbol: f.text('Contract'),
  side: f.choice(ORDER_SIDE, 'Side'),
  price: f.decimal('Price'),
  executedQty: f.decimal('Quantity'),
  executedQuoteQty: f.decimal('Quote quantity'),
  fee: f.decimal('Fee'),
  feeAsset: f.text('Fee coin'),
  liquidity: f.choice(LIQUIDITY, 'Liquidity'),
  offset: f.integer('Offset', 'The exchange API does not say what its values mean'),
  orderId: f.id('Order ID'),
  tradeId: f.required(f.text('Trade ID')),
};

export type Trade = f.RecordOf<typeof tradeFields>;

/** One page of the trade history. `total` and `pageCount` are the exchange's counts at that moment. */
export interface TradePage {
  readonly data: readonly Trade[];
  readonly pageCount: number;
  readonly total: number;
}
