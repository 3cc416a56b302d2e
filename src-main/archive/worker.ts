/**
 * The archive's worker thread, which opens its file and serves one request at a time (SQLite is synchronous); exports
 * yield between chunks. Maintenance jobs and WAL checkpoints run in further threads with this entry.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { exportFile, type ExportStep } from './export/job.ts';
import { type Handlers, openStores, requestHandlers, STEPWISE, WRITES } from './handlers.ts';
import { importFile, type ImportStep } from './import/job.ts';
import { Jobs } from './lib/jobs.ts';
import { finishRestore } from './maintenance/restore.ts';
import { runCheckpoints, type CheckpointSetup } from './maintenance/wal-checkpoint.ts';
import { runMaintenance, type MaintenanceSetup } from './maintenance/worker.ts';
import type { FromWorker, Served, ToWorker, WorkerSetup } from './protocol.ts';
import { removeDatabaseSync } from './sqlite/database-files.ts';
import { isEmptied, openDatabase } from './sqlite/database.ts';
import { archiveFailure } from './sqlite/errors.ts';
import { lockFile } from './sqlite/file-lock.ts';

if (parentPort === null) throw new Error('the archive runs in a worker thread');

const isIn = (methods: readonly (keyof Served)[], method: keyof Served): boolean => methods.includes(method);

function serve(
  { file, connectionId, openedAt, account, isLocked, progressIntervalMs }: WorkerSetup,
  port: MessagePort,
): void {
  const post = (message: FromWorker): void => port.postMessage(message);
  const lock = isLocked ? lockFile(file) : null;
  // An archive of exports has only what the exchange lists: an empty one, as mktemp makes it, is new.
  if (isLocked && isEmptied(file)) removeDatabaseSync(file);
  finishRestore(file, { connectionId, account }, openedAt);
  const { db, movedAside } = openDatabase(file, connectionId, openedAt, account);
  const stores = openStores(db, file);
  const jobs = new Jobs<ExportStep | ImportStep>(
    (job, step) => post({ type: 'progress', job, step }),
    progressIntervalMs,
  );
  /** One at a time, and no other write meanwhile. */
  const imports = new SerialQueue();
  /** Writes in steps. */
  const stepwise = new SerialQueue();
  const requests = requestHandlers(stores);
  const served: Served = {
    ...requests,
    exportCsv: (job, query, path) => jobs.run(job, (report) => exportFile(stores, job, query, path, report)),
    importCsv: (job, path, receivedAt) =>
      jobs.run(job, (report) =>
        imports.run(async () => {
          await stepwise.idle();
          return importFile(stores, path, receivedAt, report);
        }),
      ),
    cancelJob(job) {
      jobs.cancel(job);
      return null;
    },
    async close() {
      await jobs.cancelAll();
      db.close();
      lock?.close();
      return null;
    },
  };

  async function reply({ method, input }: ToWorker): Promise<Result<never>> {
    try {
      if (isIn(WRITES, method)) await imports.idle();
      const handle = (): unknown => (served[method] as (...input: readonly never[]) => unknown)(...input);
      return done((await (isIn(STEPWISE, method) ? stepwise.run(handle) : handle())) as never);
    } catch (error) {
      return failed(archiveFailure(error, file));
    }
  }
  port.on('message', (request: ToWorker) => {
    void reply(request).then((result) => {
      post({ type: 'reply', id: request.id, result });
      if (request.method === 'close') port.close();
    });
  });
  post({ type: 'ready', opened: { movedAside, requests: Object.keys(requests) as (keyof Handlers)[] } });
}

function start(setup: WorkerSetup | MaintenanceSetup | CheckpointSetup, port: MessagePort): void {
  if ('job' in setup) {
    void runMaintenance(setup, port).then(() => port.close());
    return;
  }
  if ('checkpoint' in setup) return runCheckpoints(setup, port);
  try {
    serve(setup, port);
  } catch (error) {
    const message: FromWorker = { type: 'closed', failure: archiveFailure(error, setup.file) };
    port.postMessage(message);
    port.close();
  }
}
start(workerData as WorkerSetup | MaintenanceSetup | CheckpointSetup, parentPort);
