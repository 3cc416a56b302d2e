/** An intent of the journal as something to look for in the exchange's lists. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import {
  clockReadings,
  creationWindows,
  type AcceptedOrder,
} from '../../../src-shared/domain/reconcile/creation-windows.ts';
import type { SoughtOrder } from '../../../src-shared/domain/reconcile/matching.ts';
import { requestOf } from '../../../src-shared/exchange-api/sent-request.ts';
import { claimedIds } from '../journal/owned-ids.ts';
import type { Journal } from '../journal/journal.ts';
import type { IntentHead } from '../journal/lines.ts';

const STANDING = { unknown: 'unknown', sending: 'sending', recorded: 'sending', closed: 'closed' } as const;
const hasStanding = (state: string): state is keyof typeof STANDING => Object.hasOwn(STANDING, state);

export interface SoughtBasis {
  readonly journal: Pick<Journal, 'list' | 'head'>;
  readonly connectionId: string;
  /** Time-out of a send, ms. */
  readonly answerWithinMs: number;
  /** Exchange clock − this computer's, now; stands in for the one at the send where that was not known. */
  readonly clockOffsetMs: number | null;
  /** When the exchange's own record says an order was made, ms; null where none was read. */
  readonly orderTime: (orderId: string) => number | null;
}

/** Before the lists are read. */
export type OpenQuestion = Omit<SoughtOrder, 'readWhole'> & {
  /** Orders that were there before the send are known; without them no order can be taken for this one. */
  readonly knowsBefore: boolean;
};

/** Every intent on the symbol whose order is not known, with what it may compete with. */
export function soughtOrders(basis: SoughtBasis, symbolId: string): OpenQuestion[] {
  const records = basis.journal.list(basis.connectionId);
  const sought: OpenQuestion[] = [];
  const ruledOut = createRuledOut(records);
  const accepted = acceptedOrders(records, basis);
  for (const record of records) {
    if (record.symbolId !== symbolId || !hasStanding(record.state)) continue;
    const head = basis.journal.head(record.id);
    const request = requestOf(record.body);
    if (head === null || request === null) continue;
    sought.push({
      intentId: record.id,
      standing: STANDING[record.state],
      request,
      sentAt: record.createdAt,
      windows: creationWindows(
        record.createdAt,
        basis.answerWithinMs,
        clockReadings(
          head.clockOffsetMs ?? basis.clockOffsetMs,
          nearest(accepted, record.createdAt),
          basis.answerWithinMs,
        ),
      ),
      ruledOut: ruledOut(record, head),
      knowsBefore: head.knownIds !== null,
    });
  }
  return sought;
}

/** Rows of one call share what they cannot be: made once for all of them. */
function createRuledOut(records: readonly IntentRecord[]) {
  const owners = records.filter((one) => one.orderId !== null);
  const made = new Map<readonly string[] | null, Map<number, ReadonlySet<string>>>();
  return (record: IntentRecord, { knownIds }: IntentHead): ReadonlySet<string> => {
    const byTime = made.get(knownIds) ?? new Map<number, ReadonlySet<string>>();
    made.set(knownIds, byTime);
    const ids = byTime.get(record.createdAt) ?? new Set([...(knownIds ?? []), ...claimedIds(owners, record)]);
    byTime.set(record.createdAt, ids);
    return record.disowned === undefined ? ids : new Set([...ids, ...record.disowned]);
  };
}

/** Orders the exchange accepted by its answer and has listed since: what was found by a window teaches nothing of it. */
function acceptedOrders(records: readonly IntentRecord[], basis: SoughtBasis): readonly AcceptedOrder[] {
  return records.flatMap(({ id, state, orderId, createdAt: sentAt }) => {
    const createdAt = state === 'accepted' && orderId !== null ? basis.orderTime(orderId) : null;
    if (createdAt === null) return [];
    return [{ sentAt, headerMs: basis.journal.head(id)?.clockOffsetMs ?? null, createdAt }];
  });
}

function nearest(accepted: readonly AcceptedOrder[], sentAt: number): AcceptedOrder | null {
  const away = (one: AcceptedOrder): number => Math.abs(one.sentAt - sentAt);
  return accepted.reduce<AcceptedOrder | null>(
    (best, one) => (best === null || away(one) < away(best) ? one : best),
    null,
  );
}
