/** How near something is to liquidation, by margin ratio and by distance (design language). */
import { absolute, amount, type Amount, compare, less } from '../../amount.ts';

export type MarginGrade = 'healthy' | 'caution' | 'danger';

const CAUTION = amount('0.5');
const DANGER = amount('0.8');
const NEAR = amount('0.1');
const NEXT = amount('0.05');

/** @param ratio maintenance margin ÷ equity, a share; at 1 the account is liquidated */
export function gradeOf(ratio: Amount): MarginGrade {
  if (compare(ratio, DANGER) >= 0) return 'danger';
  return compare(ratio, CAUTION) >= 0 ? 'caution' : 'healthy';
}

/** @param distance from the mark to the liquidation price, a share of the mark, either sign */
export function distanceGrade(distance: Amount): MarginGrade {
  const size = absolute(distance);
  if (less(size, NEXT)) return 'danger';
  return less(size, NEAR) ? 'caution' : 'healthy';
}

const RANKS: readonly MarginGrade[] = ['healthy', 'caution', 'danger'];
export const isWorse = (one: MarginGrade, other: MarginGrade): boolean =>
  RANKS.indexOf(one) > RANKS.indexOf(other);
