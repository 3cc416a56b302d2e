/**
 * The archive's worker thread, which opens its file and serves one request at a time (SQLite is synchronous); exports
 * yield between chunks. Maintenance jobs and WAL checkpoints run in further threads with this entry.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { openDatabase } from './sqlite/database.ts';
import { createExportJobs } from './export/job.ts';
import { createImportJobs } from './import/job.ts';
import { archiveFailure } from './sqlite/errors.ts';
import { logMethods } from './trade-log/handlers.ts';
import type { FromWorker, Method, Methods, ToWorker, WorkerSetup } from './protocol.ts';
import { recordMethods } from './reports/handlers.ts';
import { createTradeColumns } from './trade-log/column-cache.ts';
import { createTradeReader } from './trades/query.ts';
import { totalsOf } from './trade-log/totals.ts';
import { createTradeViews } from './trade-log/sorted-views.ts';
import { createTradeWriter } from './trades/writer.ts';
import { runMaintenance, type MaintenanceSetup } from './maintenance/worker.ts';
import { runCheckpoints, type CheckpointSetup } from './maintenance/wal-checkpoint.ts';
import { createStringTable } from './sqlite/string-table.ts';

if (parentPort === null) throw new Error('the archive runs in a worker thread');
const port = parentPort;
const setupData = workerData as WorkerSetup | MaintenanceSetup | CheckpointSetup;
const post = (message: FromWorker): void => port.postMessage(message);

/** Requests served during an import: reads and the import itself. All others wait until it has ended. */
const ALLOWED_DURING_IMPORT: ReadonlySet<Method> = new Set<Method>([
  'state',
  'setAside',
  'page',
  'count',
  'totals',
  'symbols',
  'list',
  'listTotals',
  'groups',
  'building',
  'exportPreview',
  'exportCsv',
  'importCsv',
  'cancelExport',
  'close',
]);

function serve(setup: WorkerSetup): void {
  const { db, movedAside: setAside } = openDatabase(
    setup.file,
    setup.connectionId,
    setup.openedAt,
    setup.account,
  );
  const strings = createStringTable(db);
  const writer = createTradeWriter(db, strings);
  const reader = createTradeReader(db, strings, writer);
  const columns = createTradeColumns(db);
  const views = createTradeViews({ db, strings, columns, stored: () => writer.stored() });
  const jobs = createExportJobs({
    db,
    strings,
    writer,
    reader,
    views,
    archive: setup.file,
    progress: (job, step) => post({ type: 'progress', job, step }),
    progressIntervalMs: setup.progressIntervalMs,
  });

  const imports = createImportJobs({
    archive: setup.file,
    writer,
    progress: (job, step) => post({ type: 'imported', job, step }),
    progressIntervalMs: setup.progressIntervalMs,
  });

  const methods: Methods = {
    ...recordMethods(db, strings, setup.file, reader.days),
    ...logMethods(db, strings, writer, reader, views),
    insertTrades: ({ rows, checkpoint, receivedAt, movedAside: unread }) =>
      writer.insert(rows, checkpoint, receivedAt, unread),
    beginPass({ checkpoint }) {
      writer.beginPass(checkpoint);
      return null;
    },
    endPass({ checkpoint, from, to }) {
      writer.endPass(checkpoint, from, to);
      return null;
    },
    setAside: () => writer.setAside(),
    state: () => writer.state(),
    page: ({ filter, offset, limit }) => reader.page(filter, offset, limit),
    count: (filter) => reader.count(filter),
    totals: (filter) => totalsOf(db, strings, filter, reader.days),
    symbols: () => reader.symbols(),
    exportPreview: (query) => jobs.preview(query),
    exportCsv: ({ job, query, path }) => jobs.run(job, query, path),
    importCsv: ({ job, path, receivedAt }) => imports.run(job, path, receivedAt),
    cancelExport({ job }) {
      jobs.cancel(job);
      imports.cancel(job);
      return null;
    },
    async close() {
      await Promise.all([jobs.cancelAll(), imports.cancelAll()]);
      db.close();
      return null;
    },
  };

  async function answer({ method, input }: ToWorker): Promise<Result<never>> {
    try {
      if (!ALLOWED_DURING_IMPORT.has(method)) await imports.whenIdle();
      return done((await methods[method](input)) as never);
    } catch (error) {
      return failed(archiveFailure(error, setup.file));
    }
  }
  port.on('message', (request: ToWorker) => {
    void answer(request).then((result) => {
      post({ type: 'answer', id: request.id, result });
      if (request.method === 'close') port.close();
    });
  });
  post({ type: 'ready', setAside });
}

if ('job' in setupData) {
  void runMaintenance(setupData, (message) => port.postMessage(message)).then(() => port.close());
} else if ('checkpoint' in setupData) {
  runCheckpoints(setupData, port);
} else {
  try {
    serve(setupData);
  } catch (error) {
    post({ type: 'closed', failure: archiveFailure(error, setupData.file) });
    port.close();
  }
}
