/** From an order request to the bytes that may be sent, or a refusal that names the field. */
import * as v from 'valibot';
import { denied, type Failure } from '../../src-shared/ipc/failures.ts';
import { orderRequestSchema, type OrderRequest } from '../../src-shared/exchange-api/order-request.ts';
import {
  assertBatchBody,
  assertBody,
  encodeBatch,
  encodeOrder,
  OrderBodyError,
  type OrderKind,
} from './order-body.ts';
import type { OrderEndpoint } from './outcome.ts';

const NOTHING_SENT = 'Nothing was sent. Correct the field and send it again.';
const CODE: Readonly<Record<string, string>> = { quantity: '700012', price: '700011' };
/** What is left out is a fault of the parameters as a whole; what is wrong, of the field. */
const refuse = (field: string, message: string, value?: string | null): Failure =>
  denied(`${message}.`, NOTHING_SENT, field, value === null ? '700004' : (CODE[field] ?? '700009'));

const DIGITS_ABOVE_ZERO = /[1-9]/;
const positive = (text: string | null): boolean => text !== null && DIGITS_ABOVE_ZERO.test(text);

/** Reduce-only without a quantity closes the whole position; only a MARKET order can. */
const kindOf = (request: OrderRequest): OrderKind =>
  request.reduceOnly === true && !Object.hasOwn(request, 'quantity') ? 'close-all' : 'order';

function fault(input: unknown, kind: OrderKind | null): Failure | OrderRequest {
  const parsed = v.safeParse(orderRequestSchema, input);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const path = v.getDotPath(issue) ?? 'order';
    return refuse(path.replace(/^tpSl\./, ''), `${path}: ${issue.message}`);
  }
  const request = parsed.output;
  const expected = kind ?? kindOf(request);
  if (request.type === 'LIMIT') {
    const { quantity = null, price = null } = request;
    if (!positive(quantity)) return refuse('quantity', 'A LIMIT order needs a quantity above 0', quantity);
    if (!positive(price)) return refuse('price', 'A LIMIT order needs a price above 0', price);
  }
  if (expected === 'order' && !positive(request.quantity ?? null))
    return refuse('quantity', 'The order needs a quantity above 0', request.quantity ?? null);
  return request;
}

/** The body of a valid order. */
export function checkedOrder(input: unknown): string | Failure {
  const request = fault(input, null);
  if ('kind' in request) return request;
  return guarded(() => {
    const body = encodeOrder(request);
    assertBody(kindOf(request), body);
    return body;
  });
}

/** The body of a valid batch; a fault names its row, counted from 1. */
export function checkedBatch(input: unknown): string | Failure {
  if (!Array.isArray(input) || input.length === 0) return refuse('order', 'The batch has no orders');
  const requests: OrderRequest[] = [];
  for (const [index, row] of (input as unknown[]).entries()) {
    const request = fault(row, 'order');
    if ('kind' in request) return { ...request, message: `Row ${index + 1}: ${request.message}` };
    requests.push(request);
  }
  return guarded(() => {
    const body = encodeBatch(requests);
    assertBatchBody(body);
    return body;
  });
}

/** Bytes that were recorded before; looked at once more, then sent as they are. */
export const checkedBody = (endpoint: OrderEndpoint, kind: OrderKind, body: string): string | Failure =>
  guarded(() => {
    if (endpoint === 'placeOrder') assertBody(kind, body);
    else assertBatchBody(body);
    return body;
  });

function guarded(make: () => string): string | Failure {
  try {
    return make();
  } catch (error) {
    if (error instanceof OrderBodyError) return refuse(error.field, error.message);
    throw error;
  }
}
