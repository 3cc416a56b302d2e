/** Converts an order request to the bytes to send, or to a failure that names the field. */
import * as v from 'valibot';
import { blocked, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
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

const NOTHING_SENT = 'Nothing was sent. Correct the field, then send it again.';
const CODE: Readonly<Record<string, string>> = { quantity: '700012', price: '700011' };
/** Blocks by a field: `null` means missing, with the code for missing parameters. */
const invalid = (field: string, message: string, value?: string | null) =>
  blocked(`${message}.`, NOTHING_SENT, field, value === null ? '700004' : (CODE[field] ?? '700009'));

const DIGITS_ABOVE_ZERO = /[1-9]/;
const positive = (text: string | null): boolean => text !== null && DIGITS_ABOVE_ZERO.test(text);

/** Reduce-only without a quantity means close-all, which only a MARKET order can be. */
const kindOf = (request: OrderRequest): OrderKind =>
  request.reduceOnly === true && !Object.hasOwn(request, 'quantity') ? 'close-all' : 'order';

function validate(input: unknown, kind: OrderKind | null): Result<OrderRequest> {
  const parsed = v.safeParse(orderRequestSchema, input);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const path = v.getDotPath(issue) ?? 'order';
    return invalid(path.replace(/^tpSl\./, ''), `${path}: ${issue.message}`);
  }
  const request = parsed.output;
  const expected = kind ?? kindOf(request);
  if (request.type === 'LIMIT') {
    const { quantity = null, price = null } = request;
    if (!positive(quantity)) return invalid('quantity', 'A LIMIT order needs a quantity above 0', quantity);
    if (!positive(price)) return invalid('price', 'A LIMIT order needs a price above 0', price);
  }
  if (expected === 'order' && !positive(request.quantity ?? null))
    return invalid('quantity', 'The order needs a quantity above 0', request.quantity ?? null);
  return done(request);
}

/** Returns the body of a valid order, or a failure. */
export function checkedOrder(input: unknown): Result<string> {
  const request = validate(input, null);
  if (!request.ok) return request;
  return catchBodyError(() => {
    const body = encodeOrder(request.data);
    assertBody(kindOf(request.data), body);
    return body;
  });
}

/** Returns the body of a valid batch, or a failure with its row, counted from 1. */
export function checkedBatch(input: unknown): Result<string> {
  if (!Array.isArray(input) || input.length === 0) return invalid('order', 'The batch has no orders');
  const requests: OrderRequest[] = [];
  for (const [index, row] of (input as unknown[]).entries()) {
    const request = validate(row, 'order');
    if (!request.ok)
      return failed({ ...request.failure, message: `Row ${index + 1}: ${request.failure.message}` });
    requests.push(request.data);
  }
  return catchBodyError(() => {
    const body = encodeBatch(requests);
    assertBatchBody(body);
    return body;
  });
}

/** Asserts bytes recorded before and returns them unchanged, or a failure. */
export const checkedBody = (endpoint: OrderEndpoint, kind: OrderKind, body: string): Result<string> =>
  catchBodyError(() => {
    if (endpoint === 'placeOrder') assertBody(kind, body);
    else assertBatchBody(body);
    return body;
  });

function catchBodyError(make: () => string): Result<string> {
  try {
    return done(make());
  } catch (error) {
    if (error instanceof OrderBodyError) return invalid(error.field, error.message);
    throw error;
  }
}
