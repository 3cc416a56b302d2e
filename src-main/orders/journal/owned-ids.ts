/** Order ids that belong to intents, or to none, so that no id is matched twice. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';

/** The practice exchange restarts with the app and reuses its ids from the same number. */
const PRACTICE_RUN_MS = 10 * 60_000;

/** Returns those of `records`, all of one connection, whose order ids can collide with one of `own`. */
const colliding = (records: readonly IntentRecord[], own: IntentRecord): readonly IntentRecord[] =>
  own.connectionKind === 'practice'
    ? records.filter((one) => Math.abs(one.createdAt - own.createdAt) <= PRACTICE_RUN_MS)
    : records;

/** Returns the order ids of `records`, all of one connection, as far as they can collide with one of `own`. */
export const ownedIds = (records: readonly IntentRecord[], own: IntentRecord): ReadonlySet<string> =>
  new Set(colliding(records, own).flatMap(({ orderId }) => orderId ?? []));

/** Like `ownedIds`, for the orders that the user said are not theirs, whichever intent they were matched to. */
export const disownedIds = (records: readonly IntentRecord[], own: IntentRecord): readonly string[] =>
  colliding(records, own).flatMap(({ disowned = [] }) => disowned);
