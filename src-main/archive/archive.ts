/**
 * The archive of one connection, as the main process uses it. Its SQLite file is opened by a worker thread only, so
 * that no query ever holds up an order. Every answer is a Result; nothing here rejects.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { workerEntry } from '../worker-entry.ts';
import { failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';
import type { TradeFilter, TradeTotals, TradeWindow } from '../../src-shared/ipc/trades.ts';
import type { UnreadRecord } from '../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import type { SetAside } from './sqlite/database.ts';
import type { ArchiveExport, RecordExport } from './export/source.ts';
import type { Answer, ExportStep, FromWorker, ImportStep, Input, Method, WorkerSetup } from './protocol.ts';
import { logArchive, type LogArchive } from './trade-log/protocol.ts';
import { recordArchive, type RecordArchive } from './reports/protocol.ts';
import { TELL_MS } from './lib/throttle.ts';
import { createUpkeep, type ArchiveUpkeep } from './maintenance/jobs.ts';
import type { ArchiveState, InsertSummary } from './trades/writer.ts';
import { createWalCheckpoints } from './maintenance/wal-checkpoint.ts';

export type { ExportStep, ImportStep } from './protocol.ts';

export interface RunningExport {
  /** The last step: done, cancelled or failed. Never rejects. */
  readonly done: Promise<ExportStep>;
  /** Removes the unfinished file; what stood at the path stays. No effect once done. */
  cancel(): void;
}
export interface RunningImport {
  /** The last step: done, cancelled or failed. Never rejects. */
  readonly done: Promise<ImportStep>;
  /** Leaves the archive as it was. No effect once done. */
  cancel(): void;
}

export interface Archive extends RecordArchive, LogArchive, ArchiveUpkeep {
  /** A damaged file found on opening, or another account's, kept under another name; to be shown. */
  readonly setAside: SetAside | null;
  /**
   * Stores each trade once by (symbol, tradeId); on disk when it resolves. The checkpoint (the sync's own text) goes
   * with the rows in one transaction and counts them as seen by its walk; null: rows of no walk.
   */
  insertTrades(
    rows: readonly Trade[],
    checkpoint: string | null,
    setAside?: readonly UnreadRecord[],
  ): Promise<Result<InsertSummary>>;
  /** Begins a walk of the sync: nothing is seen yet. */
  beginPass(checkpoint: string): Promise<Result<null>>;
  /** The walk over `from` … `to` is complete: what was set aside there and not met again is forgotten. */
  endPass(checkpoint: string, from: number | null, to: number | null): Promise<Result<null>>;
  /** Trades that could not be told from others, as received, 500 at the most. */
  tradesSetAside(): Promise<Result<readonly UnreadRecord[]>>;
  state(): Promise<Result<ArchiveState>>;
  /** Rows `offset` … `offset + limit` of the filter, newest first. */
  page(filter: TradeFilter, offset: number, limit: number): Promise<Result<TradeWindow>>;
  count(filter: TradeFilter): Promise<Result<number>>;
  totals(filter: TradeFilter): Promise<Result<TradeTotals>>;
  symbols(): Promise<Result<readonly string[]>>;
  exportPreview(query: ArchiveExport | RecordExport): Promise<Result<string>>;
  /** Oldest first. `onProgress` is called some times a second with state `running`. */
  exportCsv(
    query: ArchiveExport | RecordExport,
    path: string,
    onProgress: (step: ExportStep) => void,
  ): RunningExport;
  /** A file of trades with all their fields, all of it or nothing. It makes no coverage complete. */
  importCsv(path: string, onProgress: (step: ImportStep) => void): RunningImport;
  /** Cancels exports, a check or a backup, closes the file, ends the worker. Later calls answer with a failure. */
  close(): Promise<void>;
}

export interface ArchiveOptions {
  /** Absolute path of the connection's file; made, with its folder, when missing. */
  readonly file: string;
  readonly connectionId: string;
  /** Whose trades it holds: a file of another account is set aside. Without one it is bound to nobody. */
  readonly account?: AccountIdentity | null;
  readonly clock: { now(): number };
  /** For tests that follow every step of a file: how often progress is told at most, ms. */
  readonly tellMs?: number;
  /** For tests and other runtimes; by default a worker thread. */
  readonly spawn?: (entry: URL, options: WorkerOptions) => Worker;
}

const entry = workerEntry('archive-worker');

const CLOSED: Failure = {
  kind: 'file',
  message: 'The trade archive is closed.',
  next: 'Start Ballast again.',
};

/** Fails, and leaves the file alone, when it cannot be opened, is a newer version's, or another connection's. */
export async function openArchive(options: ArchiveOptions): Promise<Result<Archive>> {
  const { file, connectionId, account = null, clock, tellMs = TELL_MS } = options;
  const spawn = options.spawn ?? ((url, workerOptions) => new Worker(url, workerOptions));
  const setup: WorkerSetup = { file, connectionId, account, openedAt: clock.now(), tellMs };
  const worker = spawn(entry, { workerData: setup, name: `archive ${connectionId}` });

  const upkeep = createUpkeep(file, connectionId, (work) =>
    spawn(entry, { workerData: work, name: `archive ${work.upkeep.work}` }),
  );

  const checkpoints = createWalCheckpoints(() =>
    spawn(entry, { workerData: { checkpoint: file }, name: 'archive checkpoint' }),
  );

  const waiting = new Map<number, (result: Result<never>) => void>();
  const exports = new Map<string, (step: ExportStep) => void>();
  const imports = new Map<string, (step: ImportStep) => void>();
  let asked = 0;
  let end: Failure | null = null;
  let closing: Promise<void> | null = null;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  function finish(failure: Failure): void {
    end ??= failure;
    for (const answer of waiting.values()) answer(failed(end));
    waiting.clear();
  }

  function ask<M extends Method>(method: M, input: Input<M>): Promise<Result<Answer<M>>> {
    if (end !== null) return Promise.resolve(failed(end));
    const id = ++asked;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      worker.postMessage({ id, method, input });
    });
  }

  const archive = (setAside: SetAside | null): Archive => ({
    ...recordArchive(ask, clock),
    ...logArchive(ask),
    ...upkeep,
    setAside,
    async insertTrades(rows, checkpoint, unread = []) {
      const receivedAt = clock.now();
      const result = await ask('insertTrades', { rows, checkpoint, receivedAt, setAside: unread });
      if (result.ok) checkpoints.stored(result.data.added);
      return result;
    },
    beginPass: (checkpoint) => ask('beginPass', { checkpoint }),
    endPass: (checkpoint, from, to) => ask('endPass', { checkpoint, from, to }),
    tradesSetAside: () => ask('setAside', null),
    state: () => ask('state', null),
    page: (filter, offset, limit) => ask('page', { filter, offset, limit }),
    count: (filter) => ask('count', filter),
    totals: (filter) => ask('totals', filter),
    symbols: () => ask('symbols', null),
    exportPreview: (query) => ask('exportPreview', query),
    exportCsv(query, path, onProgress) {
      const job = `${process.pid.toString(36)}-${(++asked).toString(36)}`;
      exports.set(job, onProgress);
      const ended = ask('exportCsv', { job, query, path }).then((result): ExportStep => {
        exports.delete(job);
        if (result.ok) return result.data;
        const nothing = { rows: 0, total: 0, bytes: 0, reconciliation: null, readAt: null };
        return { ...nothing, state: 'failed', path, failure: result.failure };
      });
      return { done: ended, cancel: () => void ask('cancelExport', { job }) };
    },
    importCsv(path, onProgress) {
      const job = `import-${(++asked).toString(36)}`;
      imports.set(job, onProgress);
      const ended = ask('importCsv', { job, path, receivedAt: clock.now() }).then((result): ImportStep => {
        imports.delete(job);
        if (result.ok) return result.data;
        const nothing = { rows: 0, share: 0, added: 0, known: 0, quarantined: 0 };
        return { ...nothing, state: 'failed', path, failure: result.failure };
      });
      return { done: ended, cancel: () => void ask('cancelExport', { job }) };
    },
    close() {
      closing ??= Promise.all([ask('close', null), upkeep.cancelWork(), checkpoints.close()]).then(
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
          waiting.get(message.id)?.(message.result);
          waiting.delete(message.id);
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
