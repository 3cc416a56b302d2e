/** Worker requests for orders, equity, statistics and file information. */
import type { CoverageGap, EquitySamples, QuarantinedRecord } from '../../../src-shared/ipc/archive.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { AccountSample, SampleChange } from '../../../src-shared/domain/position/balance-change.ts';
import type { SystemClose } from '../../../src-shared/domain/history/system-close.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { OrderState, OrderSummary } from '../orders/writer.ts';
import type { DailyStats, StatsRange, SummaryStats } from './stats.ts';

interface Request<I, A> {
  readonly input: I;
  readonly answer: A;
}
export interface SamplesQuery {
  readonly from: number | null;
  readonly to: number | null;
  readonly coin: string | null;
  readonly points: number;
}
export interface FileFigures {
  readonly path: string;
  readonly bytes: number;
  readonly samples: number;
}

export interface RecordRequests {
  insertOrders: Request<
    {
      readonly rows: readonly HistoryOrder[];
      readonly checkpoint: string | null;
      readonly gaps: readonly CoverageGap[];
      readonly receivedAt: number;
    },
    OrderSummary
  >;
  bindUser: Request<{ readonly uid: string }, 'same' | 'other'>;
  orderState: Request<null, OrderState>;
  nonFinalOrders: Request<
    { readonly after: number; readonly limit: number },
    readonly { readonly seq: number; readonly id: string; readonly orderTime: number }[]
  >;
  orderGaps: Request<null, readonly CoverageGap[]>;
  quarantine: Request<null, readonly QuarantinedRecord[]>;
  figures: Request<null, FileFigures>;
  lastSample: Request<null, string | null>;
  addSample: Request<
    { readonly sample: AccountSample; readonly changes: readonly SampleChange[]; readonly state: string },
    null
  >;
  classifyMoves: Request<{ readonly verifiedTo: number }, null>;
  samples: Request<SamplesQuery, EquitySamples>;
  systemCloses: Request<null, readonly SystemClose[]>;
  statsDaily: Request<StatsRange, DailyStats>;
  statsSummary: Request<StatsRange, SummaryStats>;
}
type Input<M extends keyof RecordRequests> = RecordRequests[M]['input'];
type Answer<M extends keyof RecordRequests> = RecordRequests[M]['answer'];
type SendRequest = <M extends keyof RecordRequests>(method: M, input: Input<M>) => Promise<Result<Answer<M>>>;

export interface RecordArchive {
  /** Stores the newest version of each order, with checkpoint and gaps in one transaction. */
  insertOrders(
    rows: readonly HistoryOrder[],
    checkpoint: string | null,
    gaps: readonly CoverageGap[],
  ): Promise<Result<OrderSummary>>;
  /** Binds the archive to the user id of a record. Returns `other` if it belongs to another user. */
  bindUser(uid: string): Promise<Result<'same' | 'other'>>;
  orderState(): Promise<Result<OrderState>>;
  nonFinalOrders(after: number, limit: number): Promise<Result<Answer<'nonFinalOrders'>>>;
  orderGaps(): Promise<Result<readonly CoverageGap[]>>;
  /** Returns quarantined records, newest first, 500 of each kind at most. */
  quarantine(): Promise<Result<readonly QuarantinedRecord[]>>;
  figures(): Promise<Result<FileFigures>>;
  /** Returns the recorder's state, stored with its last sample. */
  lastSample(): Promise<Result<string | null>>;
  addSample(sample: AccountSample, changes: readonly SampleChange[], state: string): Promise<Result<null>>;
  /** Classifies open balance changes up to `verifiedTo`, the time the order history is verified to, ms. */
  classifyMoves(verifiedTo: number): Promise<Result<null>>;
  samples(query: SamplesQuery): Promise<Result<EquitySamples>>;
  systemCloses(): Promise<Result<readonly SystemClose[]>>;
  statsDaily(range: StatsRange): Promise<Result<DailyStats>>;
  statsSummary(range: StatsRange): Promise<Result<SummaryStats>>;
}

export const recordArchive = (request: SendRequest, clock: { now(): number }): RecordArchive => ({
  insertOrders: (rows, checkpoint, gaps) =>
    request('insertOrders', { rows, checkpoint, gaps, receivedAt: clock.now() }),
  bindUser: (uid) => request('bindUser', { uid }),
  orderState: () => request('orderState', null),
  nonFinalOrders: (after, limit) => request('nonFinalOrders', { after, limit }),
  orderGaps: () => request('orderGaps', null),
  quarantine: () => request('quarantine', null),
  figures: () => request('figures', null),
  lastSample: () => request('lastSample', null),
  addSample: (sample, changes, state) => request('addSample', { sample, changes, state }),
  classifyMoves: (verifiedTo) => request('classifyMoves', { verifiedTo }),
  samples: (query) => request('samples', query),
  systemCloses: () => request('systemCloses', null),
  statsDaily: (range) => request('statsDaily', range),
  statsSummary: (range) => request('statsSummary', range),
});
