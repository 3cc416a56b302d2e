/**
 * Reads every order of one symbol that could be a lost one: open orders first, then order history, so that an order
 * filled in between is in the second. Reports for each list whether it is complete.
 */
import type { ListRead } from '../../../src-shared/ipc/orders.ts';
import { failed, type Failure } from '../../../src-shared/ipc/failures.ts';
import { seenOrders, type SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import {
  MAX_RESULTS,
  mayBeLimited,
  type OpenOrdersQuery,
  type OrderHistoryQuery,
} from '../../../src-shared/exchange-api/endpoints.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { ReadMeta, ReadResult } from '../../exchange/client.ts';
import type { RequestLimiter } from '../../sync/request-limiter.ts';

type Meta = Pick<ReadMeta, 'listed' | 'unreadable'>;
export type ListReply<T> = ReadResult<T, Meta>;

/** What reading needs: the exchange's client and the connection's request limiter. */
export interface ListPorts {
  readonly client: {
    openOrders(query: OpenOrdersQuery): Promise<ListReply<readonly OpenOrder[]>>;
    orderHistory(query: OrderHistoryQuery): Promise<ListReply<readonly HistoryOrder[]>>;
  };
  readonly limiter: Pick<RequestLimiter, 'read'>;
}

export interface ListsRead {
  readonly orders: ReadonlyMap<string, SeenOrder>;
  readonly reads: readonly ListRead[];
  /** Every order created from here on is in `orders`, by the exchange's clock, ms; null if that is not certain. */
  readonly completeSince: number | null;
}

/** Most history reads per round; the next round begins anew. */
const MAX_READS = 32;
/** Added to now as the end of an open-ended window that is halved: no order is created after it. */
const MAX_CLOCK_ERROR_MS = 60_000;

/**
 * Reads both lists. `starts`: beginnings of the searched windows, ms; the newest is read first, so that an older one
 * cannot use up its reads. `now`: ms. Both by the exchange's clock. Failed reads are reported in `reads`.
 */
export async function readLists(
  { client, limiter }: ListPorts,
  symbolId: string,
  starts: readonly number[],
  now: number,
): Promise<ListsRead> {
  let reads = MAX_READS;
  const isCapped = capCheck({ client, limiter }, () => reads-- > 0);
  const open = await readWithinLimit(limiter, () => client.openOrders({ symbolId, limit: MAX_RESULTS }));
  /** By id, since neighbouring windows overlap by 1 ms. */
  const rows = new Map<string, HistoryOrder>();
  const unreadable = new Set<string>();
  const collect = ({ data, meta }: { data: readonly HistoryOrder[]; meta: Meta }): void => {
    for (const one of data) rows.set(one.id, one);
    for (const one of meta.unreadable ?? []) unreadable.add(one.raw);
  };
  let historyRead: ListRead = { list: 'order-history', outcome: 'complete', rows: 0 };
  let completeSince: number | null = null;
  for (const start of [...new Set(starts)].sort((a, b) => b - a)) {
    historyRead = await readWindow(start, completeSince === null ? null : completeSince - 1);
    if (historyRead.outcome !== 'complete') break;
    completeSince = start;
  }
  const isWhole =
    open.ok && isComplete(open) && (listsOpenOrders(rows, open, completeSince) || !(await isCapped(open)));
  return {
    orders: seenOrders(open.ok ? open.data : [], [...rows.values()]),
    reads: [openListRead(open, isWhole), historyRead],
    completeSince: isWhole ? completeSince : null,
  };

  /** The time filter may mean creation or last change; without an end both list everything created later. */
  async function readWindow(from: number, to: number | null): Promise<ListRead> {
    const result = (outcome: ListRead['outcome'], failure?: Failure): ListRead => ({
      list: 'order-history',
      outcome,
      rows: rows.size,
      ...(unreadable.size === 0 ? {} : { unreadable: unreadable.size }),
      ...(failure === undefined ? {} : { failure }),
    });
    if (reads-- <= 0) return result('incomplete');
    // 1 ms wider on each side: whether bounds are inclusive is not documented.
    const query = {
      symbolId,
      startTime: Math.max(0, from - 1),
      ...(to === null ? {} : { endTime: to + 1 }),
      limit: MAX_RESULTS,
    };
    const answer = await readWithinLimit(limiter, () => client.orderHistory(query));
    if (!answer.ok) return result('failed', answer.failure);
    const last = to ?? Math.max(now, from) + MAX_CLOCK_ERROR_MS;
    if (isComplete(answer) && (last <= from || !(await isCapped(answer)))) {
      collect(answer);
      return result('complete');
    }
    if (hasUnreadable(answer) || last <= from) {
      collect(answer);
      return result('incomplete');
    }
    const middle = Math.floor((from + last) / 2);
    const newer = await readWindow(middle + 1, to);
    return newer.outcome === 'complete' ? readWindow(from, middle) : newer;
  }
}

/**
 * Reports whether the history lists open orders too, so that no order is missed where the list of open ones is cut: it
 * has every open order created from `completeSince` on, and there is one.
 */
function listsOpenOrders(
  history: ReadonlyMap<string, HistoryOrder>,
  { data }: { readonly data: readonly OpenOrder[] },
  completeSince: number | null,
): boolean {
  const recent = data.filter(({ ctime }) => completeSince !== null && (ctime ?? 0) >= completeSince);
  return recent.length > 0 && recent.every(({ orderId }) => history.has(orderId));
}

/**
 * Returns a function that reports whether the exchange may list no more than these rows, a round number, though more were
 * requested (in one millisecond they may be all). It reads a list without a contract once, if `mayRead`.
 */
function capCheck(
  { client, limiter }: ListPorts,
  mayRead: () => boolean,
): (answer: Read) => Promise<boolean> {
  let most = 0;
  return async ({ meta: { listed } }) => {
    if (!mayBeLimited(listed)) return false;
    if (most === 0 && mayRead()) {
      const any = await readWithinLimit(limiter, () =>
        client.orderHistory({ startTime: 1, limit: MAX_RESULTS }),
      );
      most = any.ok ? any.meta.listed : 0;
    }
    return listed >= most;
  };
}

type Read = Extract<ListReply<readonly unknown[]>, { readonly ok: true }>;
/** An unreadable record may be the searched order. */
const hasUnreadable = ({ meta }: Read): boolean => meta.unreadable !== undefined;
const isComplete = (answer: Read): boolean => answer.meta.listed < MAX_RESULTS && !hasUnreadable(answer);

const openListRead = (answer: ListReply<readonly unknown[]>, isWhole: boolean): ListRead =>
  answer.ok
    ? {
        list: 'open-orders',
        outcome: isWhole ? 'complete' : 'incomplete',
        rows: answer.data.length,
        ...(answer.meta.unreadable === undefined ? {} : { unreadable: answer.meta.unreadable.length }),
      }
    : { list: 'open-orders', outcome: 'failed', rows: 0, failure: answer.failure };

/** Makes one read if the limiter allows it. */
export async function readWithinLimit<T>(
  limiter: ListPorts['limiter'],
  read: () => Promise<ListReply<T>>,
): Promise<ListReply<T>> {
  const answer = await limiter.read(read);
  return 'waitMs' in answer ? failed(PAUSED) : answer;
}

const PAUSED: Failure = {
  kind: 'limited',
  message: 'Reading is paused: the exchange asked for it, or requests kept failing.',
  next: 'Reading resumes automatically.',
};
