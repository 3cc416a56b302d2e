/**
 * The archive of one connection, for the main process. Only a worker thread opens its SQLite file, so that no query
 * delays an order. Every call resolves with a Result; none rejects.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { workerEntry } from '../worker-entry.ts';
import type { ExportPreview } from '../../src-shared/ipc/exports.ts';
import { failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { TradeFilter, TradeTotals, TradeWindow } from '../../src-shared/ipc/trades.ts';
import type { UnreadRecord } from '../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import type { MovedAside } from './sqlite/database.ts';
import type { ArchiveExport, RecordExport } from './export/source.ts';
import type { Answer, ExportStep, FromWorker, ImportStep, Input, Method, WorkerSetup } from './protocol.ts';
import { logArchive, type LogArchive } from './trade-log/protocol.ts';
import { recordArchive, type RecordArchive } from './reports/protocol.ts';
import { PROGRESS_INTERVAL_MS } from './lib/throttle.ts';
import { createMaintenance, type ArchiveMaintenance } from './maintenance/jobs.ts';
import type { ArchiveState, InsertSummary } from './trades/writer.ts';
import { createWalCheckpoints } from './maintenance/wal-checkpoint.ts';

export type { ExportStep, ImportStep } from './protocol.ts';

export interface RunningExport {
  /** The last step: done, cancelled or failed. Never rejects. */
  readonly done: Promise<ExportStep>;
  /** Cancels and removes the unfinished file; an existing file at the path stays. No effect once done. */
  cancel(): void;
}
export interface RunningImport {
  /** The last step: done, cancelled or failed. Never rejects. */
  readonly done: Promise<ImportStep>;
  /** Cancels and leaves the archive unchanged. No effect once done. */
  cancel(): void;
}

export interface Archive extends RecordArchive, LogArchive, ArchiveMaintenance {
  /** The damaged file, or another account's, that was renamed on opening; for display. */
  readonly movedAside: MovedAside | null;
  /**
   * Stores each trade once by (symbol, tradeId); on disk when it resolves. The checkpoint is stored in the same
   * transaction and counts the rows as seen by the current pass; null means rows of no pass.
   */
  insertTrades(
    rows: readonly Trade[],
    checkpoint: string | null,
    movedAside?: readonly UnreadRecord[],
  ): Promise<Result<InsertSummary>>;
  /** Begins a backfill pass with nothing seen. */
  beginPass(checkpoint: string): Promise<Result<null>>;
  /** Ends a complete pass over `from` … `to` and deletes unreadable records of that range that it did not see. */
  endPass(checkpoint: string, from: number | null, to: number | null): Promise<Result<null>>;
  /** Returns trades without a readable identity, as received, 500 at most. */
  tradesSetAside(): Promise<Result<readonly UnreadRecord[]>>;
  state(): Promise<Result<ArchiveState>>;
  /** Returns rows `offset` … `offset + limit` of the filter, newest first. */
  page(filter: TradeFilter, offset: number, limit: number): Promise<Result<TradeWindow>>;
  count(filter: TradeFilter): Promise<Result<number>>;
  totals(filter: TradeFilter): Promise<Result<TradeTotals>>;
  symbols(): Promise<Result<readonly string[]>>;
  exportPreview(query: ArchiveExport | RecordExport): Promise<Result<ExportPreview>>;
  /** Writes a CSV, oldest row first. `onProgress` is called some times a second with state `running`. */
  exportCsv(
    query: ArchiveExport | RecordExport,
    path: string,
    onProgress: (step: ExportStep) => void,
  ): RunningExport;
  /** Imports a file of trades with all fields, all of it or nothing. Imported rows verify nothing. */
  importCsv(path: string, onProgress: (step: ImportStep) => void): RunningImport;
  /** Cancels all jobs, closes the file and ends the worker. Later calls return a failure. */
  close(): Promise<void>;
}

export interface ArchiveOptions {
  /** Absolute path of the connection's file; created, with its folder, if missing. */
  readonly file: string;
  readonly connectionId: string;
  /** The account of the trades; another account's file is moved aside. Without one the file is bound to none. */
  readonly account?: AccountIdentity | null;
  readonly clock: { now(): number };
  /** Least time between two progress reports, ms; for tests. */
  readonly progressIntervalMs?: number;
  /** For tests and other runtimes; by default a worker thread. */
  readonly spawn?: (entry: URL, options: WorkerOptions) => Worker;
}

const entry = workerEntry('archive-worker');

const CLOSED: Failure = {
  kind: 'file',
  message: 'The trade archive is closed.',
  next: 'Start Ballast again.',
};

/** Opens the archive. Fails and leaves the file unchanged if it is unreadable, a newer version's or another connection's. */
export async function openArchive(options: ArchiveOptions): Promise<Result<Archive>> {
  const {
    file,
    connectionId,
    account = null,
    clock,
    progressIntervalMs: progressIntervalMs = PROGRESS_INTERVAL_MS,
  } = options;
  const spawn = options.spawn ?? ((url, workerOptions) => new Worker(url, workerOptions));
  const setup: WorkerSetup = { file, connectionId, account, openedAt: clock.now(), progressIntervalMs };
  const worker = spawn(entry, { workerData: setup, name: `archive ${connectionId}` });

  const maintenance = createMaintenance(file, connectionId, (work) =>
    spawn(entry, { workerData: work, name: `archive ${work.job.work}` }),
  );

  const checkpoints = createWalCheckpoints(() =>
    spawn(entry, { workerData: { checkpoint: file }, name: 'archive checkpoint' }),
  );

  const pending = new Map<number, (result: Result<never>) => void>();
  const exports = new Map<string, (step: ExportStep) => void>();
  const imports = new Map<string, (step: ImportStep) => void>();
  let lastId = 0;
  let end: Failure | null = null;
  let closing: Promise<void> | null = null;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  function finish(failure: Failure): void {
    end ??= failure;
    for (const answer of pending.values()) answer(failed(end));
    pending.clear();
  }

  function request<M extends Method>(method: M, input: Input<M>): Promise<Result<Answer<M>>> {
    if (end !== null) return Promise.resolve(failed(end));
    const id = ++lastId;
    return new Promise((resolve) => {
      pending.set(id, resolve);
      worker.postMessage({ id, method, input });
    });
  }

  const archive = (movedAside: MovedAside | null): Archive => ({
    ...recordArchive(request, clock),
    ...logArchive(request),
    ...maintenance,
    movedAside,
    async insertTrades(rows, checkpoint, unread = []) {
      const receivedAt = clock.now();
      const result = await request('insertTrades', { rows, checkpoint, receivedAt, movedAside: unread });
      if (result.ok) checkpoints.stored(result.data.added);
      return result;
    },
    beginPass: (checkpoint) => request('beginPass', { checkpoint }),
    endPass: (checkpoint, from, to) => request('endPass', { checkpoint, from, to }),
    tradesSetAside: () => request('setAside', null),
    state: () => request('state', null),
    page: (filter, offset, limit) => request('page', { filter, offset, limit }),
    count: (filter) => request('count', filter),
    totals: (filter) => request('totals', filter),
    symbols: () => request('symbols', null),
    exportPreview: (query) => request('exportPreview', query),
    exportCsv(query, path, onProgress) {
      const job = `${process.pid.toString(36)}-${(++lastId).toString(36)}`;
      exports.set(job, onProgress);
      const ended = request('exportCsv', { job, query, path }).then((result): ExportStep => {
        exports.delete(job);
        if (result.ok) return result.data;
        const nothing = { rows: 0, total: 0, bytes: 0, reconciliation: null, readAt: null };
        return { ...nothing, state: 'failed', path, failure: result.failure };
      });
      return { done: ended, cancel: () => void request('cancelExport', { job }) };
    },
    importCsv(path, onProgress) {
      const job = `import-${(++lastId).toString(36)}`;
      imports.set(job, onProgress);
      const ended = request('importCsv', { job, path, receivedAt: clock.now() }).then(
        (result): ImportStep => {
          imports.delete(job);
          if (result.ok) return result.data;
          const nothing = { rows: 0, share: 0, added: 0, known: 0, quarantined: 0 };
          return { ...nothing, state: 'failed', path, failure: result.failure };
        },
      );
      return { done: ended, cancel: () => void request('cancelExport', { job }) };
    },
    close() {
      closing ??= Promise.all([request('close', null), maintenance.cancelWork(), checkpoints.close()]).then(
        async () => {
          finish(CLOSED);
          await exited;
        },
      );
      return closing;
    },
  });

  return new Promise((resolve) => {
    worker.on('message', (message: FromWorker) => {
      switch (message.type) {
        case 'ready':
          resolve({ ok: true, data: archive(message.setAside) });
          break;
        case 'closed':
          finish(message.failure);
          resolve(failed(message.failure));
          break;
        case 'progress':
          exports.get(message.job)?.(message.step);
          break;
        case 'imported':
          imports.get(message.job)?.(message.step);
          break;
        case 'answer':
          pending.get(message.id)?.(message.result);
          pending.delete(message.id);
          break;
      }
    });
    worker.once('error', (error: Error) => {
      const failure: Failure = {
        kind: 'bug',
        message: `The trade archive stopped: ${error.message.slice(0, 200)}`,
        next: 'Start Ballast again. What was stored is on disk.',
      };
      finish(failure);
      resolve(failed(failure));
    });
    worker.once('exit', () => {
      finish(CLOSED);
      resolve(failed(end ?? CLOSED));
    });
  });
}
