/** Defines the IPC types of the archive: coverage, integrity, equity and statistics. */
import * as v from 'valibot';
import type { AssetAmount } from '../domain/history/trade-stats.ts';
import type { CoinAmount } from '../domain/instrument/currencies.ts';
import type { EquityValues } from '../domain/position/balance-change.ts';
import { connectionId, ms, textUpTo, whole } from './call.ts';
import type { UnreadableRecord } from '../exchange-api/replies.ts';
import type { TimeRange } from '../time.ts';
import type { Failure } from './failures.ts';

/** Progress of the order history sync; trades have theirs in `SyncStatus`. */
export interface OrderSyncStatus {
  readonly state: 'idle' | 'running' | 'paused' | 'complete' | 'failed';
  readonly stored: number;
  /** Archived orders that are not final; each is read again until it is, one of an undocumented status for a week. */
  readonly unsettled: number;
  readonly quarantined: number;
  /** Number of time ranges the exchange did not list completely. */
  readonly gaps: number;
  /** Percentage of the range already read, newest first; null when no backfill is running. */
  readonly percent: number | null;
  readonly completedAt: number | null;
  readonly failure: Failure | null;
}

/** An unreadable record with its time range: its own time if readable, else the range that was requested. */
export type DatedUnreadable = UnreadableRecord & TimeRange;

/** A time range the exchange did not list completely. */
export interface CoverageGap extends TimeRange {
  /** null means all symbols. */
  readonly symbol: string | null;
  readonly reason: string;
}
export interface ResourceCoverage {
  readonly stored: number;
  /** Time of the oldest and newest record, in ms; null when nothing is stored. */
  readonly oldest: number | null;
  readonly newest: number | null;
  /** Everything up to this time was read and verified, except the gaps; null if nothing is. */
  readonly verifiedTo: number | null;
  /** Wall clock of the verification. */
  readonly completedAt: number | null;
  readonly gaps: readonly CoverageGap[];
  readonly quarantined: number;
}
export interface Coverage {
  readonly trades: ResourceCoverage;
  readonly orders: ResourceCoverage & { readonly unsettled: number };
  readonly file: {
    readonly path: string;
    /** Size with its write-ahead log. */
    readonly bytes: number;
    readonly samples: number;
  };
}

/** Two versions of one id, each as JSON text. */
export interface QuarantinedRecord {
  readonly resource: 'trades' | 'orders';
  readonly symbol: string;
  readonly id: string;
  readonly receivedAt: number;
  /** The version in the archive; null if it is gone. */
  readonly stored: string | null;
  /** The version received later. */
  readonly later: string;
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
/** A running check, backup or restore. */
export interface ArchiveWork {
  readonly work: 'check' | 'backup' | 'restore';
  /** Percentage, 0–100. */
  readonly percent: number;
}
export interface ArchiveBackup {
  readonly path: string;
  readonly bytes: number;
}
/** Result of restoring a backup. */
export interface ArchiveRestored {
  /** The backup's name. */
  readonly backup: string;
  readonly trades: number;
  readonly orders: number;
  /**
   * Whether the verification was adopted, because the backup was read with this API key; otherwise all is read again.
   */
  readonly verificationKept: boolean;
  /** Where the replaced archive was moved. */
  readonly replaced: string;
}

export const equityQuerySchema = v.strictObject({
  connectionId,
  /** Inclusive bounds in ms; null means unbounded. */
  from: v.nullable(ms),
  to: v.nullable(ms),
  /** null means the account's totals. */
  coin: v.nullable(textUpTo(60)),
  /** Most points to return; the low and high of each interval are preserved. */
  points: whole(4, 5_000),
});
export type EquityQuery = v.InferOutput<typeof equityQuerySchema>;
export interface EquityPoint extends EquityValues {
  readonly at: number;
}
/** A balance change that known events do not explain. */
export interface EquityMove {
  readonly at: number;
  readonly coin: string;
  /**
   * The part that positions and closed orders do not explain; null if an order in between has a profit, fee or quantity
   * that cannot be read.
   */
  readonly residual: string | null;
  /** `open`: undecided, since the order history is not verified that far. */
  readonly verdict: 'open' | 'possible-transfer';
}
export interface EquitySamples {
  readonly points: readonly EquityPoint[];
  /** Samples in the range, before downsampling to `points`. */
  readonly samples: number;
  /** Coins that have samples. */
  readonly coins: readonly string[];
  readonly moves: readonly EquityMove[];
}

const symbol = v.nullable(textUpTo(80));
export const statsQuerySchema = v.strictObject({
  connectionId,
  /** Inclusive bounds in ms of a fill's time or an order's last change; null means unbounded. */
  from: v.nullable(ms),
  to: v.nullable(ms),
  symbol,
});
export type StatsQuery = v.InferOutput<typeof statsQuerySchema>;

/** Results in one coin, as exact texts from the order history. Coins are never added up. */
export interface CoinResult {
  readonly coin: string;
  /** Orders filled at least in part. */
  readonly orders: number;
  /** Orders with a PnL above and below 0. */
  readonly wins: number;
  readonly losses: number;
  /** Before fees; a loss is negative. */
  readonly grossProfit: string;
  readonly grossLoss: string;
  /** Gross profit plus gross loss. */
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
  /** Whether the archive is verified up to the end of the range, without a gap in it. */
  readonly ordersComplete: boolean;
  readonly tradesComplete: boolean;
  /** Orders in the range that are not final. */
  readonly unsettled: number;
  /** Filled orders whose profit or fee, and trades whose fee, was not given or cannot be read: in no sum. */
  readonly leftOut: { readonly orders: number; readonly trades: number };
}
export interface StatsDaily {
  /** UTC days, oldest first, without days that have no fills. */
  readonly days: readonly {
    /** Start of the day, in ms. */
    readonly day: number;
    readonly results: readonly CoinResult[];
    /** Sums of the trades' fees by asset. */
    readonly fees: readonly AssetAmount[];
    readonly trades: number;
    /** Filled orders whose profit or fee is in no sum. */
    readonly leftOut: number;
    /** Funding seen in positions while Ballast was open. */
    readonly funding: readonly CoinAmount[];
  }[];
  readonly basis: StatsBasis;
}
export interface StatsSummary {
  readonly results: readonly (CoinResult & {
    /** wins / (wins + losses) in percent with two decimals; null without either. */
    readonly winRate: string | null;
    /** Gross profit / |gross loss| with four decimals; null without a loss. */
    readonly profitFactor: string | null;
    /** Largest fall of the cumulative net PnL from an earlier high, 0 or above. */
    readonly drawdown: string;
    readonly contracts: readonly (CoinResult & { readonly symbol: string })[];
  })[];
  readonly fees: readonly AssetAmount[];
  /** Funding seen in positions while Ballast was open, not all there was. By whole UTC days. */
  readonly funding: readonly CoinAmount[];
  readonly basis: StatsBasis;
}
