/** What the archive knows beyond single trades: how complete it is, its health, worth over time, statistics. */
import * as v from 'valibot';
import { connectionId, ms } from './call.ts';
import type { Failure } from './failures.ts';

/** How far the order history has come; beside the trades' own figures in `SyncStatus`. */
export interface OrderSyncStatus {
  readonly state: 'idle' | 'running' | 'paused' | 'complete' | 'failed';
  readonly stored: number;
  /** Archived orders that can still change; each is asked for again until it is final. */
  readonly unsettled: number;
  readonly quarantined: number;
  /** Times of which the exchange did not list everything. */
  readonly gaps: number;
  /** Share of the time to read that was read, 0–100, newest first; null while no walk is under way. */
  readonly share: number | null;
  readonly completedAt: number | null;
  readonly failure: Failure | null;
}

/** Part of the time of which the exchange did not list everything. */
export interface CoverageGap {
  readonly from: number;
  readonly to: number;
  /** null: all contracts. */
  readonly symbol: string | null;
  readonly reason: string;
}
export interface ResourceCoverage {
  readonly stored: number;
  /** Time of the oldest and newest record, ms; null when nothing is stored. */
  readonly oldest: number | null;
  readonly newest: number | null;
  /** Everything the exchange lists up to this time was read and proven, but for the gaps; null: nothing is proven. */
  readonly provenTo: number | null;
  /** Wall clock of that proof. */
  readonly completedAt: number | null;
  readonly gaps: readonly CoverageGap[];
  readonly quarantined: number;
}
export interface Coverage {
  readonly trades: ResourceCoverage;
  readonly orders: ResourceCoverage & { readonly unsettled: number };
  readonly file: {
    readonly path: string;
    /** With its write-ahead log. */
    readonly bytes: number;
    readonly samples: number;
  };
}

/** One id told twice: what stands, and the other telling, each as JSON text. */
export interface QuarantinedRecord {
  readonly resource: 'trades' | 'orders';
  readonly symbol: string;
  readonly id: string;
  readonly receivedAt: number;
  /** The record that stands in the archive; null when it is gone. */
  readonly stored: string | null;
  readonly told: string;
}

export interface ArchiveCheck {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    /** What was compared, or what is wrong. */
    readonly detail: string;
  }[];
}
/** A check or a backup under way. */
export interface ArchiveWork {
  readonly work: 'check' | 'backup' | 'restore';
  /** 0–100. */
  readonly share: number;
}
export interface ArchiveBackup {
  readonly path: string;
  readonly bytes: number;
}
/** A backup took the archive's place. */
export interface ArchiveRestored {
  /** The backup's name. */
  readonly backup: string;
  readonly trades: number;
  readonly orders: number;
  /** Read by this very key, so what it proves complete still counts; else everything is read again to prove it. */
  readonly proofKept: boolean;
  /** Where the archive that stood there is kept. */
  readonly replaced: string;
}

export const equityQuerySchema = v.strictObject({
  connectionId,
  /** Inclusive, ms; null: as far as there are samples. */
  from: v.nullable(ms),
  to: v.nullable(ms),
  /** null: the account's totals. */
  coin: v.nullable(v.pipe(v.string(), v.maxLength(60))),
  /** Most points wanted; lowest and highest of each stretch are kept. */
  points: v.pipe(v.number(), v.integer(), v.minValue(4), v.maxValue(5_000)),
});
export interface EquityPoint {
  readonly at: number;
  readonly equity: string;
  readonly balance: string;
  readonly available: string;
  readonly profitUnreal: string;
}
/** A balance change that nothing seen explains. */
export interface EquityMove {
  readonly at: number;
  /** The sample before. */
  readonly since: number;
  readonly coin: string;
  readonly change: string;
  /** What positions and closed orders say of it. */
  readonly explained: string;
  readonly residual: string;
  /** `open`: not judged, since the order history is not proven that far. */
  readonly verdict: 'open' | 'possible-transfer';
}
export interface EquitySamples {
  readonly points: readonly EquityPoint[];
  /** Samples in the range, before thinning to `points`. */
  readonly samples: number;
  /** Coins that have samples. */
  readonly coins: readonly string[];
  readonly moves: readonly EquityMove[];
}

const symbol = v.nullable(v.pipe(v.string(), v.maxLength(80)));
export const statsQuerySchema = v.strictObject({
  connectionId,
  /** Inclusive bounds of the time a fill or an order's last change has, ms; null: no bound. */
  from: v.nullable(ms),
  to: v.nullable(ms),
  symbol,
});
export type StatsQuery = v.InferOutput<typeof statsQuerySchema>;

/** Results in one coin; coins are never added up. Profit: order history. Exact texts. */
export interface CoinResult {
  readonly coin: string;
  /** Orders that filled at least in part. */
  readonly orders: number;
  /** Orders with a profit above, below 0. */
  readonly wins: number;
  readonly losses: number;
  /** Sums of the profits above and below 0 (the latter negative), before fees. */
  readonly gained: string;
  readonly lost: string;
  /** gained + lost. */
  readonly profit: string;
  /** Fees of those orders in this coin; a rebate is negative. */
  readonly fee: string;
  /** profit − fee. */
  readonly net: string;
}
export interface StatsBasis {
  /** Orders and trades in the range. */
  readonly orders: number;
  readonly trades: number;
  /** The archive is proven up to the range's end, without a gap in it. */
  readonly ordersComplete: boolean;
  readonly tradesComplete: boolean;
  /** Orders in the range that can still change. */
  readonly unsettled: number;
}
export interface StatsDaily {
  /** UTC days, oldest first; a day without a filled order or a trade is left out. */
  readonly days: readonly {
    /** Its beginning, ms. */
    readonly day: number;
    readonly results: readonly CoinResult[];
    /** From trades, by their own fee asset. */
    readonly fees: readonly { readonly asset: string; readonly amount: string }[];
    readonly trades: number;
    /** Seen in positions while Ballast was open. */
    readonly funding: readonly { readonly coin: string; readonly amount: string }[];
  }[];
  readonly basis: StatsBasis;
}
export interface StatsSummary {
  readonly results: readonly (CoinResult & {
    /** wins / (wins + losses), percent to two decimals; null without either. */
    readonly winRate: string | null;
    /** gained / |lost| to four decimals; null without a loss. */
    readonly profitFactor: string | null;
    /** Largest fall of the running net result from an earlier height, 0 or above. */
    readonly drawdown: string;
    readonly contracts: readonly (CoinResult & { readonly symbol: string })[];
  })[];
  readonly fees: readonly { readonly asset: string; readonly amount: string }[];
  /** Seen in positions while Ballast was open: not all funding there was. By UTC day: edges of the range count whole. */
  readonly funding: readonly { readonly coin: string; readonly amount: string }[];
  readonly basis: StatsBasis;
}
