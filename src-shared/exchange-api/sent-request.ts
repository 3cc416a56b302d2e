/** Parses an order request from the exact bytes that were sent. */
import * as v from 'valibot';
import { isRecord } from './fields.ts';
import { parseLossless } from './lossless-json.ts';
import { orderRequestSchema, type OrderRequest } from './order-request.ts';

const DECIMALS = new Set(['quantity', 'price', 'tpPrice', 'tpExecutePrice', 'slPrice', 'slExecutePrice']);

/** Returns the request with its digits as sent; null if the bytes are not one of our orders. */
export function requestOf(body: string): OrderRequest | null {
  let value: unknown;
  try {
    value = parseLossless(body);
  } catch {
    return null; // a journal of another version: it stays unknown until the user resolves it
  }
  const parsed = v.safeParse(orderRequestSchema, withTexts(value));
  return parsed.success ? parsed.output : null;
}

/** Converts the reader's safe integers to text, as a request's decimals are. */
const withTexts = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          typeof one === 'number' && DECIMALS.has(name) ? String(one) : withTexts(one),
        ]),
      )
    : value;
