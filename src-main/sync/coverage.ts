/** Computes the archive's coverage, stored and verified, from both syncs' checkpoints. */
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import type { Coverage, CoverageGap, ResourceCoverage } from '../../src-shared/ipc/archive.ts';
import type { Archive } from '../archive/archive.ts';
import type { StoredRecords } from '../archive/sqlite/sync-state.ts';
import { readOrderCheckpoint, type OrderCheckpoint } from './order-checkpoint.ts';
import { readCheckpoint } from './trade-checkpoint.ts';
import { gapsOf } from './unreadable-records.ts';

export type CoverageStore = Pick<
  Archive,
  'state' | 'orderState' | 'unreadableTrades' | 'orderGaps' | 'figures'
>;

export async function readCoverage(archive: CoverageStore): Promise<Result<Coverage>> {
  const [trades, unreadable, orders, gaps, file] = await Promise.all([
    archive.state(),
    archive.unreadableTrades(),
    archive.orderState(),
    archive.orderGaps(),
    archive.figures(),
  ]);
  if (!trades.ok) return trades;
  if (!unreadable.ok) return unreadable;
  if (!orders.ok) return orders;
  if (!gaps.ok) return gaps;
  if (!file.ok) return file;
  return done({
    // A complete pass verifies all trades it counts, except unreadable records, which are gaps.
    trades: resourceCoverage(trades.data, readCheckpoint(trades.data.checkpoint), gapsOf(unreadable.data)),
    orders: {
      ...resourceCoverage(orders.data, readOrderCheckpoint(orders.data.checkpoint), gaps.data),
      unsettled: orders.data.unsettled,
    },
    file: file.data,
  });
}

const resourceCoverage = (
  { stored, oldest, newest, quarantined }: StoredRecords,
  { verifiedTo, completedAt }: Pick<OrderCheckpoint, 'verifiedTo' | 'completedAt'>,
  gaps: readonly CoverageGap[],
): ResourceCoverage => ({
  stored,
  oldest,
  newest,
  verifiedTo,
  completedAt,
  gaps,
  quarantined,
});

/** Reports whether [from, to] (ms; null: unbounded) is verified without a gap. An open end means up to the exchange’s `now`. */
export function isVerified(
  { verifiedTo, gaps }: ResourceCoverage,
  from: number | null,
  to: number | null,
  now: number,
): boolean {
  if (verifiedTo === null || verifiedTo < Math.min(to ?? now, now) - UNVERIFIED_TAIL_MS) return false;
  return !gaps.some((gap) => gap.to >= (from ?? 0) && gap.from <= (to ?? now));
}

/** The newest minutes are never verified yet; a range up to now counts as verified without them. */
const UNVERIFIED_TAIL_MS = 20 * 60_000;
