/** The order path across the bridge: review, send, and what became of it. */
import * as v from 'valibot';
import { isUnsignedDecimal } from '../amount.ts';
import type { OrderState } from '../domain/order-life.ts';
import { orderRequestSchema } from '../interface/order-request.ts';
import type { Failure } from './failures.ts';

/**
 * What a person asks for. `close-all` is its own kind: only it may leave `quantity` out (a reduce-only order
 * without quantity closes the whole position), and it must.
 */
export const orderIntentSchema = v.strictObject({
  connectionId: v.pipe(v.string(), v.maxLength(60)),
  kind: v.picklist(['order', 'close-all']),
  request: orderRequestSchema,
  /** The price the checks rest on; null when none is known. */
  reference: v.nullable(
    v.strictObject({
      price: v.pipe(v.string(), v.check(isUnsignedDecimal)),
      source: v.picklist(['mark', 'last', 'own-trade', 'typed']),
      at: v.pipe(v.number(), v.integer()),
    }),
  ),
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
}
