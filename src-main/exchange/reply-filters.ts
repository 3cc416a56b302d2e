/** Applies a query's filters to its reply, since their names are ambiguous in the API and one may be ignored. */
import * as v from 'valibot';
import type { ReadEndpoint } from '../../src-shared/exchange-api/endpoints.ts';
import type { Replies, UnreadableRecord } from '../../src-shared/exchange-api/replies.ts';

const filterSchema = v.object({ symbolId: v.optional(v.string()), orderId: v.optional(v.string()) });
type Filter = v.InferOutput<typeof filterSchema>;

const passes =
  <T extends { readonly symbolId: string }>({ symbolId, orderId }: Filter, idOf: (row: T) => string) =>
  (row: T): boolean =>
    (symbolId === undefined || row.symbolId === symbolId) && (orderId === undefined || idOf(row) === orderId);

type Narrow<K extends ReadEndpoint> = (
  data: Replies[K],
  filter: Filter,
) => { readonly data: Replies[K]; readonly listed: number };

const unfiltered = <T>(data: T) => ({ data, listed: 1 });
const FILTERS: { readonly [K in ReadEndpoint]: Narrow<K> } = {
  account: unfiltered,
  symbolConfig: (data) => ({ data, listed: data.length }),
  openOrders: (data, filter) => ({
    data: data.filter(passes(filter, (row) => row.orderId)),
    listed: data.length,
  }),
  orderHistory: (data, filter) => ({
    data: data.filter(passes(filter, (row) => row.id)),
    listed: data.length,
  }),
  // Trades spell the symbol differently, so `symbol` cannot be checked here.
  trades: (page, { orderId }) => ({
    data:
      orderId === undefined ? page : { ...page, data: page.data.filter((row) => row.orderId === orderId) },
    listed: page.data.length,
  }),
};

/** Returns the matching rows, and how many the reply listed. `query` was validated before. */
export function applyFilters<K extends ReadEndpoint>(
  endpoint: K,
  query: unknown,
  data: Replies[K],
): ReturnType<Narrow<K>> {
  return FILTERS[endpoint](data, v.parse(filterSchema, query));
}

/** Returns the unreadable records that the filters of a query do not rule out. */
export function filterUnreadable(
  query: unknown,
  records: readonly UnreadableRecord[],
): readonly UnreadableRecord[] {
  const { symbolId } = v.parse(filterSchema, query);
  return records.filter(
    (one) => symbolId === undefined || one.symbolId === null || one.symbolId === symbolId,
  );
}
