/**
 * A batch across the bridge: many orders under one confirmation. `batchOrders` answers one boolean for all of them, so
 * its rows stay unknown until they are matched; sent one by one, each row has an outcome of its own.
 */
import * as v from 'valibot';
import { orderRequestSchema } from '../exchange-api/order-request.ts';
import type { Failure } from './failures.ts';
import { referenceSchema, type IntentRecord } from './orders.ts';

/** Rows under one confirmation, at most. */
export const MAX_BATCH_ROWS = 1000;
/** Orders in one call of batchOrders, at most: the interface names no limit, so this one is ours. */
export const MAX_CALL_ROWS = 50;

export const batchIntentSchema = v.strictObject({
  connectionId: v.pipe(v.string(), v.maxLength(60)),
  /** Rows with a quantity each: a close-all is no row of a batch. */
  rows: v.pipe(
    v.array(
      v.strictObject({
        request: orderRequestSchema,
        /** As in a single order: what the row's checks rest on. */
        reference: v.nullable(referenceSchema),
      }),
    ),
    v.minLength(1, 'a batch has at least one row'),
    v.maxLength(MAX_BATCH_ROWS),
  ),
  /** Rows in one call of batchOrders; 1 sends each by `order`, which answers with an id. */
  callSize: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_CALL_ROWS)),
});
export type BatchIntent = v.InferOutput<typeof batchIntentSchema>;

/** A row that Ballast refuses by itself; its number counts from 0. */
export interface RowFault {
  readonly row: number;
  readonly failure: Failure;
}

/** A confirmation that is open, for all rows. */
export interface BatchReview {
  readonly token: string;
  readonly expiresAt: number;
  /** What will be sent, in this order: the exact bytes of each call and the rows in it. */
  readonly calls: readonly {
    readonly method: 'POST';
    readonly path: string;
    readonly body: string;
    readonly rows: readonly number[];
  }[];
  /** Symbols with an unknown outcome on a side the batch uses: all of them have to be typed to release the hold. */
  readonly heldBy: readonly { readonly symbolId: string; readonly intentIds: readonly string[] }[];
}
export type BatchReviewAnswer = { readonly review: BatchReview } | { readonly faults: readonly RowFault[] };

/** How far the sending of a batch has come. Rows are intents; what became of each is its record. */
export interface BatchProgress {
  readonly id: string;
  readonly connectionId: string;
  /** `stopped`: by a refusal, an unknown outcome or the person; rows left were never sent. */
  readonly state: 'sending' | 'stopped' | 'done';
  readonly rows: number;
  /** Rows that were recorded and handed to the exchange. */
  readonly sent: number;
  /** Why it stopped, in words. */
  readonly stoppedBy: Failure | null;
  readonly startedAt: number;
}

/** A batch that was sent, from the journal: the post-mortem's rows, intended against discovered. */
export interface BatchRecord {
  readonly progress: BatchProgress;
  /** One a sent row, by row. */
  readonly intents: readonly IntentRecord[];
}
