/** Runs exports and imports. Paths come from a dialog, never from the window, which shows a finished file by its id. */
import { basename } from 'node:path';
import {
  EXPORT_BEGINS,
  type ExportPreview,
  type ExportProgress,
  type ExportQuery,
  type ExportTable,
  IMPORT_BEGINS,
  type ImportProgress,
} from '../../src-shared/ipc/exports.ts';
import type { TradeFilter } from '../../src-shared/ipc/trades.ts';
import { blocked, blockedFailure, done, type Result } from '../../src-shared/ipc/failures.ts';
import type { Feed, FeedValues } from '../../src-shared/ipc/feeds.ts';
import { type Clock, utcSecond } from '../../src-shared/time.ts';
import { dayBefore } from '../../src-shared/domain/display/zoned-time.ts';
import type { Archive } from '../archive/archive.ts';
import type { RunningJob } from '../archive/worker-client.ts';
import type { ArchiveExport, RecordExport } from '../archive/export/source.ts';

export interface ExportPorts {
  /** Asks where to save; null if the user cancelled. */
  readonly savePath: (suggested: string) => Promise<string | null>;
  /** Asks for a file to read; null if the user cancelled. */
  readonly openPath: () => Promise<string | null>;
  readonly showFile: (path: string) => void;
  readonly changed: (progress: ExportProgress) => void;
  readonly imported: (progress: ImportProgress) => void;
  readonly notice: (message: string, next: string, stays: boolean) => void;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The data of a connection that can be exported. */
export interface ExportData {
  readonly archive: Archive;
  /** The connection's name. */
  readonly account: string;
  /** The last good account reply, with its age. */
  readonly read: Feed<FeedValues['account']>;
}

/**
 * Runs work on the open connection. Called again after each dialog, during which another may have been opened, or the same
 * one anew.
 */
type WithOpen<D> = <T>(use: (data: D) => Promise<Result<T>>) => Promise<Result<T>>;

/** The last step of an export or import. */
type End = Pick<ExportProgress | ImportProgress, 'state' | 'failure'>;

/** Why one ended that nobody cancelled: its archive was closed, and opened anew if its connection was. */
const CONNECTION_CLOSED = blockedFailure(
  'Its connection was closed meanwhile, or opened again.',
  'Start it again once the connection is open. An existing file, and the archive, are unchanged.',
);

export class Exports {
  readonly #ports: ExportPorts;
  /** Cancels each. */
  readonly #running = new Map<string, () => void>();
  /** Paths of finished exports. */
  readonly #finished = new Map<string, string>();

  constructor(ports: ExportPorts) {
    this.#ports = ports;
  }

  async start(withData: WithOpen<ExportData>, query: ExportQuery): Promise<Result<ExportProgress | null>> {
    const { savePath, clock, newId, changed } = this.#ports;
    const wanted = await withData((data) => Promise.resolve(contentOf(data, query)));
    if (!wanted.ok) return wanted;
    const path = await savePath(fileName(query, wanted.data, clock.now()));
    if (path === null) return done(null);
    return withData(({ archive }) => {
      const id = newId();
      const job = archive.exportCsv(wanted.data, path, (progress) => changed({ ...progress, id, path }));
      this.#follow(id, job, `The export to ${basename(path)}`, (end) => {
        if (end.state === 'done') this.#finished.set(id, path);
        changed({ ...end, id, path });
      });
      return Promise.resolve(done({ ...EXPORT_BEGINS, id, path }));
    });
  }

  async preview(data: ExportData, query: ExportQuery): Promise<Result<ExportPreview>> {
    const wanted = contentOf(data, query);
    return wanted.ok ? data.archive.exportPreview(wanted.data) : wanted;
  }

  async import(withArchive: WithOpen<Archive>): Promise<Result<ImportProgress | null>> {
    const { openPath, newId, imported } = this.#ports;
    const usable = await withArchive(() => Promise.resolve(done(null)));
    if (!usable.ok) return usable;
    const path = await openPath();
    if (path === null) return done(null);
    return withArchive((archive) => {
      const id = newId();
      const job = archive.importCsv(path, (progress) => imported({ ...progress, id, path }));
      this.#follow(id, job, `The import of ${basename(path)}`, (end) => imported({ ...end, id, path }));
      return Promise.resolve(done({ ...IMPORT_BEGINS, id, path }));
    });
  }

  /** Returns the number of running exports and imports. */
  running(): number {
    return this.#running.size;
  }

  /** Cancels an export or import. */
  cancel(id: string): void {
    this.#running.get(id)?.();
  }

  show(id: string): Result<null> {
    const path = this.#finished.get(id);
    if (path === undefined)
      return blocked('This export is not finished.', 'Wait until it is finished.', 'id');
    this.#ports.showFile(path);
    return done(null);
  }

  #follow<S extends End>(id: string, job: RunningJob<S>, what: string, ended: (step: S) => void): void {
    let isCancelled = false;
    this.#running.set(id, () => {
      isCancelled = true;
      job.cancel();
    });
    void job.done.then((step) => {
      this.#running.delete(id);
      if (step.state !== 'cancelled' || isCancelled) {
        ended(step);
        return;
      }
      ended({ ...step, state: 'failed', failure: CONNECTION_CLOSED });
      // The window forgets what it shows of a connection that it leaves.
      const { message, next } = CONNECTION_CLOSED;
      this.#ports.notice(`${what} was stopped. ${message}`, next, true);
    });
  }
}

/** Returns archive rows, or the records of the last good reply. */
function contentOf(
  { account, read }: ExportData,
  { table, ...query }: ExportQuery,
): Result<ArchiveExport | RecordExport> {
  if (table === 'trades' || table === 'orders') return done({ ...query, table, account });
  if (read.value === null || read.receivedAt === null)
    return blocked(
      `The ${table} have not been read from the exchange yet.`,
      'Wait until the account is shown, then export again.',
      'table',
    );
  const records = table === 'positions' ? read.value.positions : read.value.assets;
  return done({ ...query, table, records, readAt: read.receivedAt });
}

const TABLE_NAMES: Readonly<Record<ExportTable, string>> = {
  trades: 'trades',
  orders: 'order-history',
  positions: 'positions',
  balances: 'balances',
};

/** Names what a filter leaves: one symbol, the days of a period, or both; `all` only without a filter. */
function scopeOf(filter: TradeFilter, dayOf: (ms: number) => string): string {
  const { symbols, from, to, ...others } = filter;
  const [symbol] = symbols;
  const named = [
    ...(symbol !== undefined && symbols.length === 1
      ? [symbol.toLowerCase().replace(/[^a-z0-9-]/g, '')]
      : []),
    ...(from === null ? [] : [`from-${dayOf(from)}`]),
    ...(to === null ? [] : [`to-${dayOf(to)}`]),
  ];
  if (named.length > 0) return named.join('-');
  const isFiltered =
    symbols.length > 1 ||
    Object.values(others).some((one) => (Array.isArray(one) ? one.length > 0 : one !== null));
  return isFiltered ? 'filtered' : 'all';
}

/**
 * Returns the suggested name: with the time of the data for positions and balances, else with today's date. Its days are
 * those of the file's time zone.
 */
function fileName(query: ExportQuery, content: ArchiveExport | RecordExport, now: number): string {
  const { table, preset, connectionId, filter, timeZone } = query;
  const head = `${TABLE_NAMES[table]}-${connectionId}`;
  if ('readAt' in content)
    return `${head}-read-${utcSecond(content.readAt).replace(' ', 'T').replaceAll(':', '.')}Z.csv`;
  const layout = table === 'trades' && preset !== 'full' && preset !== 'custom' ? `-${preset}` : '';
  const dayOf = (ms: number): string => dayBefore(ms, timeZone, 0);
  return `${head}${layout}-${scopeOf(filter, dayOf)}-${dayOf(now)}.csv`;
}
