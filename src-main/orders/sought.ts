/** An intent of the journal as something to look for in the exchange's lists. */
import * as v from 'valibot';
import type { IntentRecord } from '../../src-shared/contract/orders.ts';
import { creationWindow, type SoughtOrder } from '../../src-shared/domain/matching.ts';
import { isRecord } from '../../src-shared/interface/fields.ts';
import { parseLossless } from '../../src-shared/interface/lossless-json.ts';
import { orderRequestSchema, type OrderRequest } from '../../src-shared/interface/order-request.ts';
import { claimedIds } from './claimed-ids.ts';
import type { IntentHead, Journal } from './journal.ts';

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

const STANDING = { unknown: 'unknown', sending: 'sending', recorded: 'sending', closed: 'closed' } as const;
const hasStanding = (state: string): state is keyof typeof STANDING => Object.hasOwn(STANDING, state);

export interface SoughtBasis {
  readonly journal: Pick<Journal, 'list' | 'head'>;
  readonly connectionId: string;
  /** Time-out of a send, ms. */
  readonly answerWithinMs: number;
  /** Exchange clock − this computer's, now; stands in for the one at the send where that was not known. */
  readonly clockOffsetMs: number | null;
}

/** Every intent on the symbol whose order is not known, with what it may compete with. */
export function soughtOrders(basis: SoughtBasis, symbolId: string): Omit<SoughtOrder, 'readWhole'>[] {
  const records = basis.journal.list(basis.connectionId);
  const sought: Omit<SoughtOrder, 'readWhole'>[] = [];
  for (const record of records) {
    if (record.symbolId !== symbolId || !hasStanding(record.state)) continue;
    const head = basis.journal.head(record.id);
    const request = requestOf(record.body);
    if (head === null || request === null) continue;
    sought.push({
      intentId: record.id,
      standing: STANDING[record.state],
      request,
      sentAt: record.createdAt,
      window: windowOf(record, head, basis),
      ruledOut: new Set([...head.knownIds, ...claimedIds(records, record)]),
    });
  }
  return sought;
}

const windowOf = (record: IntentRecord, head: IntentHead, basis: SoughtBasis) =>
  creationWindow(record.createdAt, basis.answerWithinMs, head.clockOffsetMs ?? basis.clockOffsetMs ?? 0);
