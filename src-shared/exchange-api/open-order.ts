/** Open order record: element of data of GET /ftapi/v1/openOrder. */
import * as f from './fields.ts';
import {
  MARGIN_MODE,
  OPEN_ORDER_STATUS,
  ORDER_SIDE,
  ORDER_TYPE,
  POSITION_MODE,
  PRICE_TYPE,
  TIME_IN_FORCE,
} from './enums.ts';

/** A price type is 1 for limit, 2 for market; text or number is not documented. */
const priceType = (label: string): f.Field<string | number | null> => {
  const text = f.optional(f.choice(PRICE_TYPE, label));
  return {
    ...text,
    expected: '1, 2 or null',
    accepts: (x) => text.accepts(x) || Number.isSafeInteger(x),
  };
};

export const openOrderTpSlFields = {
  tpPrice: f.optional(f.decimal('Take-profit trigger')),
  tpExecutePrice: f.optional(f.decimal('Take-profit order price')),
  tpPriceType: priceType('Take-profit order type'),
  slPrice: f.optional(f.decimal('Stop-loss trigger')),
  slExecutePrice: f.optional(f.decimal('Stop-loss order price')),
  slPriceType: priceType('Stop-loss order type'),
};

export const openOrderFields = {
  symbolId: f.required(f.text('Contract')),
  side: f.required(f.choice(ORDER_SIDE, 'Side')),
  type: f.choice(ORDER_TYPE, 'Type'),
  timeInForce: f.choice(TIME_IN_FORCE, 'Time in force'),
  price: f.decimal('Price', 'Meaningful for limit orders'),
  totalQuantity: f.decimal('Quantity'),
  tradeQuantity: f.decimal('Filled'),
  quantity: f.decimal('Remaining'),
  avgPrice: f.decimal('Average fill price', 'Fill amount ÷ fill quantity'),
  totalAmount: f.decimal('Price × quantity'),
  tradeAmount: f.decimal('Filled amount'),
  remainingLocked: f.decimal('Margin still locked'),
  reduceOnly: f.flag('Reduce-only'),
  postOnly: f.flag('Post-only'),
  status: f.choice(OPEN_ORDER_STATUS, 'Status'),
  leverage: f.integer('Leverage'),
  marginMode: f.choice(MARGIN_MODE, 'Margin mode'),
  positionMode: f.choice(POSITION_MODE, 'Position mode'),
  feeAmount: f.decimal('Fee'),
  feeAssetId: f.text('Fee coin'),
  profit: f.decimal('Closed PnL', 'Valid after a fill'),
  profitRate: f.decimal('Closed PnL ÷ margin'),
  tpSl: f.optional(f.object(openOrderTpSlFields, 'TP/SL')),
  conditionOrderId: f.text('Condition order ID', 'Empty when not a conditional order'),
  orderId: f.required(f.id('Order ID')),
  uid: f.text('User ID'),
  ctime: f.time('Created'),
  mtime: f.time('Updated'),
};

export type OpenOrder = f.RecordOf<typeof openOrderFields>;
export type OpenOrderField = keyof typeof openOrderFields;
