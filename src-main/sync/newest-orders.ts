/**
 * Reads the newest orders for polling. A list of 1,000 or a round number may be cut, and the order of its rows is not
 * documented: where it is not newest first, a start time is looked for from which the list is whole.
 */
import { mayBeLimited, type OrderHistoryQuery } from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import { exchangeTime, type Clock } from '../../src-shared/time.ts';
import type { ReadResult } from '../exchange/client.ts';

type Reply = ReadResult<readonly HistoryOrder[]>;

/** Most requests of one poll. */
const MAX_READS = 32;

interface OrderClient {
  orderHistory(query: OrderHistoryQuery): Promise<Reply>;
  clockOffsetMs(): number | null;
}

/** Remembers the start it found. */
export function newestOrders(client: OrderClient, clock: Clock): () => Promise<Reply> {
  const read = (query: OrderHistoryQuery): Promise<Reply> => client.orderHistory(query);
  const exchangeNow = (): number => exchangeTime(clock, client);
  let start: number | null = null;
  return async () => {
    const first = await read(start === null ? {} : { startTime: start });
    if (!first.ok || !isCut(first) || isNewestFirst(first.data)) return first;
    const newest = first.data.reduce((most, one) => Math.max(most, one.orderTime), 0);
    const later = await read({ startTime: newest + 1 });
    if (!later.ok || !later.data.some((one) => one.orderTime > newest)) return later.ok ? first : later;
    const oldest = first.data.reduce((least, one) => Math.min(least, one.orderTime), exchangeNow());
    let [cutAt, wholeAt] = [oldest, exchangeNow()];
    let whole: Reply | null = null;
    for (let reads = 2; reads < MAX_READS && wholeAt - cutAt > 1; reads++) {
      const startTime = Math.floor((cutAt + wholeAt) / 2);
      const reply = await read({ startTime });
      if (!reply.ok) return reply;
      if (isCut(reply)) {
        cutAt = startTime;
        continue;
      }
      [whole, wholeAt] = [reply, startTime];
      if (8 * reply.meta.listed >= first.meta.listed) break;
    }
    if (whole !== null) start = wholeAt;
    return whole ?? first;
  };
}

const isCut = (reply: Extract<Reply, { readonly ok: true }>): boolean => mayBeLimited(reply.meta.listed);

/** By creation or by last change. */
const isNewestFirst = (rows: readonly HistoryOrder[]): boolean =>
  (['orderTime', 'mtime'] as const).some((time) =>
    rows.every((one, at) => at === 0 || one[time] <= rows[at - 1]![time]),
  );
