/** Opens the stores of an archive in this thread and serves its requests from them. */
import type { DatabaseSync } from 'node:sqlite';
import { MAX_RESULTS } from '../../src-shared/exchange-api/endpoints.ts';
import { exportPreview } from './export/source.ts';
import { NoteStore } from './notes/store.ts';
import { newestOrders } from './orders/query.ts';
import { OrderWriter } from './orders/writer.ts';
import { EquityStore } from './reports/equity.ts';
import { fileFigures, quarantinedRecords } from './reports/info.ts';
import { StatsReader } from './reports/stats.ts';
import type { Handlers } from './requests.ts';
import { bindUser } from './sqlite/account.ts';
import { StringTable } from './sqlite/string-table.ts';
import { TradeColumns } from './trade-log/column-cache.ts';
import { TradeGroupPages } from './trade-log/groups.ts';
import { ProfitFindings } from './trade-log/profit-finding.ts';
import { TradeViews } from './trade-log/sorted-views.ts';
import { TradeList } from './trade-log/trade-list.ts';
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
  const orders = new OrderWriter(db, strings);
  const ordersRevision = (): number => orders.revision();
  const groups = new TradeGroupPages({
    ...{ db, strings, columns, views, notes, stored, ordersRevision },
    days: reader.days,
  });
  return {
    db,
    file,
    strings,
    writer,
    reader,
    columns,
    views,
    groups,
    notes,
    list: new TradeList(db, strings, reader, views, notes),
    profits: new ProfitFindings(db, strings, (contracts, limit) => groups.newestTrips(contracts, limit)),
    orders,
    equity: new EquityStore(db, strings),
    stats: new StatsReader(db, strings, reader.days),
  };
}

export function requestHandlers(stores: ArchiveStores): Handlers {
  const { db, file, strings, writer, reader, views, list, groups, profits, orders, equity, stats, notes } =
    stores;
  return {
    insertTrades: (receivedAt, rows, checkpoint, unreadable) =>
      writer.insert(rows, checkpoint, receivedAt, unreadable),
    beginPass: (checkpoint) => writer.beginPass(checkpoint),
    endPass: (checkpoint, from, to) => writer.endPass(checkpoint, from, to),
    state: () => writer.state(),
    unreadableTrades: () => writer.unreadable(),
    symbols: () => reader.symbols(),
    count: (filter) => reader.count(filter),
    list: (query) => list.page(query),
    place: (query) => list.place(query),
    totals: (filter) => list.totals(filter),
    groups: (query) => groups.page(query),
    building: () => views.progress(),
    profit: (query) => profits.find(query),
    saveNote: (now, orderId, note) => notes.save(now, orderId, note),
    tagOrders: (now, orderIds, tag, on) => notes.tagOrders(now, orderIds, tag, on),
    notesOf: (orderIds) => notes.ofOrders(orderIds),
    tags: () => notes.tags(),
    insertOrders: (receivedAt, rows, checkpoint, gaps) => orders.insert(rows, checkpoint, gaps, receivedAt),
    newestOrders: (filter) => newestOrders(db, strings, filter, MAX_RESULTS),
    orderState: () => orders.state(),
    nonFinalOrders: (after, limit) => orders.nonFinal(after, limit),
    orderGaps: () => orders.gaps(),
    systemCloses: () => orders.systemCloses(),
    addSample: (sample, changes, state) => equity.add(sample, changes, state),
    lastSample: () => equity.lastState(),
    classifyMoves: (verifiedTo) => equity.classifyMoves(verifiedTo),
    samples: (query) => equity.samples(query),
    statsDaily: (range) => stats.daily(range),
    statsSummary: (range) => stats.summary(range),
    bindUser: (uid) => bindUser(db, uid),
    quarantine: () => quarantinedRecords(db, strings),
    figures: () => fileFigures(file, equity.count()),
    exportPreview: (query) => exportPreview(stores, query),
  };
}
