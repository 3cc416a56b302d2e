/** Messages between the main process and the archive's worker; `handlers.ts` defines the requests among them. */
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import type { ExportStep } from './export/job.ts';
import type { ArchiveExport, RecordExport } from './export/source.ts';
import type { Handlers } from './handlers.ts';
import type { ImportStep } from './import/job.ts';
import type { OpenedDatabase } from './sqlite/database.ts';

/** Passed to the worker when it is spawned. */
export interface WorkerSetup {
  readonly file: string;
  readonly connectionId: string;
  /** The account of the trades; null binds the file to none. */
  readonly account: AccountIdentity | null;
  /** Whether the file is locked for this worker. */
  readonly isLocked: boolean;
  /** Wall clock, ms; part of the name of a file that is moved aside. */
  readonly openedAt: number;
  /** Least time between two progress reports, ms. */
  readonly progressIntervalMs: number;
}

/** What the worker serves: the requests, jobs with progress, and its end. */
export interface Served extends Handlers {
  /** Resolves with the last step, after `progress` messages. */
  readonly exportCsv: (job: string, query: ArchiveExport | RecordExport, path: string) => Promise<ExportStep>;
  /** Resolves with the last step, after `progress` messages. `receivedAt`: wall clock, ms. */
  readonly importCsv: (job: string, path: string, receivedAt: number) => Promise<ImportStep>;
  /** Cancels an export or import. */
  readonly cancelJob: (job: string) => null;
  /** Cancels all jobs and closes the file. */
  readonly close: () => Promise<null>;
}

export type Reply<M extends keyof Served> = Promise<Result<Awaited<ReturnType<Served[M]>>>>;
/** The requests as the main process makes them: none rejects. */
export type Requests = {
  readonly [M in keyof Handlers]: (...input: Parameters<Handlers[M]>) => Reply<M>;
};

export interface OpenedArchive {
  readonly movedAside: OpenedDatabase['movedAside'];
  /** Names of the requests. */
  readonly requests: readonly (keyof Handlers)[];
}

/** `input` matches `method`: only `archive.ts` sends these. */
export interface ToWorker {
  readonly id: number;
  readonly method: keyof Served;
  readonly input: readonly never[];
}

/** `result` matches the method of request `id`, `step` the kind of `job`: only `worker.ts` sends these. */
export type FromWorker =
  | { readonly type: 'ready'; readonly opened: OpenedArchive }
  | { readonly type: 'closed'; readonly failure: Failure }
  | { readonly type: 'reply'; readonly id: number; readonly result: Result<never> }
  | { readonly type: 'progress'; readonly job: string; readonly step: ExportStep | ImportStep };
