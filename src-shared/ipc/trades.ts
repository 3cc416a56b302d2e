/** Defines the trade log: filter, page, totals, sync and export. */
import * as v from 'valibot';
import { connectionId, digits, limit, ms, textUpTo, whole } from './call.ts';
import { MAX_TAG, type OrderNote } from '../domain/history/order-notes.ts';
import type { Totals } from '../domain/history/trade-stats.ts';
import { tradeFields, type Trade } from '../exchange-api/trade.ts';
import type { OrderSyncStatus } from './archive.ts';
import type { Failure } from './failures.ts';

/** Any of these values; an empty list is no condition. */
const anyOf = v.pipe(v.array(textUpTo(200)), v.maxLength(500));

/** Orders with a note or tag (`matchesNoted`); of round trips those whose orders have it. */
export const notedSchema = v.strictObject({
  tags: v.pipe(v.array(textUpTo(MAX_TAG)), v.maxLength(500)),
  text: v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
});

export const tradeFilterSchema = v.strictObject({
  symbols: anyOf,
  sides: anyOf,
  liquidities: anyOf,
  feeAssets: anyOf,
  orderId: v.nullable(digits),
  /** Inclusive bounds of tradeTime, ms. */
  from: v.nullable(ms),
  to: v.nullable(ms),
  /** Inclusive bounds as decimal text. */
  priceFrom: limit,
  priceTo: limit,
  qtyFrom: limit,
  qtyTo: limit,
  noted: v.optional(v.nullable(notedSchema), null),
});
export type TradeFilter = v.InferOutput<typeof tradeFilterSchema>;
export const NO_FILTER: TradeFilter = {
  symbols: [],
  sides: [],
  liquidities: [],
  feeAssets: [],
  orderId: null,
  from: null,
  to: null,
  priceFrom: null,
  priceTo: null,
  qtyFrom: null,
  qtyTo: null,
  noted: null,
};

export type TradeColumn = keyof typeof tradeFields;
export const TRADE_COLUMNS = Object.keys(tradeFields) as readonly TradeColumn[];

const tradeSortSchema = v.strictObject({ column: v.picklist(TRADE_COLUMNS), descending: v.boolean() });
export type TradeSort = v.InferOutput<typeof tradeSortSchema>;
export const NEWEST_FIRST: TradeSort = { column: 'tradeTime', descending: true };

/**
 * Rows `offset` … `offset + limit` in sort order, ties by (tradeTime, tradeId) in the same direction. A query whose
 * view has to be built responds late; a newer one makes it `cancelled`.
 */
export const tradePageQuerySchema = v.strictObject({
  connectionId,
  filter: tradeFilterSchema,
  sort: tradeSortSchema,
  offset: whole(0),
  limit: whole(1, 500),
});
export type TradePageQuery = v.InferOutput<typeof tradePageQuerySchema>;
/** Index of a row in the list; null if it is not in it. */
export const tradePlaceQuerySchema = v.strictObject({
  connectionId,
  filter: tradeFilterSchema,
  sort: tradeSortSchema,
  row: v.strictObject({
    symbol: textUpTo(200),
    tradeId: textUpTo(4_000),
    tradeTime: ms,
  }),
});
export type TradePlaceQuery = v.InferOutput<typeof tradePlaceQuerySchema>;
export type TradePlace = TradePlaceQuery['row'];
export interface TradeWindow {
  readonly rows: readonly Trade[];
  /** Notes of the orders of these rows. */
  readonly noted: readonly OrderNote[];
  /** Rows that match the filter. */
  readonly count: number;
  /** Rows in the archive. */
  readonly stored: number;
}

/** Exact totals of a filter. Quantities only for a single symbol; quote and fees per currency. */
export interface TradeTotals extends Totals {
  /** Trades with a value excluded from the sums: missing, unreadable or too long. */
  readonly leftOut: number;
}

export interface SyncStatus {
  readonly connectionId: string;
  readonly state: 'idle' | 'running' | 'paused' | 'complete' | 'failed';
  readonly stored: number;
  /** The exchange's last count; null until received. */
  readonly total: number | null;
  readonly oldest: number | null;
  readonly newest: number | null;
  /** Wall clock of the last completed sync. */
  readonly completedAt: number | null;
  /** Same id with different content, quarantined. */
  readonly quarantined: number;
  /** Records without a readable identity: in no row, shown as received. */
  readonly unreadable: number;
  /** Page size in use: the largest the exchange served. */
  readonly pageSize: number;
  /** New trades per second during a backfill and the remaining time in ms; null if unknown. */
  readonly rate: number | null;
  readonly leftMs: number | null;
  readonly failure: Failure | null;
  readonly orders: OrderSyncStatus;
}
