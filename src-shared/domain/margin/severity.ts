/** Grades the proximity to liquidation by margin ratio and by distance. */
import {
  absolute,
  amount,
  type Amount,
  compare,
  less,
  multiply,
  negate,
  printFixed,
  type Rounding,
} from '../../amount.ts';

export type MarginGrade = 'healthy' | 'caution' | 'danger';

const CAUTION = amount('0.5');
const DANGER = amount('0.8');
const NEAR = amount('0.1');
const NEXT = amount('0.05');

/** @param ratio maintenance margin ÷ equity, a share; the account is liquidated at 1 */
export function gradeOf(ratio: Amount): MarginGrade {
  if (compare(ratio, DANGER) >= 0) return 'danger';
  return compare(ratio, CAUTION) >= 0 ? 'caution' : 'healthy';
}

/**
 * Returns the distance left to liquidation; 0 or below once its price is passed.
 * @param distance from mark to liquidation price, signed
 * @param side of the position; if unknown, either direction counts
 */
export function headroomOf(distance: Amount, side: string): Amount {
  if (side === 'BUY') return negate(distance);
  return side === 'SELL' ? distance : absolute(distance);
}

/** A distance to liquidation is cut, so that it is never shown larger than it is. */
export const DISTANCE_ROUNDING = 'down' satisfies Rounding;
/** Prints a distance to liquidation, a share, in percent. */
export const printDistance = (share: Amount): string =>
  printFixed(multiply(share, amount('100')), 2, DISTANCE_ROUNDING);

/** @param distance as in `headroomOf`, a share of the mark */
export const distanceGrade = (distance: Amount, side: string): MarginGrade =>
  headroomGrade(headroomOf(distance, side));

/** @param headroom from `headroomOf`, a share of the mark; a passed liquidation price is danger, however far */
export function headroomGrade(headroom: Amount): MarginGrade {
  if (less(headroom, NEXT)) return 'danger';
  return less(headroom, NEAR) ? 'caution' : 'healthy';
}

const RANKS: readonly MarginGrade[] = ['healthy', 'caution', 'danger'];
export const isWorse = (one: MarginGrade, other: MarginGrade): boolean =>
  RANKS.indexOf(one) > RANKS.indexOf(other);
