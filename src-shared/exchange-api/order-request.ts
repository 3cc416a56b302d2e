/** Order request: body of POST /ftapi/v1/order, element of the body of POST /ftapi/v1/batchOrders. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';

/** A DECIMAL parameter: text here, a JSON number with the same digits on the wire. */
const requestDecimal = v.pipe(
  v.string(),
  v.check(
    (text) => text.length <= 48 && isUnsignedDecimal(text),
    (issue) => `not a plain decimal: ${issue.input.slice(0, 48)}`,
  ),
);

/**
 * Shape `<BASE>-<QUOTE>-M`, with any characters in base and quote but invisible ones and those that reorder text, by which a
 * review would show another name than is sent. Delivery: `BTC1225-USDT-M`.
 */
export const SYMBOL_SHAPE = /^[^\p{Cc}\p{Cf}\s]{1,80}-[^\p{Cc}\p{Cf}\s]{1,40}-M$/u;
/** Name of a trigger type from the exchange's list. */
export const TRIGGER_NAME = /^[^\p{Cc}\p{Cf}\s]{1,32}$/u;

const triggerType = v.pipe(
  v.string(),
  v.regex(TRIGGER_NAME, 'trigger type: 1 to 32 characters without spaces'),
);

export const tpSlSchema = v.strictObject({
  /** NONE means no take-profit. */
  tpTriggerType: triggerType,
  tpPrice: v.optional(requestDecimal),
  tpExecutePrice: v.optional(requestDecimal),
  /** NONE means no stop-loss. */
  slTriggerType: triggerType,
  slPrice: v.optional(requestDecimal),
  slExecutePrice: v.optional(requestDecimal),
});

export const orderRequestSchema = v.strictObject({
  symbolId: v.pipe(v.string(), v.regex(SYMBOL_SHAPE, 'symbol: <BASE>-<QUOTE>-M')),
  side: v.picklist(['BUY', 'SELL']),
  type: v.picklist(['LIMIT', 'MARKET']),
  timeInForce: v.optional(v.picklist(['GTC', 'IOC', 'FOK'])),
  /** A reduce-only order without it closes the whole position. */
  quantity: v.optional(requestDecimal),
  price: v.optional(requestDecimal),
  reduceOnly: v.optional(v.boolean()),
  postOnly: v.optional(v.boolean()),
  reverseOrder: v.optional(v.boolean()),
  tpSl: v.optional(tpSlSchema),
});

export type OrderRequest = v.InferOutput<typeof orderRequestSchema>;
export type TpSlRequest = v.InferOutput<typeof tpSlSchema>;
