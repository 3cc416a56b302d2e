/** Defines the order calls. */
import * as v from 'valibot';
import {
  batchIntentSchema,
  MAX_BATCH_ROWS,
  type BatchProgress,
  type BatchRecord,
  type BatchReviewResult,
} from './batch.ts';
import { byConnection, call, connectionId, digits, textUpTo } from './call.ts';
import { orderIntentSchema, type IntentRecord, type JournalDamage, type OrderReview } from './orders.ts';

export const ORDER_CALLS = {
  'orders.review': call(orderIntentSchema).returns<OrderReview>(),
  'orders.send': call(
    v.strictObject({ token: textUpTo(80), release: v.nullable(textUpTo(60)) }),
  ).returns<IntentRecord>(),
  'orders.discard': call(v.strictObject({ token: textUpTo(80) })).returns<null>(),
  'orders.reviewBatch': call(batchIntentSchema).returns<BatchReviewResult>(),
  /** Returns once sending has started; the event `batch` reports progress. `release` holds every held symbol, typed. */
  'orders.sendBatch': call(
    v.strictObject({
      token: textUpTo(80),
      release: v.pipe(v.array(textUpTo(60)), v.maxLength(MAX_BATCH_ROWS)),
    }),
  ).returns<BatchProgress>(),
  /** Stops after the current call. */
  'orders.stopBatch': call(v.strictObject({ batchId: textUpTo(80) })).returns<null>(),
  /** Batches from the journal, newest first. */
  'orders.batches': call(byConnection).returns<readonly BatchRecord[]>(),
  /** Dismisses an unknown outcome the user has checked manually. The symbol has to be typed. */
  'orders.dismiss': call(
    v.strictObject({ intentId: textUpTo(80), typed: textUpTo(60) }),
  ).returns<IntentRecord>(),
  /** Matches one of the candidate orders to the intent. The symbol has to be typed. */
  'orders.match': call(
    v.strictObject({ intentId: textUpTo(80), orderId: digits, typed: textUpTo(60) }),
  ).returns<IntentRecord>(),
  /** Undoes a match when the order is not the user's; the outcome is unknown again. The symbol has to be typed. */
  'orders.undoMatch': call(
    v.strictObject({ intentId: textUpTo(80), typed: textUpTo(60) }),
  ).returns<IntentRecord>(),
  /** Damaged journal lines that may concern the connection. */
  'journal.damage': call(byConnection).returns<readonly JournalDamage[]>(),
  /** Acknowledges a damaged line. Its symbol, or `journal` if unreadable, has to be typed. */
  'journal.acknowledge': call(
    v.strictObject({ damageId: textUpTo(80), typed: textUpTo(60) }),
  ).returns<null>(),
  /** Reconciles the symbol's unknown outcomes now instead of at the next round. */
  'orders.checkNow': call(v.strictObject({ connectionId, symbolId: textUpTo(60) })).returns<null>(),
  'journal.list': call(byConnection).returns<readonly IntentRecord[]>(),
} as const;
