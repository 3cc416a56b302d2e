/**
 * Encodes order requests. DECIMAL parameters become JSON numbers with exactly the typed digits, so the JSON is built
 * here: `JSON.stringify` would round a number and quote a string.
 */
import { isUnsignedDecimal } from '../../src-shared/amount.ts';
import { isRecord } from '../../src-shared/exchange-api/fields.ts';
import { JsonError, parseStrict } from '../../src-shared/exchange-api/lossless-json.ts';
import type { OrderRequest, TpSlRequest } from '../../src-shared/exchange-api/order-request.ts';

/** `close-all` is the only order that may, and must, omit its quantity. */
export type OrderKind = 'order' | 'close-all';

/** A body that must not be sent; `field` is the invalid field. */
export class OrderBodyError extends Error {
  override readonly name = 'OrderBodyError';
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

type Kind = 'text' | 'decimal' | 'flag';
/** Fields in the API's order. */
const ORDER_FIELDS = {
  symbolId: 'text',
  side: 'text',
  type: 'text',
  timeInForce: 'text',
  quantity: 'decimal',
  price: 'decimal',
  reduceOnly: 'flag',
  postOnly: 'flag',
  reverseOrder: 'flag',
} as const satisfies Record<Exclude<keyof OrderRequest, 'tpSl'>, Kind>;
const TP_SL_FIELDS = {
  tpTriggerType: 'text',
  tpPrice: 'decimal',
  tpExecutePrice: 'decimal',
  slTriggerType: 'text',
  slPrice: 'decimal',
  slExecutePrice: 'decimal',
} as const satisfies Record<keyof TpSlRequest, Kind>;

/** Returns the body of one order. Throws OrderBodyError for a value that cannot be encoded exactly. */
export function encodeOrder(request: OrderRequest): string {
  const parts = encodeFields(request, ORDER_FIELDS);
  if (request.tpSl !== undefined)
    parts.push(`"tpSl":{${encodeFields(request.tpSl, TP_SL_FIELDS).join(',')}}`);
  return `{${parts.join(',')}}`;
}

/** Returns the body of a batch. Throws OrderBodyError. */
export const encodeBatch = (requests: readonly OrderRequest[]): string =>
  `[${requests.map(encodeOrder).join(',')}]`;

function encodeFields<N extends string>(
  source: { readonly [K in NoInfer<N>]?: string | boolean | undefined },
  table: Readonly<Record<N, Kind>>,
): string[] {
  const parts: string[] = [];
  for (const name of Object.keys(table) as N[]) {
    const value = source[name];
    if (value === undefined) {
      // A lost quantity would close a whole position.
      if (Object.hasOwn(source, name)) throw new OrderBodyError(name, `${name} has no value`);
      continue;
    }
    parts.push(`"${name}":${encodeValue(name, value, table[name])}`);
  }
  return parts;
}

function encodeValue(name: string, value: string | boolean, kind: Kind): string {
  if (kind === 'flag' && typeof value === 'boolean') return String(value);
  if (kind === 'text' && typeof value === 'string') return JSON.stringify(value);
  if (kind === 'decimal' && typeof value === 'string' && isUnsignedDecimal(value)) return value;
  throw new OrderBodyError(name, `${name} is not a ${kind}: ${JSON.stringify(value).slice(0, 48)}`);
}

/**
 * Asserts on the final bytes that a close-all is reduce-only without a quantity, and that every other order has a
 * quantity above 0 as a JSON number. Throws OrderBodyError.
 */
export function assertBody(kind: OrderKind, body: string): void {
  const order = parse(body);
  if (!isRecord(order)) throw new OrderBodyError('order', 'the body is not one order');
  assertOrder(kind, order);
}

/** Like assertBody for a batch: at least one row, none of them a close-all. */
export function assertBatchBody(body: string): void {
  const rows = parse(body);
  if (!Array.isArray(rows) || rows.length === 0) throw new OrderBodyError('order', 'the batch has no orders');
  for (const row of rows as unknown[]) {
    if (!isRecord(row)) throw new OrderBodyError('order', 'a row of the batch is not an order');
    assertOrder('order', row);
  }
}

function parse(body: string): unknown {
  try {
    return parseStrict(body);
  } catch (error) {
    if (error instanceof JsonError)
      throw new OrderBodyError('order', `the body is not valid JSON: ${error.message}`);
    throw error;
  }
}

function assertOrder(kind: OrderKind, order: Readonly<Record<string, unknown>>): void {
  if (kind === 'close-all') {
    if (order.reduceOnly !== true)
      throw new OrderBodyError('reduceOnly', 'a close-all order is not reduce-only');
    if (Object.hasOwn(order, 'quantity'))
      throw new OrderBodyError('quantity', 'a close-all order has a quantity');
    return;
  }
  const { quantity } = order;
  if (typeof quantity !== 'number') throw new OrderBodyError('quantity', 'the order has no quantity');
  if (!(quantity > 0)) throw new OrderBodyError('quantity', 'the quantity is 0');
}
