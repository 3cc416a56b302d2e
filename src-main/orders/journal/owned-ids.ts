/** Which orders are other intents' already, so that no two intents are given the same one. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';

/** The practice exchange starts afresh with the app and counts its ids from the same number again. */
const PRACTICE_RUN_MS = 10 * 60_000;

/** Ids that `records` of the same connection hold; `own` has none yet. */
export function claimedIds(records: readonly IntentRecord[], own: IntentRecord): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const one of records) {
    if (one.orderId === null) continue;
    if (own.connectionKind === 'practice' && Math.abs(one.createdAt - own.createdAt) > PRACTICE_RUN_MS)
      continue;
    ids.add(one.orderId);
  }
  return ids;
}
