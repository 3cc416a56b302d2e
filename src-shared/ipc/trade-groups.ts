/** The trade log by order and by round trip, across the bridge. */
import * as v from 'valibot';
import { connectionId } from './call.ts';
import type { RoundTrip } from '../domain/history/round-trips.ts';
import { tradeFilterSchema } from './trades.ts';

export const tradeGroupsQuerySchema = v.strictObject({
  connectionId,
  by: v.picklist(['order', 'round-trip']),
  /** Round trips are whole: of it only symbols and times apply to them. */
  filter: tradeFilterSchema,
  /** Symbols of inverse contracts: their positions are counted in quote units. */
  inverse: v.pipe(v.array(v.pipe(v.string(), v.maxLength(80))), v.maxLength(2_000)),
  offset: v.pipe(v.number(), v.integer(), v.minValue(0)),
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)),
});
export type TradeGrouping = v.InferOutput<typeof tradeGroupsQuerySchema>['by'];

/** Profit as the order history says it, or how much of that is missing. */
export interface GroupProfit {
  /** Sum over the orders; null when one is missing, not final, or belongs to another group as well. */
  readonly value: string | null;
  readonly orders: number;
  /** Orders that the archive has no order history of. */
  readonly missing: number;
  /** Orders that are not in a final state yet. */
  readonly unsettled: number;
  /** Position mode of an order is hedge: trades alone cannot tell its legs apart. */
  readonly hedge: boolean;
}

/** An order's trades that are in the filter. */
export interface OrderGroup {
  readonly kind: 'order';
  readonly symbol: string;
  readonly orderId: string;
  readonly side: string;
  readonly first: number;
  readonly last: number;
  readonly trades: number;
  readonly takers: number;
  readonly qty: string;
  readonly quote: string;
  readonly fees: readonly { readonly asset: string; readonly amount: string }[];
  readonly profit: GroupProfit;
}
export type TripGroup = { readonly kind: 'round-trip'; readonly profit: GroupProfit } & Omit<
  RoundTrip,
  'closingOrders'
>;

/** Newest first. */
export interface TradeGroups {
  readonly rows: readonly (OrderGroup | TripGroup)[];
  readonly count: number;
  readonly stored: number;
}
