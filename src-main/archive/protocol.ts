/** Messages between the main process and the archive's worker. */
import type { ExportPreview, ExportProgress, ImportProgress } from '../../src-shared/ipc/exports.ts';
import type { UnreadRecord } from '../../src-shared/ipc/archive.ts';
import type { AccountIdentity } from '../../src-shared/domain/reconcile/account-identity.ts';
import type { Failure, Result } from '../../src-shared/ipc/failures.ts';
import type { TradeFilter, TradeTotals, TradeWindow } from '../../src-shared/ipc/trades.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import type { MovedAside } from './sqlite/database.ts';
import type { LogRequests } from './trade-log/protocol.ts';
import type { RecordRequests } from './reports/protocol.ts';
import type { ArchiveExport, RecordExport } from './export/source.ts';
import type { ArchiveState, InsertSummary } from './trades/writer.ts';

/** Passed to the worker when it is spawned. */
export interface WorkerSetup {
  readonly file: string;
  readonly connectionId: string;
  /** The account of the trades; null binds the file to none. */
  readonly account: AccountIdentity | null;
  /** Wall clock, ms; part of the name of a file that is moved aside. */
  readonly openedAt: number;
  /** Least time between two progress reports, ms. */
  readonly progressIntervalMs: number;
}

/** Progress of an export; the caller adds its id. */
export type ExportStep = Omit<ExportProgress, 'id'>;
export type ImportStep = Omit<ImportProgress, 'id'>;

interface Request<I, A> {
  readonly input: I;
  readonly answer: A;
}
export interface Requests extends RecordRequests, LogRequests {
  insertTrades: Request<
    {
      readonly rows: readonly Trade[];
      readonly checkpoint: string | null;
      readonly receivedAt: number;
      readonly movedAside: readonly UnreadRecord[];
    },
    InsertSummary
  >;
  beginPass: Request<{ readonly checkpoint: string }, null>;
  endPass: Request<
    { readonly checkpoint: string; readonly from: number | null; readonly to: number | null },
    null
  >;
  setAside: Request<null, readonly UnreadRecord[]>;
  state: Request<null, ArchiveState>;
  page: Request<
    { readonly filter: TradeFilter; readonly offset: number; readonly limit: number },
    TradeWindow
  >;
  count: Request<TradeFilter, number>;
  totals: Request<TradeFilter, TradeTotals>;
  symbols: Request<null, readonly string[]>;
  exportPreview: Request<ArchiveExport | RecordExport, ExportPreview>;
  /** Resolves with the last step, after `progress` messages. */
  exportCsv: Request<
    { readonly job: string; readonly query: ArchiveExport | RecordExport; readonly path: string },
    ExportStep
  >;
  /** Resolves with the last step, after `imported` messages. */
  importCsv: Request<
    { readonly job: string; readonly path: string; readonly receivedAt: number },
    ImportStep
  >;
  /** Cancels an import as well. */
  cancelExport: Request<{ readonly job: string }, null>;
  close: Request<null, null>;
}
export type Method = keyof Requests;
export type Input<M extends Method> = Requests[M]['input'];
export type Answer<M extends Method> = Requests[M]['answer'];
export type Methods = { readonly [M in Method]: (input: Input<M>) => Answer<M> | Promise<Answer<M>> };

/** `input` matches `method`: only `archive.ts` sends these. */
export interface ToWorker {
  readonly id: number;
  readonly method: Method;
  readonly input: never;
}

/** `result` matches the method of request `id`: only `worker.ts` sends these. */
export type FromWorker =
  | { readonly type: 'ready'; readonly setAside: MovedAside | null }
  | { readonly type: 'closed'; readonly failure: Failure }
  | { readonly type: 'answer'; readonly id: number; readonly result: Result<never> }
  | { readonly type: 'progress'; readonly job: string; readonly step: ExportStep }
  | { readonly type: 'imported'; readonly job: string; readonly step: ImportStep };
