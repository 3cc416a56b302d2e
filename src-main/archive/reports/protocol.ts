/** The part of the archive about orders, worth, statistics and health: what is asked of its worker, and how. */
import type { CoverageGap, EquitySamples, QuarantinedRecord } from '../../../src-shared/ipc/archive.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { AccountSample, SampleChange } from '../../../src-shared/domain/position/balance-change.ts';
import type { SystemClose } from '../../../src-shared/domain/history/system-close.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { OrderState, OrderSummary } from '../orders/writer.ts';
import type { DailyKnown, StatsRange, SummaryKnown } from './stats.ts';

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
  recogniseUser: Request<{ readonly uid: string }, 'same' | 'other'>;
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
  judgeMoves: Request<{ readonly provenTo: number }, null>;
  samples: Request<SamplesQuery, EquitySamples>;
  systemCloses: Request<null, readonly SystemClose[]>;
  statsDaily: Request<StatsRange, DailyKnown>;
  statsSummary: Request<StatsRange, SummaryKnown>;
}
type Input<M extends keyof RecordRequests> = RecordRequests[M]['input'];
type Answer<M extends keyof RecordRequests> = RecordRequests[M]['answer'];
type Ask = <M extends keyof RecordRequests>(method: M, input: Input<M>) => Promise<Result<Answer<M>>>;

export interface RecordArchive {
  /** The newest telling of each order is kept; checkpoint and gaps go with the rows in one transaction. */
  insertOrders(
    rows: readonly HistoryOrder[],
    checkpoint: string | null,
    gaps: readonly CoverageGap[],
  ): Promise<Result<OrderSummary>>;
  /** A record has shown whose account it is. `other`: the trades here are not that user's. */
  recogniseUser(uid: string): Promise<Result<'same' | 'other'>>;
  orderState(): Promise<Result<OrderState>>;
  nonFinalOrders(after: number, limit: number): Promise<Result<Answer<'nonFinalOrders'>>>;
  orderGaps(): Promise<Result<readonly CoverageGap[]>>;
  /** Every id told twice with other content, newest first, 500 of each kind at the most. */
  quarantine(): Promise<Result<readonly QuarantinedRecord[]>>;
  figures(): Promise<Result<FileFigures>>;
  /** The recorder's own note, written with its last sample. */
  lastSample(): Promise<Result<string | null>>;
  addSample(sample: AccountSample, changes: readonly SampleChange[], state: string): Promise<Result<null>>;
  /** Judges balance changes left open, as far as the order history is proven. */
  judgeMoves(provenTo: number): Promise<Result<null>>;
  samples(query: SamplesQuery): Promise<Result<EquitySamples>>;
  systemCloses(): Promise<Result<readonly SystemClose[]>>;
  statsDaily(range: StatsRange): Promise<Result<DailyKnown>>;
  statsSummary(range: StatsRange): Promise<Result<SummaryKnown>>;
}

export const recordArchive = (ask: Ask, clock: { now(): number }): RecordArchive => ({
  insertOrders: (rows, checkpoint, gaps) =>
    ask('insertOrders', { rows, checkpoint, gaps, receivedAt: clock.now() }),
  recogniseUser: (uid) => ask('recogniseUser', { uid }),
  orderState: () => ask('orderState', null),
  nonFinalOrders: (after, limit) => ask('nonFinalOrders', { after, limit }),
  orderGaps: () => ask('orderGaps', null),
  quarantine: () => ask('quarantine', null),
  figures: () => ask('figures', null),
  lastSample: () => ask('lastSample', null),
  addSample: (sample, changes, state) => ask('addSample', { sample, changes, state }),
  judgeMoves: (provenTo) => ask('judgeMoves', { provenTo }),
  samples: (query) => ask('samples', query),
  systemCloses: () => ask('systemCloses', null),
  statsDaily: (range) => ask('statsDaily', range),
  statsSummary: (range) => ask('statsSummary', range),
});
