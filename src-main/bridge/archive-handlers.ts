/** Handles the calls about stored records: order history, trades and their files. */
import type { ARCHIVE_CALLS } from '../../src-shared/ipc/calls-archive.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import { MAX_RESULTS } from '../../src-shared/exchange-api/endpoints.ts';
import { NO_FILTER } from '../../src-shared/ipc/trades.ts';
import type { ReadMeta } from '../exchange/client.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import type { ExportData, Exports } from './exports.ts';
import { withArchive, withOpen, type OpenSession } from './open-only.ts';

export function archiveHandlers(
  session: OpenSession & Pick<Session<LiveConnection>, 'summary'>,
  exports: Exports,
): Pick<Handlers, keyof typeof ARCHIVE_CALLS> {
  const withData = <T>(id: string, use: (data: ExportData) => Promise<Result<T>>): Promise<Result<T>> =>
    withOpen(session, id, async ({ history, feeds }) => {
      const opened = await history;
      if (!opened.ok) return opened;
      const account = session.summary(id)?.settings.name ?? id;
      return use({ archive: opened.data.archive, account, read: feeds.get('account') });
    });

  return {
    ...orderLists(session),
    'trades.page': (input) => withArchive(session, input.connectionId, ({ archive }) => archive.list(input)),
    'trades.totals': (input) =>
      withArchive(session, input.connectionId, ({ archive }) => archive.totals(input.filter)),
    'trades.place': (input) =>
      withArchive(session, input.connectionId, ({ archive }) => archive.place(input)),
    'trades.groups': (input) =>
      withArchive(session, input.connectionId, ({ archive }) => archive.groups(input)),
    'trades.building': (input) =>
      withArchive(session, input.connectionId, ({ archive }) => archive.building()),
    ...notes(session),
    ...shortLists(session),
    'trades.syncStatus': (input) =>
      withArchive(session, input.connectionId, ({ sync }) => Promise.resolve(done(sync.status()))),
    'trades.sync': (input) =>
      withArchive(session, input.connectionId, ({ sync }) => {
        sync[input.action]();
        return Promise.resolve(done(sync.status()));
      }),
    'trades.export': (input) => withData(input.connectionId, (data) => exports.start(data, input)),
    'trades.exportPreview': (input) => withData(input.connectionId, (data) => exports.preview(data, input)),
    'trades.import': (input) =>
      withArchive(session, input.connectionId, ({ archive }) => exports.import(archive)),
    'trades.cancelJob'(input) {
      exports.cancel(input.id);
      return Promise.resolve(done(null));
    },
  };
}

/** Handles the calls for lists of orders: of the exchange, by its own filter, and of the archive, by notes. */
const orderLists = (
  session: OpenSession,
): Pick<Handlers, 'openOrders.query' | 'history.query' | 'history.noted'> => ({
  'openOrders.query': ({ connectionId, symbolId, orderId }) =>
    withOpen(session, connectionId, async ({ client }) => {
      const read = await client.openOrders({
        ...(symbolId === null ? {} : { symbolId }),
        ...(orderId === null ? {} : { orderId }),
      });
      return read.ok ? done(found(read)) : read;
    }),
  'history.query': (input) =>
    withOpen(session, input.connectionId, async ({ client }) => {
      const read = await client.orderHistory({
        ...(input.symbolId === null ? {} : { symbolId: input.symbolId }),
        ...(input.orderId === null ? {} : { orderId: input.orderId }),
        ...(input.startTime === null ? {} : { startTime: input.startTime }),
        ...(input.endTime === null ? {} : { endTime: input.endTime }),
      });
      return read.ok ? done(found(read)) : read;
    }),
  'history.noted': ({ connectionId, symbolId, orderId, startTime, endTime, noted }) =>
    withArchive(session, connectionId, ({ archive }) =>
      archive.newestOrders({
        ...NO_FILTER,
        symbols: symbolId === null ? [] : [symbolId],
        orderId,
        noted,
        from: startTime,
        to: endTime,
      }),
    ),
});

/** Handles the calls that change notes and tags. */
const notes = (session: OpenSession): Pick<Handlers, 'trades.saveNote' | 'trades.tagOrders'> => ({
  'trades.saveNote': ({ connectionId, orderId, ...note }) =>
    withArchive(session, connectionId, ({ archive }) => archive.saveNote(orderId, note)),
  'trades.tagOrders': ({ connectionId, orderIds, tag, on }) =>
    withArchive(session, connectionId, ({ archive }) => archive.tagOrders(orderIds, tag, on)),
});

/** Handles the calls for lists that come whole. */
const shortLists = (
  session: OpenSession,
): Pick<Handlers, 'trades.symbols' | 'trades.notes' | 'trades.tags' | 'trades.unreadable'> => ({
  'trades.symbols': (input) => withArchive(session, input.connectionId, ({ archive }) => archive.symbols()),
  'trades.notes': ({ connectionId, orderIds }) =>
    withArchive(session, connectionId, ({ archive }) => archive.notesOf(orderIds)),
  'trades.tags': (input) => withArchive(session, input.connectionId, ({ archive }) => archive.tags()),
  'trades.unreadable': (input) =>
    withArchive(session, input.connectionId, ({ archive }) => archive.unreadableTrades()),
});

/** What a search by the exchange's own filter found. */
const found = <T>({ data, meta }: { readonly data: readonly T[]; readonly meta: ReadMeta }) => ({
  rows: data,
  truncated: meta.listed >= MAX_RESULTS,
  unreadable: meta.unreadable ?? [],
});
