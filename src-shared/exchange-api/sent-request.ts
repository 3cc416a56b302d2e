/** An order request read back from the exact bytes it was sent as. */
import * as v from 'valibot';
import { isRecord } from './fields.ts';
import { parseLossless } from './lossless-json.ts';
import { orderRequestSchema, type OrderRequest } from './order-request.ts';

const DECIMALS = new Set(['quantity', 'price', 'tpPrice', 'tpExecutePrice', 'slPrice', 'slExecutePrice']);

/** The request in the bytes that were sent, digits as sent; null for bytes that are no order of ours. */
export function requestOf(body: string): OrderRequest | null {
  let value: unknown;
  try {
    value = parseLossless(body);
  } catch {
    return null; // the journal of another version: it stays unknown and is for the person to settle
  }
  const parsed = v.safeParse(orderRequestSchema, withTexts(value));
  return parsed.success ? parsed.output : null;
}

/** Whole numbers come out of the reader as numbers; a request holds decimals as text. */
const withTexts = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          typeof one === 'number' && DECIMALS.has(name) ? String(one) : withTexts(one),
        ]),
      )
    : value;
