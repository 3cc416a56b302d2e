/** Grades how close the account is to a liquidation: the worst of its cross coins and positions. */
import { calculated, isPositive } from '../../amount.ts';
import type { AccountInfo, Position } from '../../exchange-api/account.ts';
import { isIsolated } from '../../exchange-api/enums.ts';
import type { UnreadableRecord } from '../../exchange-api/replies.ts';
import { unreadRecordText } from '../instrument/unread-record.ts';
import { isEquityUsedUp, distanceToLiquidation } from '../alerts/conditions.ts';
import { isHeld } from '../../exchange-api/values.ts';
import { coverRatio, isolatedCover } from '../margin/isolated-cover.ts';
import { distanceGrade, gradeOf, isWorse, type MarginGrade } from '../margin/severity.ts';
import { markOf, nearestLiquidation } from '../position/metrics.ts';
import { type RatioUnit, shareOf, unratedText } from '../margin/ratio-unit.ts';

/** What determines the grade; shares as decimal text. */
export type HealthCause =
  | { readonly by: 'cross ratio'; readonly coin: string; readonly share: string }
  /** The coin's cross equity is used up. */
  | { readonly by: 'equity'; readonly coin: string }
  | { readonly by: 'isolated ratio' | 'distance'; readonly position: Position; readonly share: string };

export interface AccountHealth {
  /** Null if nothing known is near liquidation, but not everything is known. */
  readonly grade: MarginGrade | null;
  /** Null if nothing can be liquidated, as far as known. */
  readonly cause: HealthCause | null;
  /** What could not be graded, as texts. */
  readonly unknown: readonly string[];
}

/**
 * Returns the worst grade; of equals, cross ratios come first, then isolated ratios in account order, then the nearest
 * liquidation price.
 * @param unit the rate that means 100 % for coins; null while unknown
 * @param nearest of the account's positions, if it is known
 * @param unreadable records of the account that cannot be read
 */
export function accountHealth(
  account: AccountInfo,
  unit: RatioUnit | null,
  nearest = nearestLiquidation(account.positions),
  unreadable: readonly UnreadableRecord[] = [],
): AccountHealth {
  let worst: { readonly grade: MarginGrade; readonly cause: HealthCause | null } = {
    grade: 'healthy',
    cause: null,
  };
  const unknown = unreadable.map(unreadRecordText);
  const weigh = (grade: MarginGrade, cause: HealthCause): void => {
    if (worst.cause === null || isWorse(grade, worst.grade)) worst = { grade, cause };
  };
  for (const asset of account.assets) {
    const share = shareOf(asset.crossedMaintainMarginRate, unit);
    if (isEquityUsedUp(asset, share)) weigh('danger', { by: 'equity', coin: asset.coin });
    else if (share === null) unknown.push(unratedText(asset));
    else if (isPositive(calculated(share)))
      weigh(gradeOf(calculated(share)), { by: 'cross ratio', coin: asset.coin, share });
  }
  for (const position of account.positions) {
    const share = isolatedRatio(position);
    if (share === undefined) unknown.push(`the margin of ${position.symbolId} cannot be read`);
    else if (share !== null) weigh(gradeOf(calculated(share)), { by: 'isolated ratio', position, share });
  }
  if (nearest !== null)
    weigh(distanceGrade(calculated(nearest.share), nearest.position.side), { by: 'distance', ...nearest });
  const unpriced = account.positions.filter((one) => one.liquidPrice === null || markOf(one) === null);
  for (const position of unpriced)
    if (distanceToLiquidation(position) === null)
      unknown.push(`how far ${position.symbolId} is from liquidation cannot be read`);
  const { grade, cause } = worst;
  return { grade: grade === 'healthy' && unknown.length > 0 ? null : grade, cause, unknown };
}

/**
 * Returns the ratio; null for a cross position or one without requirement, 1 if nothing is left, undefined if unknown.
 */
export function isolatedRatio(position: Position): string | null | undefined {
  if (!isIsolated(position) || !isHeld(position)) return null;
  const cover = isolatedCover(position);
  if (cover === null) return undefined;
  return isPositive(cover.requirement) ? coverRatio(cover) : null;
}
