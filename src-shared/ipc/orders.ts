/** Defines the order path's IPC types: review, send and outcome. */
import * as v from 'valibot';
import { connectionId } from './call.ts';
import { isDecimal } from '../amount.ts';
import { awaitsOutcome, type OrderState } from '../domain/reconcile/lifecycle.ts';
import type { Verdict } from '../domain/reconcile/matching.ts';
import type { SeenOrder } from '../domain/reconcile/listed-orders.ts';
import { orderRequestSchema } from '../exchange-api/order-request.ts';
import type { Failure } from './failures.ts';
import type { OrderSide, OrderType } from '../exchange-api/enums.ts';

/** A reference price with as many digits as received: it is compared, never sent. */
export const referenceSchema = v.strictObject({
  price: v.pipe(
    v.string(),
    v.check((text) => isDecimal(text) && !text.startsWith('-')),
  ),
  source: v.picklist(['mark', 'last', 'own-trade', 'typed']),
  at: v.pipe(v.number(), v.integer()),
});

/**
 * An order the user requests. Only `close-all` omits `quantity`, and it must: a reduce-only order without one closes
 * the whole position.
 */
export const orderIntentSchema = v.strictObject({
  connectionId,
  kind: v.picklist(['order', 'close-all']),
  request: orderRequestSchema,
  /** The reference price of the checks; null if none is known. */
  reference: v.nullable(referenceSchema),
});
export type OrderIntent = v.InferOutput<typeof orderIntentSchema>;

/** An open confirmation. Its token is valid for one send within two minutes. */
export interface OrderReview {
  readonly token: string;
  readonly expiresAt: number;
  readonly method: 'POST';
  readonly path: string;
  /** The exact bytes that will be sent. */
  readonly body: string;
  /** Unknown outcomes and damaged journal lines on the symbol and side; the symbol must be typed to release the hold. */
  readonly heldBy: readonly string[];
}

/** A journal entry of an intent. */
export interface IntentEvent {
  /** Wall clock, ms. */
  readonly at: number;
  readonly state: OrderState;
  readonly text: string;
  readonly failure?: Failure;
}

/** One list read during order reconciliation. */
export interface ListRead {
  readonly list: 'open-orders' | 'order-history';
  /** Absence counts only when both are `complete`. `incomplete`: it has more rows than were returned, or unreadable ones. */
  readonly outcome: 'complete' | 'incomplete' | 'failed';
  /** Rows of the symbol. */
  readonly rows: number;
  /** Number of unreadable records, any of which may be the order. Absent when there are none. */
  readonly unreadable?: number;
  readonly failure?: Failure;
}

/** One reconciliation round, as journaled. */
export interface CheckRound {
  /** Counted from 1. */
  readonly round: number;
  /** Wall clock at its end, in ms. */
  readonly at: number;
  /** Start of the searched range by the exchange's clock, in ms. */
  readonly since: number;
  readonly reads: readonly ListRead[];
  readonly verdict: Verdict['kind'];
  /** Candidate orders, oldest first, at most 20. */
  readonly candidates: readonly SeenOrder[];
  /** Supporting evidence that decides nothing: a candidate's trades, the change of the position. */
  readonly hints: readonly string[];
  /** When the next round is due, in ms; null after the last one. */
  readonly nextAt: number | null;
}

/** A round with its text for display. */
export interface ShownCheck extends CheckRound {
  readonly text: string;
}

/** Reconciliation of an order that got no reply. */
export interface Finding {
  /** The newest rounds, oldest first, at most 40; the journal has all of them. */
  readonly checks: readonly ShownCheck[];
  /** Number of rounds, and of those that read both lists completely without a match. */
  readonly rounds: number;
  readonly absent: number;
}

/** Position of an intent in its batch. */
export interface BatchPlace {
  readonly id: string;
  /** From 0. */
  readonly row: number;
  readonly of: number;
  /** The call it was sent in, from 0. */
  readonly call: number;
  /** Present when the batch closes positions. */
  readonly closing?: true;
}

/** An intent as recorded in the journal. */
export interface IntentRecord {
  readonly id: string;
  readonly connectionId: string;
  readonly connectionKind: 'practice' | 'live';
  readonly kind: 'order' | 'close-all';
  readonly symbolId: string;
  readonly side: OrderSide;
  readonly type: OrderType;
  readonly path: string;
  /** Exact body bytes, as text. */
  readonly body: string;
  readonly state: OrderState;
  readonly orderId: string | null;
  /** Ids of orders whose match the user undid; they are never candidates again. */
  readonly disowned?: readonly string[];
  readonly code: string | null;
  readonly createdAt: number;
  readonly events: readonly IntentEvent[];
  /** Present once an unknown outcome was searched for. */
  readonly finding?: Finding;
  /** Present for a row of a batch. */
  readonly batch?: BatchPlace;
}

/**
 * An unreadable journal line that no other line replaces, so an order may have been sent. It puts a hold on the symbol,
 * or on all where that is unreadable, until the user acknowledges it.
 */
export interface JournalDamage {
  readonly id: string;
  /** Line number, from 1. */
  readonly line: number;
  /** As far as readable; null may be any. */
  readonly connectionId: string | null;
  readonly symbolId: string | null;
  readonly side: OrderSide | null;
  /** The line's text, shortened, without control characters. */
  readonly text: string;
}

/** Reports whether its unknown outcome holds orders of this symbol and side. */
export const holds = (record: IntentRecord, symbolId: string, side: string): boolean =>
  record.symbolId === symbolId && record.side === side && awaitsOutcome(record.state);

/** Reports whether a damaged line may concern an order of this symbol and side. */
export const mayConcern = (damage: JournalDamage, symbolId: string, side: string): boolean =>
  (damage.symbolId === null || damage.symbolId === symbolId) &&
  (damage.side === null || damage.side === side);

/** Returns what has to be typed to acknowledge it. */
export const acknowledgementOf = ({ symbolId }: JournalDamage): string => symbolId ?? 'journal';

/** Reports whether it was sent by itself, as a row that closes a position is, and not as one of many in a call. */
export const isSingle = ({ batch }: IntentRecord): boolean => batch === undefined || batch.closing === true;

/** Reports whether it is a row that was left out, since its position was closed before its turn. */
export const isLeftOut = ({ batch, state, events }: IntentRecord): boolean =>
  batch?.closing === true && state === 'not-sent' && events.every((one) => one.failure === undefined);

/** Reports whether the newest round found several candidates for the user to choose from. */
export const isAmbiguous = (record: IntentRecord): boolean =>
  record.state === 'unknown' && record.finding?.checks.at(-1)?.verdict === 'ambiguous';
