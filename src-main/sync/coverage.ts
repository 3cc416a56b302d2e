/** What the archive holds and what of it is proven, put together from the two syncs' checkpoints. */
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import type { Coverage, CoverageGap, ResourceCoverage, UnreadRecord } from '../../src-shared/ipc/archive.ts';
import { readOrderCheckpoint, type OrderCheckpoint } from './order-checkpoint.ts';
import { readCheckpoint } from './trade-checkpoint.ts';
import { gapsOf } from './unread-records.ts';

type Kept = Pick<ResourceCoverage, 'stored' | 'oldest' | 'newest' | 'quarantined'> & {
  readonly checkpoint: string | null;
};
export interface CoverageStore {
  state(): Promise<Result<Kept>>;
  orderState(): Promise<Result<Kept & { readonly unsettled: number }>>;
  tradesSetAside(): Promise<Result<readonly UnreadRecord[]>>;
  orderGaps(): Promise<Result<readonly CoverageGap[]>>;
  figures(): Promise<Result<Coverage['file']>>;
}

export async function readCoverage(archive: CoverageStore): Promise<Result<Coverage>> {
  const [trades, setAside, orders, gaps, file] = await Promise.all([
    archive.state(),
    archive.tradesSetAside(),
    archive.orderState(),
    archive.orderGaps(),
    archive.figures(),
  ]);
  if (!trades.ok) return trades;
  if (!setAside.ok) return setAside;
  if (!orders.ok) return orders;
  if (!gaps.ok) return gaps;
  if (!file.ok) return file;
  return done({
    // A walk over the trades proves all it counts, but for records that cannot be read.
    trades: resource(trades.data, readCheckpoint(trades.data.checkpoint), gapsOf(setAside.data)),
    orders: {
      ...resource(orders.data, readOrderCheckpoint(orders.data.checkpoint), gaps.data),
      unsettled: orders.data.unsettled,
    },
    file: file.data,
  });
}

const resource = (
  { stored, oldest, newest, quarantined }: Kept,
  { verifiedTo, completedAt }: Pick<OrderCheckpoint, 'verifiedTo' | 'completedAt'>,
  gaps: readonly CoverageGap[],
): ResourceCoverage => ({
  ...{ stored, oldest, newest, completedAt, gaps, quarantined },
  provenTo: verifiedTo,
});

/** Whether everything of [from, to] (ms; null: no bound) is proven to be there. `now`: an open end means until now. */
export function isProven(
  { provenTo, gaps }: ResourceCoverage,
  from: number | null,
  to: number | null,
  now: number,
): boolean {
  if (provenTo === null || provenTo < Math.min(to ?? now, now) - FRESH_MS) return false;
  return !gaps.some((gap) => gap.to >= (from ?? 0) && gap.from <= (to ?? now));
}

/** The newest minutes are never proven, and a range up to now is not called incomplete for them. */
const FRESH_MS = 20 * 60_000;
