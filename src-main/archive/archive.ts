/**
 * The archive of one connection, for the main process. Only a worker thread opens its SQLite file, so that no query
 * delays an order. Every call resolves with a Result; none rejects.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { workerEntry } from '../worker-entry.ts';
import { EXPORT_BEGINS, IMPORT_BEGINS } from '../../src-shared/ipc/exports.ts';
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import type { Clock } from '../../src-shared/time.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { ExportStep } from './export/job.ts';
import type { ArchiveExport, RecordExport } from './export/source.ts';
import type { ImportStep } from './import/job.ts';
import { PROGRESS_INTERVAL_MS } from './lib/throttle.ts';
import { ArchiveMaintenance } from './maintenance/jobs.ts';
import { WalCheckpoints } from './maintenance/wal-checkpoint.ts';
import type { Requests, WorkerSetup } from './protocol.ts';
import { WorkerClient, type RunningJob } from './worker-client.ts';

/** Requests whose first argument, the present time, is added here. */
type StampedName = 'insertTrades' | 'insertOrders' | 'saveNote' | 'tagOrders';
type Stamped<M extends StampedName> = (
  ...input: Parameters<Requests[M]> extends [number, ...infer Rest] ? Rest : never
) => ReturnType<Requests[M]>;

export interface Archive extends Omit<Requests, StampedName> {
  /** For display if a damaged file, or another account's, was renamed on opening. */
  readonly movedAside: string | null;
  /** Check, backup and restore. */
  readonly maintenance: ArchiveMaintenance;
  readonly insertTrades: Stamped<'insertTrades'>;
  readonly insertOrders: Stamped<'insertOrders'>;
  readonly saveNote: Stamped<'saveNote'>;
  readonly tagOrders: Stamped<'tagOrders'>;
  /** Writes a CSV, oldest row first. `onProgress` is called some times a second with state `running`. */
  exportCsv(
    query: ArchiveExport | RecordExport,
    path: string,
    onProgress: (step: ExportStep) => void,
  ): RunningJob<ExportStep>;
  /** Imports a file of trades with all fields, all of it or nothing. Imported rows verify nothing. */
  importCsv(path: string, onProgress: (step: ImportStep) => void): RunningJob<ImportStep>;
  /** Cancels all jobs, closes the file and ends the worker. Later calls return a failure. */
  close(): Promise<void>;
}

export interface ArchiveOptions {
  /** Absolute path of the connection's file; created, with its folder, if missing. */
  readonly file: string;
  readonly connectionId: string;
  /** The account of the trades; another account's file is moved aside. Without one the file is bound to none. */
  readonly account?: AccountIdentity | null;
  /** Locks the file; fails if another process has locked it; the app's own are guarded by its single instance. */
  readonly isLocked?: boolean;
  readonly clock: Clock;
  /** Least time between two progress reports, ms; for tests. */
  readonly progressIntervalMs?: number;
  /** For tests and other runtimes; by default a worker thread. */
  readonly spawn?: (entry: URL, options: WorkerOptions) => Worker;
}

const entry = workerEntry('archive-worker');

/** Opens the archive. Fails and leaves the file unchanged if it is unreadable, a newer version's or another connection's. */
export async function openArchive(options: ArchiveOptions): Promise<Result<Archive>> {
  const { file, connectionId, account = null, isLocked = false, clock } = options;
  const { progressIntervalMs = PROGRESS_INTERVAL_MS } = options;
  const spawn = (workerData: unknown, name: string): Worker => {
    const workerOptions = { workerData, name: `archive ${name}` };
    return options.spawn?.(entry, workerOptions) ?? new Worker(entry, workerOptions);
  };
  const setup: WorkerSetup = {
    file,
    connectionId,
    account,
    isLocked,
    progressIntervalMs,
    openedAt: clock.now(),
  };
  const client = new WorkerClient(spawn(setup, connectionId));
  const opened = await client.opened;
  if (!opened.ok) return opened;

  const maintenance = new ArchiveMaintenance(file, connectionId, (work) => spawn(work, work.job.work));
  const checkpoints = new WalCheckpoints(() => spawn({ checkpoint: file }, 'checkpoint'));
  let closing: Promise<void> | null = null;
  return done({
    ...client.methods(opened.data.requests),
    movedAside: opened.data.movedAside,
    maintenance,
    async insertTrades(...input) {
      const result = await client.request('insertTrades', clock.now(), ...input);
      if (result.ok) checkpoints.stored(result.data.added);
      return result;
    },
    insertOrders: (...input) => client.request('insertOrders', clock.now(), ...input),
    saveNote: (...input) => client.request('saveNote', clock.now(), ...input),
    tagOrders: (...input) => client.request('tagOrders', clock.now(), ...input),
    exportCsv: (query, path, onProgress) =>
      client.job(
        (job) => client.request('exportCsv', job, query, path),
        (failure) => ({ ...EXPORT_BEGINS, state: 'failed', path, failure }),
        onProgress,
      ),
    importCsv: (path, onProgress) =>
      client.job(
        (job) => client.request('importCsv', job, path, clock.now()),
        (failure) => ({ ...IMPORT_BEGINS, state: 'failed', path, failure }),
        onProgress,
      ),
    close() {
      closing ??= Promise.all([client.request('close'), maintenance.cancel(), checkpoints.close()]).then(() =>
        client.end(),
      );
      return closing;
    },
  });
}
