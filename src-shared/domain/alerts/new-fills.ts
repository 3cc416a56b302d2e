/** Detects fills: what was filled of each order since the last read. The first read is the starting point. */
import { amount, greater } from '../../amount.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import { type SystemClose, systemCloseOf } from '../history/system-close.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';

export interface Fill {
  readonly orderId: string;
  readonly symbolId: string;
  readonly side: string;
  /** Filled quantity so far and order total, as received; a total that cannot be read is null. */
  readonly filled: string;
  readonly total: string | null;
  readonly avgPrice: string | null;
  /** Last update of the order, ms; 0 if unreadable. */
  readonly at: number;
  /** Set for an order placed by the exchange, which is an event of its own. */
  readonly close: SystemClose | null;
}

export interface FillsSeen {
  /** Filled quantity by order (`keyOf`); null until both lists were read. */
  readonly filled: ReadonlyMap<string, string> | null;
  /** Orders that ended before this time, in ms, are ignored however late they are listed. */
  readonly since: number;
  /** The lists read last; identical ones are skipped. */
  readonly lists: readonly [readonly OpenOrder[], readonly HistoryOrder[]] | null;
}
export const NO_FILLS_SEEN: FillsSeen = { filled: null, since: 0, lists: null };

/** Twice the size of both lists, since an order that left one may appear in the other later. */
const MOST_STORED = 4_000;

/** A close by the exchange, which only the history shows, is an event even if its fill was seen in the open orders. */
const keyOf = ({ orderId, close }: Fill): string => (close === null ? orderId : `close:${orderId}`);

function shownFills(open: readonly OpenOrder[], history: readonly HistoryOrder[]): readonly Fill[] {
  const past = history.map((one) => ({ ...one, orderId: one.id, close: systemCloseOf(one) }));
  const closes = new Set(past.flatMap((one) => (one.close === null ? [] : [one.orderId])));
  const own = open.filter((one) => !closes.has(one.orderId)).map((one) => ({ ...one, close: null }));
  return [...own, ...past].flatMap(
    ({ orderId, symbolId, side, tradeQuantity: filled, totalQuantity: total, avgPrice, close, mtime }) =>
      filled === null ? [] : [{ orderId, symbolId, side, avgPrice, close, filled, total, at: mtime ?? 0 }],
  );
}

/** Returns what was filled since `seen`, one entry per order. `now`: a time to come is no start, or nothing would follow. */
export function newFills(
  seen: FillsSeen,
  open: readonly OpenOrder[],
  history: readonly HistoryOrder[],
  now: number,
): { readonly seen: FillsSeen; readonly fills: readonly Fill[] } {
  if (seen.lists?.[0] === open && seen.lists[1] === history) return { seen, fills: [] };
  const lists = [open, history] as const;
  const shown = shownFills(open, history);
  const newest = shown.reduce((latest, { at }) => (at > now ? latest : Math.max(latest, at)), seen.since);
  if (seen.filled === null)
    return {
      seen: { filled: new Map(shown.map((one) => [keyOf(one), one.filled])), since: newest, lists },
      fills: [],
    };
  const filled = new Map(seen.filled);
  const fills = new Map<string, Fill>();
  for (const one of shown) {
    const key = keyOf(one);
    const before = filled.get(key) ?? '0';
    if (!greater(amount(one.filled), amount(before))) {
      if (!filled.has(key)) filled.set(key, one.filled);
      continue;
    }
    filled.set(key, one.filled);
    // A close that was seen in the open orders is known by its id only.
    if (one.at >= seen.since || seen.filled.has(key) || seen.filled.has(one.orderId)) fills.set(key, one);
  }
  const listed = new Set(shown.map(keyOf));
  for (const id of filled.keys()) {
    if (filled.size <= MOST_STORED) break;
    if (!listed.has(id)) filled.delete(id);
  }
  return { seen: { filled, since: seen.since, lists }, fills: [...fills.values()] };
}
