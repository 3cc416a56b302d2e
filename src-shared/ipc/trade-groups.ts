/** Defines the trade log in groups: by symbol, day, month, order, round trip and tag. */
import * as v from 'valibot';
import { connectionId, textUpTo, whole } from './call.ts';
import type { OrderNote } from '../domain/history/order-notes.ts';
import type { RoundTrip } from '../domain/history/round-trips.ts';
import type { AssetAmount } from '../domain/history/trade-stats.ts';
import { tradeFilterSchema } from './trades.ts';

const coin = textUpTo(80);

/** What must be known of a contract before its values can be summed. */
const groupContractSchema = v.strictObject({
  symbol: textUpTo(80),
  /** Coin of its quote quantities. */
  quote: coin,
  /** Coin of margin, PnL and fees. */
  margin: coin,
  /** Unit of a position: base coin, or quote units of an inverse contract. */
  quantity: coin,
  inverse: v.boolean(),
});
export type GroupContract = v.InferOutput<typeof groupContractSchema>;
export const groupContractsSchema = v.pipe(v.array(groupContractSchema), v.maxLength(2_000), v.readonly());

const TRADE_GROUPINGS = ['day', 'month', 'contract', 'tag', 'round-trip', 'order'] as const;
export type TradeGrouping = (typeof TRADE_GROUPINGS)[number];

/**
 * Sort columns; each grouping has its own subset (`GROUP_COLUMNS`). Amounts sort by coin first, the most frequent coin
 * before the others in both directions: amounts of two coins have no order.
 */
const SUM_COLUMNS = ['trades', 'volume', 'maker', 'pnl', 'fees', 'net', 'bp'] as const;
export const GROUP_COLUMNS = {
  day: ['time', ...SUM_COLUMNS],
  month: ['time', ...SUM_COLUMNS],
  contract: ['symbol', ...SUM_COLUMNS],
  tag: ['tag', 'trips', 'wins', 'volume', 'pnl', 'fees', 'net', 'bp'],
  order: ['time', 'symbol', 'side', 'trades', 'quantity', 'entry', 'volume', 'fees', 'pnl'],
  'round-trip': ['time', 'symbol', 'side', 'trades', 'quantity', 'entry', 'exit', 'fees', 'pnl'],
} as const satisfies Record<TradeGrouping, readonly string[]>;
export type GroupColumn = (typeof GROUP_COLUMNS)[TradeGrouping][number];
const COLUMNS = [...new Set(Object.values(GROUP_COLUMNS).flat())];

const groupSortSchema = v.strictObject({ column: v.picklist(COLUMNS), descending: v.boolean() });
export type GroupSort = v.InferOutput<typeof groupSortSchema>;

export const tradeGroupsQuerySchema = v.pipe(
  v.strictObject({
    connectionId,
    by: v.picklist(TRADE_GROUPINGS),
    /** Round trips are always complete: only symbols, times and notes of the filter apply to them, and so to tags. */
    filter: tradeFilterSchema,
    sort: groupSortSchema,
    /** IANA name; days and months start at its midnight. */
    zone: textUpTo(60),
    contracts: groupContractsSchema,
    offset: whole(0),
    limit: whole(1, 200),
  }),
  v.check(
    ({ by, sort }) => (GROUP_COLUMNS[by] as readonly string[]).includes(sort.column),
    'this grouping has no such column',
  ),
);
export type TradeGroupsQuery = v.InferOutput<typeof tradeGroupsQuerySchema>;

/** Closed PnL from the order history, or how much of it is missing. */
export interface GroupProfit {
  /** Sum over the orders; null if one is missing, not final, cannot be read, or is part of another group too. */
  readonly value: string | null;
  readonly orders: number;
  /** Orders not in the archived order history. */
  readonly missing: number;
  /** Orders not in a final state. */
  readonly unsettled: number;
  /** Orders whose profit is missing or unreadable. */
  readonly unread: number;
  /** Whether an order's position mode is hedge: trades alone do not distinguish its legs. */
  readonly hedge: boolean;
}

/** An order's trades that match the filter. */
export interface OrderGroup {
  readonly kind: 'order';
  readonly symbol: string;
  readonly orderId: string;
  readonly side: string;
  readonly first: number;
  readonly last: number;
  readonly trades: number;
  readonly makers: number;
  /** Trades with a quantity or fee that is in no sum. */
  readonly leftOut: number;
  readonly qty: string;
  readonly quote: string;
  readonly fees: readonly AssetAmount[];
  readonly profit: GroupProfit;
  /** Its note and tags, if it has any. */
  readonly noted: readonly OrderNote[];
}
export interface TripGroup extends Omit<RoundTrip, 'closingOrders'> {
  readonly kind: 'round-trip';
  readonly profit: GroupProfit;
  /** Notes and tags of its orders, by their first trades. */
  readonly noted: readonly OrderNote[];
}

/** Exact sums of trades in symbols with the same coins. Funding is in no record, so it is not included. */
export interface TradeSums {
  /** Coin of margin and PnL; null for a symbol without a contract. */
  readonly coin: string | null;
  /** Coin of `volume`; null for a symbol without a contract. */
  readonly quote: string | null;
  readonly trades: number;
  /** Trades the exchange marks MAKER. */
  readonly makers: number;
  /** The symbols traded. */
  readonly symbols: readonly string[];
  /** Sum of quote quantities. */
  readonly volume: string;
  /** Fees by coin as charged: positive for a fee, negative for a rebate. */
  readonly fees: readonly AssetAmount[];
  /** Closed PnL before fees, of orders by their last fill; null if unknown. */
  readonly pnl: string | null;
  /** pnl − fees in `coin`. */
  readonly net: string | null;
  /** net ÷ volume in the same coin × 10,000, rounded to one decimal. */
  readonly bp: string | null;
  /** Why `pnl` is null: the filter splits the fills of an order, or orders are missing from the archive. */
  readonly unknown: 'filter' | 'unit' | 'orders' | null;
  /** Trades whose order is not in the archived order history. */
  readonly uncovered: number;
  /** Trades with a quantity or fee, and closed orders with a profit, that is in no sum: missing or unreadable. */
  readonly leftOut: { readonly trades: number; readonly orders: number };
  /** Orders whose PnL can still change. */
  readonly open: number;
  /** Round trips of a tag; null in other groupings. All other figures are of the counted ones alone. */
  readonly trips: TripCount | null;
}
export interface TripCount {
  /** Closed ones whose closed PnL is known, and how many of them it was above and below 0. */
  readonly counted: number;
  readonly wins: number;
  readonly losses: number;
  /** Not counted: still open; of unknown PnL or with an unreadable figure. */
  readonly open: number;
  readonly unknown: number;
}
/** A symbol, day, month or tag; one with several coins has a group per coin. */
export interface SumGroup extends TradeSums {
  readonly kind: 'contract' | 'day' | 'month' | 'tag';
  /** Symbol, `2026-10-14`, `2026-10` or tag, '' for round trips without one. */
  readonly key: string;
  /** In ms, inclusive: the range of the day or month, or of the filter. */
  readonly from: number | null;
  readonly to: number | null;
}

export interface TradeGroups {
  readonly rows: readonly (OrderGroup | TripGroup | SumGroup)[];
  readonly count: number;
  readonly stored: number;
  /** Sums of all groups by coins; empty for orders and round trips. */
  readonly totals: readonly TradeSums[];
}
