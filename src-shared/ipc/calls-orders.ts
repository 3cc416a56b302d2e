/** The order path's part of the bridge's table. */
import * as v from 'valibot';
import {
  batchIntentSchema,
  MAX_BATCH_ROWS,
  type BatchProgress,
  type BatchRecord,
  type BatchReviewAnswer,
} from './batch.ts';
import { byConnection, call, connectionId, digits } from './call.ts';
import { orderIntentSchema, type IntentRecord, type JournalDamage, type OrderReview } from './orders.ts';

export const ORDER_CALLS = {
  'orders.review': call(orderIntentSchema).answers<OrderReview>(),
  'orders.send': call(
    v.strictObject({
      token: v.pipe(v.string(), v.maxLength(80)),
      release: v.nullable(v.pipe(v.string(), v.maxLength(60))),
    }),
  ).answers<IntentRecord>(),
  'orders.discard': call(v.strictObject({ token: v.pipe(v.string(), v.maxLength(80)) })).answers<null>(),
  'orders.reviewBatch': call(batchIntentSchema).answers<BatchReviewAnswer>(),
  /** Answers once sending has started; how it goes on is the event `batch`. `release`: every held symbol, typed. */
  'orders.sendBatch': call(
    v.strictObject({
      token: v.pipe(v.string(), v.maxLength(80)),
      release: v.pipe(v.array(v.pipe(v.string(), v.maxLength(60))), v.maxLength(MAX_BATCH_ROWS)),
    }),
  ).answers<BatchProgress>(),
  /** The call on its way is let end; no other follows. */
  'orders.stopBatch': call(v.strictObject({ batchId: v.pipe(v.string(), v.maxLength(80)) })).answers<null>(),
  /** Newest first, as the journal has them. */
  'orders.batches': call(byConnection).answers<readonly BatchRecord[]>(),
  /** The person closes an unknown outcome: it was looked for by hand. The symbol has to be typed. */
  'orders.closeUnknown': call(
    v.strictObject({
      intentId: v.pipe(v.string(), v.maxLength(80)),
      typed: v.pipe(v.string(), v.maxLength(60)),
    }),
  ).answers<IntentRecord>(),
  /** The person says which of the orders that fit is theirs. The symbol has to be typed. */
  'orders.claim': call(
    v.strictObject({
      intentId: v.pipe(v.string(), v.maxLength(80)),
      orderId: digits,
      typed: v.pipe(v.string(), v.maxLength(60)),
    }),
  ).answers<IntentRecord>(),
  /** Damaged lines of the journal that hold orders of the connection. */
  'journal.damage': call(byConnection).answers<readonly JournalDamage[]>(),
  /** The person knows of a damaged line. Its symbol, or `journal` where none can be read, has to be typed. */
  'journal.acknowledge': call(
    v.strictObject({
      damageId: v.pipe(v.string(), v.maxLength(80)),
      typed: v.pipe(v.string(), v.maxLength(60)),
    }),
  ).answers<null>(),
  /** Reads the lists for the symbol's unknown outcomes now instead of at the next round. */
  'orders.checkNow': call(
    v.strictObject({ connectionId, symbolId: v.pipe(v.string(), v.maxLength(60)) }),
  ).answers<null>(),
  'journal.list': call(byConnection).answers<readonly IntentRecord[]>(),
} as const;
