/**
 * The archive's worker thread: the only place that opens its file. Answers one request at a time (SQLite is
 * synchronous); exports give way between chunks.
 * A check, a backup and a checkpoint get a thread of their own, started from here too.
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
import { runUpkeep, type UpkeepSetup } from './maintenance/worker.ts';
import { runCheckpoints, type CheckpointSetup } from './maintenance/wal-checkpoint.ts';
import { createStringTable } from './sqlite/string-table.ts';

if (parentPort === null) throw new Error('the archive runs in a worker thread');
const port = parentPort;
const given = workerData as WorkerSetup | UpkeepSetup | CheckpointSetup;
const say = (message: FromWorker): void => port.postMessage(message);

/** What only reads, or is the import itself; everything else waits until an import has let go of the file. */
const BESIDE_AN_IMPORT: ReadonlySet<Method> = new Set<Method>([
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
  const { db, setAside } = openDatabase(setup.file, setup.connectionId, setup.openedAt, setup.account);
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
    progress: (job, step) => say({ type: 'progress', job, step }),
    tellMs: setup.tellMs,
  });

  const imports = createImportJobs({
    archive: setup.file,
    writer,
    progress: (job, step) => say({ type: 'imported', job, step }),
    tellMs: setup.tellMs,
  });

  const methods: Methods = {
    ...recordMethods(db, strings, setup.file, reader.days),
    ...logMethods(db, strings, writer, reader, views),
    insertTrades: ({ rows, checkpoint, receivedAt, setAside: unread }) =>
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
      if (!BESIDE_AN_IMPORT.has(method)) await imports.settled();
      return done((await methods[method](input)) as never);
    } catch (error) {
      return failed(archiveFailure(error, setup.file));
    }
  }
  port.on('message', (request: ToWorker) => {
    void answer(request).then((result) => {
      say({ type: 'answer', id: request.id, result });
      if (request.method === 'close') port.close();
    });
  });
  say({ type: 'ready', setAside });
}

if ('upkeep' in given) {
  void runUpkeep(given, (message) => port.postMessage(message)).then(() => port.close());
} else if ('checkpoint' in given) {
  runCheckpoints(given, port);
} else {
  try {
    serve(given);
  } catch (error) {
    say({ type: 'closed', failure: archiveFailure(error, given.file) });
    port.close();
  }
}
