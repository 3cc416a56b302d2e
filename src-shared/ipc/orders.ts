/** The order path across the bridge: review, send, and what became of it. */
import * as v from 'valibot';
import { isDecimal } from '../amount.ts';
import type { OrderState } from '../domain/reconcile/lifecycle.ts';
import type { Verdict } from '../domain/reconcile/matching.ts';
import type { SeenOrder } from '../domain/reconcile/listed-orders.ts';
import { orderRequestSchema } from '../exchange-api/order-request.ts';
import type { Failure } from './failures.ts';

/**
 * What a person asks for. `close-all` is its own kind: only it may leave `quantity` out (a reduce-only order
 * without quantity closes the whole position), and it must.
 */
/** As long as what is read of the exchange: it is compared with, never sent. */
export const referenceSchema = v.strictObject({
  price: v.pipe(
    v.string(),
    v.check((text) => isDecimal(text) && !text.startsWith('-')),
  ),
  source: v.picklist(['mark', 'last', 'own-trade', 'typed']),
  at: v.pipe(v.number(), v.integer()),
});

export const orderIntentSchema = v.strictObject({
  connectionId: v.pipe(v.string(), v.maxLength(60)),
  kind: v.picklist(['order', 'close-all']),
  request: orderRequestSchema,
  /** The price the checks rest on; null when none is known. */
  reference: v.nullable(referenceSchema),
});
export type OrderIntent = v.InferOutput<typeof orderIntentSchema>;

/** A confirmation that is open: its token is good for one send, for two minutes. */
export interface OrderReview {
  readonly token: string;
  readonly expiresAt: number;
  readonly method: 'POST';
  readonly path: string;
  /** The exact bytes that will be sent. */
  readonly body: string;
  /** Unknown outcomes on the same symbol and side: the symbol must be typed to release the hold. */
  readonly heldBy: readonly string[];
}

/** One line of the journal about an intent. */
export interface IntentEvent {
  /** Wall clock, ms. */
  readonly at: number;
  readonly state: OrderState;
  readonly text: string;
  readonly failure?: Failure;
}

/** One list that was read to find out what became of an order. */
export interface ListRead {
  readonly list: 'open-orders' | 'order-history';
  /** Absence counts only when both are `whole`. `cut`: more rows than the exchange would give, or one that could not be read. */
  readonly outcome: 'whole' | 'cut' | 'failed';
  /** Rows of the symbol that were read. */
  readonly rows: number;
  readonly failure?: Failure;
}

/** One round of finding out, as the journal has it. */
export interface CheckRound {
  /** Counted from 1. */
  readonly round: number;
  /** Wall clock at its end, ms. */
  readonly at: number;
  /** Orders created from here on were asked for, by the exchange's clock, ms. */
  readonly since: number;
  readonly reads: readonly ListRead[];
  readonly verdict: Verdict['kind'];
  /** Orders that could be it, oldest first, at most 20. */
  readonly candidates: readonly SeenOrder[];
  /** What speaks for it and decides nothing: trades of a candidate, the change of the position. */
  readonly hints: readonly string[];
  /** When the next round is due, ms; null after the last one. */
  readonly nextAt: number | null;
}

/** A round as it is shown: with the journal's own words. */
export interface ShownCheck extends CheckRound {
  readonly text: string;
}

/** What finding out has come to, for an order whose answer was lost. */
export interface Finding {
  /** The newest rounds, oldest first, at most 40; every one is in the journal. */
  readonly checks: readonly ShownCheck[];
  /** Rounds so far, and how many of them read both lists whole and saw nothing. */
  readonly rounds: number;
  readonly absent: number;
}

/** Where an intent stands in its batch. */
export interface BatchPlace {
  readonly id: string;
  /** From 0. */
  readonly row: number;
  readonly of: number;
  /** The call it travelled in, from 0. */
  readonly call: number;
}

/** An intent as the journal tells it. */
export interface IntentRecord {
  readonly id: string;
  readonly connectionId: string;
  readonly connectionKind: 'practice' | 'live';
  readonly kind: 'order' | 'close-all';
  readonly symbolId: string;
  readonly side: 'BUY' | 'SELL';
  readonly type: 'LIMIT' | 'MARKET';
  readonly path: string;
  /** Exact body bytes, as text. */
  readonly body: string;
  readonly state: OrderState;
  readonly orderId: string | null;
  readonly code: string | null;
  readonly createdAt: number;
  readonly events: readonly IntentEvent[];
  /** Once its outcome was unknown and the lists were read. */
  readonly finding?: Finding;
  /** For a row of a batch. */
  readonly batch?: BatchPlace;
}

/**
 * A line of the journal that cannot be read, and that no other line makes up for: its order may have been sent. It holds
 * what it may be about until the user acknowledges it.
 */
export interface JournalDamage {
  readonly id: string;
  /** In the file, from 1. */
  readonly line: number;
  /** As far as they can be read; null may be any. */
  readonly connectionId: string | null;
  readonly symbolId: string | null;
  readonly side: 'BUY' | 'SELL' | null;
  /** What stands there, shortened, without control characters. */
  readonly text: string;
}

/** Whether a damaged line may be about an order of this symbol and side. */
export const mayConcern = (damage: JournalDamage, symbolId: string, side: string): boolean =>
  (damage.symbolId === null || damage.symbolId === symbolId) &&
  (damage.side === null || damage.side === side);

/** What has to be typed to acknowledge it. */
export const damageWord = ({ symbolId }: JournalDamage): string => symbolId ?? 'journal';

/** The newest round left it to the person to choose. */
export const isAmbiguous = (record: IntentRecord): boolean =>
  record.state === 'unknown' && record.finding?.checks.at(-1)?.verdict === 'ambiguous';
