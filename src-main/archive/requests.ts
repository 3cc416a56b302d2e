/**
 * Defines the archive's requests: name → arguments and result, and whether it reads or writes. The methods of `Archive`
 * and the worker's handlers derive from this table.
 */
import type { AccountSample, SampleChange } from '../../src-shared/domain/position/balance-change.ts';
import type { NoteText, OrderNote, TagUse } from '../../src-shared/domain/history/order-notes.ts';
import type { SystemClose } from '../../src-shared/domain/history/system-close.ts';
import type { HistoryOrder } from '../../src-shared/exchange-api/order-history.ts';
import type { Trade } from '../../src-shared/exchange-api/trade.ts';
import type {
  CoverageGap,
  EquitySamples,
  QuarantinedRecord,
  DatedUnreadable,
} from '../../src-shared/ipc/archive.ts';
import type { ExportPreview } from '../../src-shared/ipc/exports.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import type { ProfitFinding } from '../../src-shared/ipc/profit.ts';
import type { TradeGroups } from '../../src-shared/ipc/trade-groups.ts';
import type { TradeFilter, TradeTotals, TradeWindow } from '../../src-shared/ipc/trades.ts';
import type { ArchiveExport, RecordExport } from './export/source.ts';
import type { NonFinalOrder, OrderState, OrderSummary } from './orders/writer.ts';
import type { SamplesQuery } from './reports/equity.ts';
import type { FileFigures } from './reports/info.ts';
import type { DailyStats, StatsRange, SummaryStats } from './reports/stats.ts';
import type { GroupsQuery } from './trade-log/groups.ts';
import type { ProfitQuery } from './trade-log/profit-finding.ts';
import type { ListQuery, PlaceQuery } from './trade-log/trade-list.ts';
import type { ArchiveState, InsertSummary } from './trades/writer.ts';

type Signature = (...input: never[]) => unknown;

interface Request<F extends Signature> {
  /**
   * Writes wait while an import runs; reads are served, from the archive as it was before. An import waits for writes in
   * steps, between which it would lock the file.
   */
  readonly kind: 'reads' | 'writes' | 'writes-in-steps';
  /** Never present at run time; carries the types. */
  readonly signature?: F;
}
const reads = <F extends Signature>(): Request<F> => ({ kind: 'reads' });
const writes = <F extends Signature>(): Request<F> => ({ kind: 'writes' });
const writesInSteps = <F extends Signature>(): Request<F> => ({ kind: 'writes-in-steps' });

export const REQUESTS = {
  /**
   * Stores each trade once by (symbol, tradeId); on disk when it resolves. The checkpoint is stored in the same
   * transaction and counts the rows as seen by the current pass; null means rows of no pass. `receivedAt`: wall clock, ms.
   */
  insertTrades:
    writes<
      (
        receivedAt: number,
        rows: readonly Trade[],
        checkpoint: string | null,
        unreadable?: readonly DatedUnreadable[],
      ) => InsertSummary
    >(),
  /** Begins a backfill pass with nothing seen. */
  beginPass: writes<(checkpoint: string) => null>(),
  /** Ends a complete pass over `from` … `to` and deletes unreadable records of that range that it did not see. */
  endPass: writes<(checkpoint: string, from: number | null, to: number | null) => null>(),
  state: reads<() => ArchiveState>(),
  /** Returns trades without a readable identity, as received, 500 at most. */
  unreadableTrades: reads<() => readonly DatedUnreadable[]>(),
  symbols: reads<() => readonly string[]>(),
  count: reads<(filter: TradeFilter) => number>(),

  /** Returns a page in any order. A newer request for another list fails an older one with `cancelled`. */
  list: reads<(query: ListQuery) => TradeWindow>(),
  /** Returns a row's index in a list; null if it is not in it. */
  place: reads<(query: PlaceQuery) => number | null>(),
  /** Returns exact totals. A newer request with other bounds fails an older one with `cancelled`. */
  totals: reads<(filter: TradeFilter) => TradeTotals>(),
  groups: reads<(query: GroupsQuery) => TradeGroups>(),
  /** Returns the progress of building the list or its groups, 0…1; null if nothing is being built. */
  building: reads<() => number | null>(),
  /** Determines whether profits are before fees, and applies it to sums from now on. */
  profit: writesInSteps<(query: ProfitQuery) => ProfitFinding>(),

  /** Stores the note of an order in place of the one it had; without text and tags it deletes it. `now`: wall clock, ms. */
  saveNote: writes<(now: number, orderId: string, note: NoteText) => OrderNote>(),
  /** Adds a tag to these orders, or removes it, all or none; returns the notes that changed. `now`: wall clock, ms. */
  tagOrders:
    writes<(now: number, orderIds: readonly string[], tag: string, on: boolean) => readonly OrderNote[]>(),
  /** Returns the notes of those of these orders that have one. */
  notesOf: reads<(orderIds: readonly string[]) => readonly OrderNote[]>(),
  /** Returns the tags in use, the most frequent first. */
  tags: reads<() => readonly TagUse[]>(),

  /** Stores the newest version of each order, with checkpoint and gaps in one transaction. */
  insertOrders:
    writes<
      (
        receivedAt: number,
        rows: readonly HistoryOrder[],
        checkpoint: string | null,
        gaps: readonly CoverageGap[],
      ) => OrderSummary
    >(),
  /** Returns the newest stored orders that match, 1,000 at most; of the filter only what orders have applies. */
  newestOrders:
    reads<(filter: TradeFilter) => { readonly rows: readonly HistoryOrder[]; readonly truncated: boolean }>(),
  orderState: reads<() => OrderState>(),
  /** Returns orders that are not final, by row number, after the row `after`. */
  nonFinalOrders: reads<(after: number, limit: number) => readonly NonFinalOrder[]>(),
  orderGaps: reads<() => readonly CoverageGap[]>(),
  /** Returns positions closed by the exchange, newest first, 1,000 at most. */
  systemCloses: reads<() => readonly SystemClose[]>(),

  addSample: writes<(sample: AccountSample, changes: readonly SampleChange[], state: string) => null>(),
  /** Returns the recorder's state, stored with its last sample; null before the first. */
  lastSample: reads<() => string | null>(),
  /** Classifies open balance changes up to `verifiedTo`, the time the order history is verified to, ms. */
  classifyMoves: writes<(verifiedTo: number) => null>(),
  samples: reads<(query: SamplesQuery) => EquitySamples>(),

  statsDaily: reads<(range: StatsRange) => DailyStats>(),
  statsSummary: reads<(range: StatsRange) => SummaryStats>(),

  /** Binds the archive to the user id of a record. Returns `other` if it belongs to another user. */
  bindUser: writes<(uid: string) => 'same' | 'other'>(),
  /** Returns quarantined records, newest first, 500 of each kind at most. */
  quarantine: reads<() => readonly QuarantinedRecord[]>(),
  figures: reads<() => FileFigures>(),
  /** Returns header and first rows of an export as its file would have them. */
  exportPreview: reads<(query: ArchiveExport | RecordExport) => ExportPreview>(),
} as const satisfies Record<string, Request<Signature>>;

type Table = typeof REQUESTS;
type SignatureOf<M extends keyof Table> = Table[M] extends Request<infer F> ? F : never;
export type Input<M extends keyof Table> = Parameters<SignatureOf<M>>;
export type Output<M extends keyof Table> = ReturnType<SignatureOf<M>>;

/** The requests as the main process makes them: none rejects. */
export type Requests = { readonly [M in keyof Table]: (...input: Input<M>) => Promise<Result<Output<M>>> };
/** The requests as the worker implements them: a failure is thrown. */
export type Handlers = {
  readonly [M in keyof Table]: (...input: Input<M>) => Output<M> | Promise<Output<M>>;
};
