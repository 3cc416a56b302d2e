/** How near a margin ratio is to liquidation: caution from 50 %, danger from 80 % (design language). */
import { amount, type Amount, compare } from '../amount.ts';

export type MarginGrade = 'healthy' | 'caution' | 'danger';

const CAUTION = amount('0.5');
const DANGER = amount('0.8');

/** @param ratio maintenance margin ÷ equity, a share; at 1 the account is liquidated */
export function gradeOf(ratio: Amount): MarginGrade {
  if (compare(ratio, DANGER) >= 0) return 'danger';
  return compare(ratio, CAUTION) >= 0 ? 'caution' : 'healthy';
}
