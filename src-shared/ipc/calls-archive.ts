/** Defines the calls about stored records: order history, trades and their files. */
import * as v from 'valibot';
import type { OpenOrder } from '../exchange-api/open-order.ts';
import type { HistoryOrder } from '../exchange-api/order-history.ts';
import {
  MAX_NOTE,
  MAX_TAG,
  MAX_TAGGED,
  MAX_TAGS,
  type OrderNote,
  type TagUse,
} from '../domain/history/order-notes.ts';
import type { UnreadableRecord } from '../exchange-api/replies.ts';
import { byConnection, call, connectionId, digits, ms, textUpTo } from './call.ts';
import {
  exportQuerySchema,
  type ExportPreview,
  type ExportProgress,
  type ImportProgress,
} from './exports.ts';
import { tradeGroupsQuerySchema, type TradeGroups } from './trade-groups.ts';
import {
  notedSchema,
  tradeFilterSchema,
  tradePageQuerySchema,
  tradePlaceQuerySchema,
  type SyncStatus,
  type TradeTotals,
  type TradeWindow,
} from './trades.ts';

/** What a search returns besides its rows. */
interface SearchResult {
  /** Whether there may be more: as many were listed as one reply may hold. */
  readonly truncated: boolean;
  /** Unreadable records as received, in no row; any may match the search. */
  readonly unreadable: readonly UnreadableRecord[];
}

const orderIds = v.pipe(
  v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
  v.minLength(1),
  v.maxLength(MAX_TAGGED, `at most ${MAX_TAGGED} orders`),
);

/** The orders a search is for. */
const wanted = {
  connectionId,
  symbolId: v.nullable(textUpTo(200)),
  orderId: v.nullable(digits),
};
const wantedIn = { ...wanted, startTime: v.nullable(ms), endTime: v.nullable(ms) };

export const ARCHIVE_CALLS = {
  /** Open orders by the exchange's own filter, for accounts with more than the newest 1,000. */
  'openOrders.query': call(v.strictObject(wanted)).returns<
    { readonly rows: readonly OpenOrder[] } & SearchResult
  >(),
  'history.query': call(v.strictObject(wantedIn)).returns<
    { readonly rows: readonly HistoryOrder[] } & SearchResult
  >(),
  /** Past orders with a note or tag, from the archive, newest first. */
  'history.noted': call(
    v.strictObject({
      ...wantedIn,
      noted: notedSchema,
    }),
  ).returns<{ readonly rows: readonly HistoryOrder[]; readonly truncated: boolean }>(),

  'trades.page': call(tradePageQuerySchema).returns<TradeWindow>(),
  'trades.totals': call(v.strictObject({ connectionId, filter: tradeFilterSchema })).returns<TradeTotals>(),
  'trades.place': call(tradePlaceQuerySchema).returns<number | null>(),
  'trades.groups': call(tradeGroupsQuerySchema).returns<TradeGroups>(),
  /** Share of the list or groups being built, 0…1; null when idle. */
  'trades.building': call(byConnection).returns<number | null>(),
  'trades.symbols': call(byConnection).returns<readonly string[]>(),
  /** Stores an order's note and tags in place of those it had; without any it has none. */
  'trades.saveNote': call(
    v.strictObject({
      connectionId,
      orderId: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
      text: v.pipe(v.string(), v.maxLength(MAX_NOTE, `at most ${MAX_NOTE} characters`)),
      tags: v.pipe(
        v.array(v.pipe(v.string(), v.maxLength(MAX_TAG, `at most ${MAX_TAG} characters`))),
        v.maxLength(MAX_TAGS, `at most ${MAX_TAGS} tags`),
      ),
    }),
  ).returns<OrderNote>(),
  /** Adds a tag to these orders, or removes it from them, all or none; returns the notes that changed. */
  'trades.tagOrders': call(
    v.strictObject({
      connectionId,
      orderIds,
      tag: v.pipe(v.string(), v.maxLength(MAX_TAG, `at most ${MAX_TAG} characters`)),
      on: v.boolean(),
    }),
  ).returns<readonly OrderNote[]>(),
  /** Notes of those of these orders that have one. */
  'trades.notes': call(v.strictObject({ connectionId, orderIds })).returns<readonly OrderNote[]>(),
  'trades.tags': call(byConnection).returns<readonly TagUse[]>(),
  'trades.syncStatus': call(byConnection).returns<SyncStatus>(),
  /** Unreadable records of the trade history, as received; they are in no row. */
  'trades.unreadable': call(byConnection).returns<readonly UnreadableRecord[]>(),
  'trades.sync': call(
    v.strictObject({ connectionId, action: v.picklist(['start', 'pause']) }),
  ).returns<SyncStatus>(),
  /** Asks where to save and starts writing; null if cancelled. */
  'trades.export': call(exportQuerySchema).returns<ExportProgress | null>(),
  /** Returns the first lines of the file. */
  'trades.exportPreview': call(exportQuerySchema).returns<ExportPreview>(),
  /** Cancels an export or import. */
  'trades.cancelJob': call(v.strictObject({ id: textUpTo(200) })).returns<null>(),
  /** Asks for a file and imports it; null if cancelled. */
  'trades.import': call(byConnection).returns<ImportProgress | null>(),
} as const;
