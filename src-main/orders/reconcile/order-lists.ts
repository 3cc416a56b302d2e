/**
 * Reads everything of one symbol that could be a lost order: open orders first, then order history, so that an order
 * filled in between is met in the second at the latest. Says of each list whether it was read whole.
 */
import type { ListRead } from '../../../src-shared/ipc/orders.ts';
import type { Failure } from '../../../src-shared/ipc/failures.ts';
import { seenOrders, type SeenOrder } from '../../../src-shared/domain/reconcile/listed-orders.ts';
import {
  MAX_RESULTS,
  type OpenOrdersQuery,
  type OrderHistoryQuery,
} from '../../../src-shared/exchange-api/endpoints.ts';
import type { SetAside } from '../../../src-shared/exchange-api/replies.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';

interface Meta {
  readonly listed: number;
  readonly setAside?: readonly SetAside[];
}
export type Answer<T> =
  | {
      readonly ok: true;
      readonly data: T;
      /** `listed`: rows of the reply, those that a filter or their own fault left out included. */
      readonly meta: Meta;
    }
  | { readonly ok: false; readonly failure: Failure };

/** What reading needs of the exchange's client, and the politeness of the connection. */
export interface ListPorts {
  readonly client: {
    openOrders(query: OpenOrdersQuery): Promise<Answer<readonly OpenOrder[]>>;
    orderHistory(query: OrderHistoryQuery): Promise<Answer<readonly HistoryOrder[]>>;
  };
  readonly limiter: {
    tryAcquire(now: number): boolean;
    succeeded(): void;
    failed(failure: Failure, now: number): void;
  };
  readonly clock: { now(): number };
}

export interface ListsRead {
  readonly orders: ReadonlyMap<string, SeenOrder>;
  readonly reads: readonly ListRead[];
  /** Orders created from here on were all seen, by the exchange's clock, ms; null: none is sure to have been. */
  readonly wholeSince: number | null;
}

/** Halving one round's windows may cost this many reads of the history; what is left is for the next round. */
const MOST_READS = 32;
/** Where an open-ended window is halved: nothing is created after it. */
const AHEAD_MS = 60_000;

/**
 * `starts`: where the windows of the orders sought begin, by the exchange's clock. The newest is read first and an
 * older one never costs it its answer. `now`: the exchange's clock.
 */
export async function readLists(
  ports: ListPorts,
  symbolId: string,
  starts: readonly number[],
  now: number,
): Promise<ListsRead> {
  const open = await politely(ports, () => ports.client.openOrders({ symbolId, limit: MAX_RESULTS }));
  const openRead = listRead('open-orders', open);
  /** By id: neighbouring windows share their borders. */
  const rows = new Map<string, HistoryOrder>();
  const unread = new Set<string>();
  const take = ({ data, meta }: { data: readonly HistoryOrder[]; meta: Meta }): void => {
    for (const one of data) rows.set(one.id, one);
    for (const one of meta.setAside ?? []) unread.add(one.raw);
  };
  let historyRead: ListRead = { list: 'order-history', outcome: 'whole', rows: 0 };
  let wholeSince: number | null = null;
  let end: number | null = null;
  let reads = MOST_READS;
  for (const start of [...new Set(starts)].sort((a, b) => b - a)) {
    historyRead = await readWindow(start, end);
    if (historyRead.outcome !== 'whole') break;
    wholeSince = start;
    end = start - 1;
  }
  return {
    orders: seenOrders(open.ok ? open.data : [], [...rows.values()]),
    reads: [openRead, historyRead],
    wholeSince: openRead.outcome === 'whole' ? wholeSince : null,
  };

  /** The filter may mean creation or the last change: with no end, both meanings show what was created later. */
  async function readWindow(from: number, to: number | null): Promise<ListRead> {
    const said = (outcome: ListRead['outcome'], failure?: Failure): ListRead => ({
      list: 'order-history',
      outcome,
      rows: rows.size,
      ...(unread.size === 0 ? {} : { unread: unread.size }),
      ...(failure === undefined ? {} : { failure }),
    });
    if (reads-- <= 0) return said('cut');
    // A millisecond more on each side: whether an order at exactly that time is listed is not described.
    const query = {
      symbolId,
      startTime: Math.max(0, from - 1),
      ...(to === null ? {} : { endTime: to + 1 }),
      limit: MAX_RESULTS,
    };
    const answer = await politely(ports, () => ports.client.orderHistory(query));
    if (!answer.ok) return said('failed', answer.failure);
    if (isWhole(answer)) {
      take(answer);
      return said('whole');
    }
    const last = to ?? Math.max(now, from) + AHEAD_MS;
    if (hasUnread(answer) || last <= from) {
      take(answer);
      return said('cut');
    }
    const middle = Math.floor((from + last) / 2);
    const newer = await readWindow(middle + 1, to);
    return newer.outcome === 'whole' ? readWindow(from, middle) : newer;
  }
}

type Read = Extract<Answer<readonly unknown[]>, { readonly ok: true }>;
/** A record that could not be read may be the order that is sought. */
const hasUnread = ({ meta }: Read): boolean => meta.setAside !== undefined;
const isWhole = (answer: Read): boolean => answer.meta.listed < MAX_RESULTS && !hasUnread(answer);

const listRead = (list: ListRead['list'], answer: Answer<readonly unknown[]>): ListRead =>
  answer.ok
    ? {
        list,
        outcome: isWhole(answer) ? 'whole' : 'cut',
        rows: answer.data.length,
        ...(answer.meta.setAside === undefined ? {} : { unread: answer.meta.setAside.length }),
      }
    : { list, outcome: 'failed', rows: 0, failure: answer.failure };

/** One read behind the gate, so that no pause the exchange asked for is broken. */
export async function politely<T>(
  { limiter, clock }: Pick<ListPorts, 'limiter' | 'clock'>,
  read: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  if (!limiter.tryAcquire(clock.now())) return { ok: false, failure: PAUSED };
  const answer = await read();
  if (answer.ok) limiter.succeeded();
  else limiter.failed(answer.failure, clock.now());
  return answer;
}

const PAUSED: Failure = {
  kind: 'limited',
  message: 'Reads pause: the exchange asked for it, or it kept failing.',
  next: 'Ballast goes on by itself after the pause.',
};
