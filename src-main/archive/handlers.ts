/** Opens the stores of an archive in this thread and defines its requests. */
import type { DatabaseSync } from 'node:sqlite';
import type { NoteText } from '../../src-shared/domain/history/order-notes.ts';
import type { AccountSample, SampleChange } from '../../src-shared/domain/position/balance-change.ts';
import { MAX_RESULTS } from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import type { CoverageGap, DatedUnreadable } from '../../src-shared/ipc/archive.ts';
import type { TradeFilter } from '../../src-shared/ipc/trades.ts';
import { type ArchiveExport, exportPreview, type RecordExport } from './export/source.ts';
import { NoteStore } from './notes/store.ts';
import { newestStoredOrders } from './orders/query.ts';
import { OrderWriter } from './orders/writer.ts';
import { EquityStore, type SamplesQuery } from './reports/equity.ts';
import { fileFigures, quarantinedRecords } from './reports/info.ts';
import { StatsReader, type StatsRange } from './reports/stats.ts';
import { bindUser } from './sqlite/account.ts';
import { StringTable } from './sqlite/string-table.ts';
import { TradeColumns } from './trade-log/column-cache.ts';
import { type GroupsQuery, TradeGroupPages } from './trade-log/groups.ts';
import { findProfit, type ProfitQuery } from './trade-log/profit-finding.ts';
import { TradeViews } from './trade-log/sorted-views.ts';
import { TotalsReader } from './trade-log/totals.ts';
import { type ListQuery, type PlaceQuery, TradeList } from './trade-log/trade-list.ts';
import { TradeReader } from './trades/query.ts';
import { TradeWriter } from './trades/writer.ts';

export type ArchiveStores = ReturnType<typeof openStores>;

/** @param file the archive's own file, `:memory:` in tests */
export function openStores(db: DatabaseSync, file: string) {
  const strings = new StringTable(db);
  const writer = new TradeWriter(db, strings);
  writer.storeQuarantinedSides();
  const stored = (): number => writer.stored();
  const notes = new NoteStore(db);
  const reader = new TradeReader(db, strings, writer, notes);
  const columns = new TradeColumns(db);
  const views = new TradeViews({ db, strings, columns, notes, stored });
  const totals = new TotalsReader(db, strings, reader.days);
  const orders = new OrderWriter(db, strings);
  const ordersRevision = (): number => orders.revision();
  const groups = new TradeGroupPages({ db, strings, columns, views, totals, notes, stored, ordersRevision });
  return {
    db,
    file,
    strings,
    writer,
    reader,
    columns,
    views,
    totals,
    groups,
    notes,
    list: new TradeList({ db, strings, reader, views, notes, totals }),
    orders,
    equity: new EquityStore(db, strings),
    stats: new StatsReader(db, strings, totals),
  };
}

/** Requests that write: they wait while an import runs. All others are served, from the archive as it was before. */
export const WRITES: readonly (keyof Handlers)[] = [
  'insertTrades',
  'beginPass',
  'endPass',
  'profit',
  'saveNote',
  'tagOrders',
  'insertOrders',
  'addSample',
  'classifyMoves',
  'bindUser',
];
/** Of these, those that write in steps, between which an import would lock the file: it waits for them. */
export const STEPWISE: readonly (keyof Handlers)[] = ['profit'];

export type Handlers = ReturnType<typeof requestHandlers>;

/** Returns what the worker does for each request; a failure is thrown. The methods of `Archive` follow from it. */
export function requestHandlers(stores: ArchiveStores) {
  const { db, file, strings, writer, reader, views, list, groups, orders, equity, stats, notes } = stores;
  return {
    /**
     * Stores each trade once by (symbol, tradeId); on disk when it resolves. The checkpoint is stored in the same
     * transaction and counts the rows as seen by the current pass; null means rows of no pass. `receivedAt`: wall clock,
     * ms.
     */
    insertTrades: (
      receivedAt: number,
      rows: readonly Trade[],
      checkpoint: string | null,
      unreadable?: readonly DatedUnreadable[],
    ) => writer.insert(rows, checkpoint, receivedAt, unreadable),
    /** Begins a backfill pass with nothing seen. */
    beginPass: (checkpoint: string) => writer.beginPass(checkpoint),
    /** Ends a complete pass over `from` … `to` and deletes unreadable records of that range that it did not see. */
    endPass: (checkpoint: string, from: number | null, to: number | null) =>
      writer.endPass(checkpoint, from, to),
    state: () => writer.state(),
    /** Returns trades without a readable identity, as received, 500 at most. */
    unreadableTrades: () => writer.unreadable(),
    symbols: () => reader.symbols(),
    count: (filter: TradeFilter) => reader.count(filter),

    /** Returns a page in any order. A newer request for another list fails an older one with `cancelled`. */
    list: (query: ListQuery) => list.page(query),
    /** Returns a row's index in a list; null if it is not in it. */
    place: (query: PlaceQuery) => list.place(query),
    /** Returns exact totals. A newer request with other bounds fails an older one with `cancelled`. */
    totals: (filter: TradeFilter) => list.totals(filter),
    groups: (query: GroupsQuery) => groups.page(query),
    /** Returns the progress of building the list or its groups, 0…1; null if nothing is being built. */
    building: () => views.progress(),
    /** Determines whether profits are before fees, and applies it to sums from now on. */
    profit: (query: ProfitQuery) => findProfit(stores, query),

    /**
     * Stores the note of an order in place of the one it had; without text and tags it deletes it. `now`: wall clock,
     * ms.
     */
    saveNote: (now: number, orderId: string, note: NoteText) => notes.save(now, orderId, note),
    /**
     * Adds a tag to these orders, or removes it, all or none; returns the notes that changed. `now`: wall clock, ms.
     */
    tagOrders: (now: number, orderIds: readonly string[], tag: string, on: boolean) =>
      notes.tagOrders(now, orderIds, tag, on),
    /** Returns the notes of those of these orders that have one. */
    notesOf: (orderIds: readonly string[]) => notes.ofOrders(orderIds),
    /** Returns the tags in use, the most frequent first. */
    tags: () => notes.tags(),

    /** Stores the newest version of each order, with checkpoint and gaps in one transaction. */
    insertOrders: (
      receivedAt: number,
      rows: readonly HistoryOrder[],
      checkpoint: string | null,
      gaps: readonly CoverageGap[],
    ) => orders.insert(rows, checkpoint, gaps, receivedAt),
    /** Returns the newest stored orders that match, 1,000 at most; of the filter only what orders have applies. */
    newestOrders: (filter: TradeFilter) => newestStoredOrders(db, strings, filter, MAX_RESULTS),
    orderState: () => orders.state(),
    nonFinalOrders: (after: number, limit: number, changedSince: number) =>
      orders.nonFinal(after, limit, changedSince),
    orderGaps: () => orders.gaps(),
    /** Returns positions closed by the exchange, newest first, 1,000 at most. */
    systemCloses: () => orders.systemCloses(),

    addSample: (sample: AccountSample, changes: readonly SampleChange[], state: string) =>
      equity.add(sample, changes, state),
    /** Returns the recorder's state, stored with its last sample; null before the first. */
    lastSample: () => equity.lastState(),
    /** Classifies open balance changes up to `verifiedTo`, the time the order history is verified to, ms. */
    classifyMoves: (verifiedTo: number) => equity.classifyMoves(verifiedTo),
    samples: (query: SamplesQuery) => equity.samples(query),

    statsDaily: (range: StatsRange) => stats.daily(range),
    statsSummary: (range: StatsRange) => stats.summary(range),

    /** Binds the archive to the user id of a record. Returns `other` if it belongs to another user. */
    bindUser: (uid: string) => bindUser(db, uid),
    /** Returns quarantined records, newest first, 500 of each kind at most. */
    quarantine: () => quarantinedRecords(db, strings),
    figures: () => fileFigures(file, equity.count()),
    /** Returns header and first rows of an export as its file would have them. */
    exportPreview: (query: ArchiveExport | RecordExport) => exportPreview(stores, query),
  };
}
