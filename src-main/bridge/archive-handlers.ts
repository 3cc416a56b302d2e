/** Handles the calls about stored records: order history, trades and their files. */
import type { ARCHIVE_CALLS } from '../../src-shared/ipc/calls-archive.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { mayBeLimited } from '../../src-shared/exchange-api/endpoints.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import { NO_FILTER } from '../../src-shared/ipc/trades.ts';
import type { ReadResult } from '../exchange/client.ts';
import { failureOnce } from '../exchange/read-outcome.ts';
import type { LiveConnection } from '../session/live-connection.ts';
import type { Session } from '../session/session.ts';
import type { ExportData, Exports } from './exports.ts';
import { archiveHandler, ended, returned, withArchive, withOpen, type OpenSession } from './results.ts';

export function archiveHandlers(
  session: OpenSession & Pick<Session<LiveConnection>, 'summary'>,
  exports: Exports,
): Pick<Handlers, keyof typeof ARCHIVE_CALLS> {
  const withData = <T>(id: string, use: (data: ExportData) => Promise<Result<T>>): Promise<Result<T>> =>
    withArchive(session, id, ({ archive }, { feeds }) => {
      const account = session.summary(id)?.settings.name ?? id;
      return use({ archive, account, read: feeds.get('account') });
    });

  const byArchive = archiveHandler(session);

  return {
    ...orderLists(session),
    'trades.page': byArchive(({ archive }, query) => archive.list(query)),
    'trades.totals': byArchive(({ archive }, { filter }) => archive.totals(filter)),
    'trades.place': byArchive(({ archive }, query) => archive.place(query)),
    'trades.groups': byArchive(({ archive }, query) => archive.groups(query)),
    'trades.building': byArchive(({ archive }) => archive.building()),
    'trades.saveNote': byArchive(({ archive }, { connectionId: _, orderId, ...note }) =>
      archive.saveNote(orderId, note),
    ),
    'trades.tagOrders': byArchive(({ archive }, { orderIds, tag, on }) =>
      archive.tagOrders(orderIds, tag, on),
    ),
    'trades.notes': byArchive(({ archive }, { orderIds }) => archive.notesOf(orderIds)),
    'trades.tags': byArchive(({ archive }) => archive.tags()),
    'trades.symbols': byArchive(({ archive }) => archive.symbols()),
    'trades.unreadable': byArchive(({ archive }) => archive.unreadableTrades()),
    'trades.syncStatus': byArchive(({ sync }) => returned(sync.status())),
    'trades.sync': byArchive(({ sync }, { action }, open) => {
      const started = action === 'start' ? open.startSync() : done(sync.pause());
      return Promise.resolve(started.ok ? done(sync.status()) : started);
    }),
    'trades.export': (input) => exports.start((use) => withData(input.connectionId, use), input),
    'trades.exportPreview': (input) => withData(input.connectionId, (data) => exports.preview(data, input)),
    'trades.import': ({ connectionId }) =>
      exports.import((use) => withArchive(session, connectionId, ({ archive }) => use(archive))),
    'trades.cancelJob': ({ id }) => ended(exports.cancel(id)),
  };
}

/** Handles the calls for lists of orders: of the exchange, by its own filter, and of the archive, by notes. */
const orderLists = (
  session: OpenSession,
): Pick<Handlers, 'openOrders.query' | 'history.query' | 'history.noted'> => ({
  'openOrders.query': ({ connectionId, ...query }) =>
    reading(session, connectionId, async (client) => found(await client.openOrders(given(query)))),
  'history.query': ({ connectionId, ...query }) =>
    reading(session, connectionId, async (client) =>
      found(withoutBorders(await client.orderHistory(given(withBorders(query))), query)),
    ),
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

/** Reads from the exchange. A read that closing ends may fail in several ways: it is made again by the next client. */
const reading = <T>(
  session: OpenSession,
  id: string,
  read: (client: LiveConnection['client']) => Promise<Result<T>>,
): Promise<Result<T>> =>
  withOpen(
    session,
    id,
    ({ client }) => read(client),
    () => true,
  );

interface Span {
  readonly startTime: number | null;
  readonly endTime: number | null;
}
/** 1 ms wider on each side: whether bounds are inclusive is not documented. Never 0, which may be taken for none. */
const withBorders = <Q extends Span>(query: Q): Q => ({
  ...query,
  startTime: query.startTime === null ? null : Math.max(1, query.startTime - 1),
  endTime: query.endTime === null ? null : query.endTime + 1,
});

/** Removes the orders that only the wider search lists. It may go by creation or by last change. */
function withoutBorders(
  read: ReadResult<readonly HistoryOrder[]>,
  { startTime, endTime }: Span,
): typeof read {
  if (!read.ok) return read;
  const [first, last] = [startTime ?? 0, endTime ?? Infinity];
  const isOnlyWider = ({ orderTime, mtime }: HistoryOrder): boolean =>
    [orderTime, mtime].every((time) => time < first || time > last) &&
    [orderTime, mtime].some((time) => time === first - 1 || time === last + 1);
  return { ...read, data: read.data.filter((one) => !isOnlyWider(one)) };
}

/** Returns a query without the parameters that are null. */
const given = <Q extends object>(query: Q): { readonly [K in keyof Q]?: NonNullable<Q[K]> } =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null)) as never;

/** Returns what a search by the exchange's own filter found. */
const found = <T>(read: ReadResult<readonly T[]>) =>
  read.ok
    ? done({
        rows: read.data,
        truncated: mayBeLimited(read.meta.listed),
        unreadable: read.meta.unreadable ?? [],
      })
    : failed(failureOnce(read.failure));
