/** Order ids that belong to intents, so that no id is matched twice. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';

/** The practice exchange restarts with the app and reuses its ids from the same number. */
const PRACTICE_RUN_MS = 10 * 60_000;

/** Returns the order ids of `records`, all of one connection, as far as they can collide with one of `own`. */
export function ownedIds(records: readonly IntentRecord[], own: IntentRecord): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const one of records) {
    if (one.orderId === null) continue;
    if (own.connectionKind === 'practice' && Math.abs(one.createdAt - own.createdAt) > PRACTICE_RUN_MS)
      continue;
    ids.add(one.orderId);
  }
  return ids;
}
