/**
 * Defines the IPC types of a batch: many orders under one confirmation. `batchOrders` returns one boolean for all, so
 * its rows stay unknown until matched; sent one by one, each row has its own outcome.
 */
import * as v from 'valibot';
import { connectionId, textUpTo, whole } from './call.ts';
import { type OrderRequest, orderRequestSchema } from '../exchange-api/order-request.ts';
import type { Failure } from './failures.ts';
import { referenceSchema, type IntentRecord } from './orders.ts';

/** Most rows under one confirmation. */
export const MAX_BATCH_ROWS = 1000;
/** Largest file of orders, dropped or opened, in bytes; that many rows need a twentieth of it. */
export const MAX_BATCH_BYTES = 2_000_000;
/** Most orders in one call of batchOrders. Ballast's own limit, since none is documented. */
export const MAX_CALL_ROWS = 50;

export const batchIntentSchema = v.pipe(
  v.strictObject({
    connectionId,
    rows: v.pipe(
      v.array(
        v.strictObject({
          request: orderRequestSchema,
          /** The row's reference price, as in a single order. */
          reference: v.nullable(referenceSchema),
          /** Id of the position this row closes, all of it if the request has no quantity; left out once it is gone. */
          closes: v.exactOptional(textUpTo(80)),
        }),
      ),
      v.minLength(1, 'a batch has at least one row'),
      v.maxLength(MAX_BATCH_ROWS),
    ),
    /** Rows in one call of batchOrders; 1 sends each by `order`, which returns an id. */
    callSize: whole(1, MAX_CALL_ROWS),
  }),
  v.check(
    (batch) => closesTogether(batch),
    'every row closes a position by an order of its own, or none does',
  ),
);
export type BatchIntent = v.InferOutput<typeof batchIntentSchema>;

/** Positions are closed by single orders, whose replies have an id: a lost one may have left a position open. */
function closesTogether({ rows, callSize }: Rows): boolean {
  const closing = rows.filter((one) => one.closes !== undefined);
  if (closing.length === 0) return true;
  return callSize === 1 && closing.length === rows.length && closing.every((one) => one.request.reduceOnly);
}
interface Rows {
  readonly rows: readonly { readonly closes?: string; readonly request: OrderRequest }[];
  readonly callSize: number;
}

/** A row blocked by Ballast, numbered from 0. */
export interface RowFault {
  readonly row: number;
  readonly failure: Failure;
}

/** An open confirmation of all rows. */
export interface BatchReview {
  readonly token: string;
  readonly expiresAt: number;
  /** What will be sent, in order: the exact bytes of each call and its rows. */
  readonly calls: readonly {
    readonly method: 'POST';
    readonly path: string;
    readonly body: string;
    readonly rows: readonly number[];
  }[];
  /** Held symbols the batch uses; each has to be typed to release the hold. */
  readonly heldBy: readonly { readonly symbolId: string; readonly intentIds: readonly string[] }[];
}
export type BatchReviewResult = { readonly review: BatchReview } | { readonly faults: readonly RowFault[] };

/** Progress of sending a batch. Each row's outcome is in its intent record. */
export interface BatchProgress {
  readonly id: string;
  readonly connectionId: string;
  /** `stopped`: by a rejection, an unknown outcome or the user; remaining rows were not sent. */
  readonly state: 'sending' | 'stopped' | 'done';
  readonly rows: number;
  /** Rows that were recorded and sent. */
  readonly sent: number;
  /** Why it stopped. */
  readonly stoppedBy: Failure | null;
  readonly startedAt: number;
  /** Present when it closes positions, each by an order of its own. */
  readonly closing?: true;
}

/** A sent batch from the journal, with intended and reconciled rows. */
export interface BatchRecord {
  readonly progress: BatchProgress;
  /** One per sent row, by row. */
  readonly intents: readonly IntentRecord[];
  /** All rows as confirmed; null after a restart, since unsent rows are stored nowhere. */
  readonly requests: readonly OrderRequest[] | null;
}
