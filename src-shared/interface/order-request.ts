/** Order request: body of POST /ftapi/v1/order, element of the body of POST /ftapi/v1/batchOrders. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';

/** A DECIMAL parameter: text here, a JSON number with exactly these digits on the wire. */
const requestDecimal = v.pipe(
  v.string(),
  v.check(
    (text) => text.length <= 48 && isUnsignedDecimal(text),
    (issue) => `not a plain decimal: ${issue.input.slice(0, 48)}`,
  ),
);

/** Shape `<BASE>-<QUOTE>-M`; delivery contracts carry their date in the base: `BTC1225-USDT-M`. */
export const SYMBOL_SHAPE = /^[A-Z0-9]{1,24}-[A-Z0-9]{1,12}-M$/;

const triggerType = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Z0-9_]{0,31}$/, 'trigger type: capital letters, digits and _'),
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
  /** Leaving it out of a reduce-only order closes the whole position. */
  quantity: v.optional(requestDecimal),
  price: v.optional(requestDecimal),
  reduceOnly: v.optional(v.boolean()),
  postOnly: v.optional(v.boolean()),
  reverseOrder: v.optional(v.boolean()),
  tpSl: v.optional(tpSlSchema),
});

export type OrderRequest = v.InferOutput<typeof orderRequestSchema>;
export type TpSlRequest = v.InferOutput<typeof tpSlSchema>;
