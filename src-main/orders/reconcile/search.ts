/** Builds search criteria for unknown outcomes from the journal. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import {
  clockReadings,
  creationWindows,
  type AcceptedOrder,
} from '../../../src-shared/domain/reconcile/creation-windows.ts';
import type { OrderSearch } from '../../../src-shared/domain/reconcile/matching.ts';
import { requestOf } from '../../../src-shared/exchange-api/sent-request.ts';
import { disownedIds, ownedIds } from '../journal/owned-ids.ts';
import type { Journal } from '../journal/journal.ts';
import type { IntentHead } from '../journal/lines.ts';

const SEARCH_STATE = {
  unknown: 'unknown',
  sending: 'sending',
  recorded: 'sending',
  dismissed: 'dismissed',
} as const;
const isSearched = (state: string): state is keyof typeof SEARCH_STATE => Object.hasOwn(SEARCH_STATE, state);

export interface SearchInputs {
  readonly journal: Pick<Journal, 'list' | 'head'>;
  readonly connectionId: string;
  /** Timeout of a send, ms. */
  readonly sendTimeoutMs: number;
  /** Exchange clock − this computer's, now, ms; null before the first reply. */
  readonly clockOffsetMs: number | null;
  /** Returns an order's creation time by the exchange's record, ms; null if none was read. */
  readonly orderTime: (orderId: string) => number | null;
}

/** Search criteria before the lists are read. */
export type IntentSearch = Omit<OrderSearch, 'listsComplete'> & {
  /** Whether the orders that existed before the send are known; else nothing can be matched automatically. */
  readonly hasKnownIds: boolean;
};

/** Returns a search for every intent on the symbol without a known order, also for those that only compete. */
export function intentSearches(inputs: SearchInputs, symbolId: string): IntentSearch[] {
  const records = inputs.journal.list(inputs.connectionId);
  const searches: IntentSearch[] = [];
  const ruledOut = createExclusions(records);
  const accepted = acceptedOrders(records, inputs);
  for (const record of records) {
    if (record.symbolId !== symbolId || !isSearched(record.state)) continue;
    const head = inputs.journal.head(record.id);
    const request = requestOf(record.body);
    if (head === null || request === null) continue;
    // A clock may have been set between the last reply and the send: then the header of now is the right one.
    const headers = [head.clockOffsetMs ?? inputs.clockOffsetMs, inputs.clockOffsetMs ?? head.clockOffsetMs];
    const known = nearest(accepted, record.createdAt);
    const offsets = headers.flatMap((one) => clockReadings(one ?? null, known, inputs.sendTimeoutMs));
    searches.push({
      intentId: record.id,
      state: SEARCH_STATE[record.state],
      request,
      sentAt: record.createdAt,
      windows: creationWindows(record.createdAt, inputs.sendTimeoutMs, offsets),
      isClockKnown: known !== null || headers.some((one) => typeof one === 'number'),
      ruledOut: ruledOut(record, head),
      hasKnownIds: head.knownIds !== null,
    });
  }
  return searches;
}

/** Returns a function that gives the ids an intent cannot match, computed once for all rows of a call. */
function createExclusions(records: readonly IntentRecord[]) {
  const cache = new Map<readonly string[] | null, Map<number, ReadonlySet<string>>>();
  return (record: IntentRecord, { knownIds }: IntentHead): ReadonlySet<string> => {
    const byTime = cache.get(knownIds) ?? new Map<number, ReadonlySet<string>>();
    cache.set(knownIds, byTime);
    const ids =
      byTime.get(record.createdAt) ??
      new Set([...(knownIds ?? []), ...ownedIds(records, record), ...disownedIds(records, record)]);
    byTime.set(record.createdAt, ids);
    return ids;
  };
}

/** Orders accepted by reply and listed since, to calibrate the clocks. Matched orders were found by those same windows. */
function acceptedOrders(records: readonly IntentRecord[], inputs: SearchInputs): readonly AcceptedOrder[] {
  return records.flatMap(({ id, state, orderId, createdAt: sentAt }) => {
    const createdAt = state === 'accepted' && orderId !== null ? inputs.orderTime(orderId) : null;
    if (createdAt === null) return [];
    return [{ sentAt, headerMs: inputs.journal.head(id)?.clockOffsetMs ?? null, createdAt }];
  });
}

function nearest(accepted: readonly AcceptedOrder[], sentAt: number): AcceptedOrder | null {
  const distance = (one: AcceptedOrder): number => Math.abs(one.sentAt - sentAt);
  return accepted.reduce<AcceptedOrder | null>(
    (best, one) => (best === null || distance(one) < distance(best) ? one : best),
    null,
  );
}
