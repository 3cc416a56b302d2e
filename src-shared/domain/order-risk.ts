/**
 * What follows from an order, graded: the margin ratio and the distance to liquidation after it. Where it may fill at more
 * than one price, each figure is taken from the worst of them.
 */
import { absolute, amount, calculated, divide, greater, less, multiply, printFixed } from '../amount.ts';
import { type OrderCheck, pass } from './order-check.ts';
import { distanceGrade, gradeOf, isWorse, type MarginGrade } from './margin-grade.ts';
import type { OrderPreview } from './order-preview.ts';

export interface OrderRisk {
  readonly grade: MarginGrade;
  /** Share; null where it is not known. */
  readonly ratio: string | null;
  /** Percent of the mark, unsigned; null without a liquidation price. */
  readonly distance: string | null;
}

const HUNDRED = amount('100');

/** Null for an order that only reduces. */
export function orderRisk(previews: readonly OrderPreview[]): OrderRisk | null {
  if (!previews.some((one) => one.effect.opened !== '0')) return null;
  let ratio: string | null = null;
  let distance: string | null = null;
  for (const { marginRatio, distance: way } of previews) {
    const r = marginRatio.after.value;
    const d = way.after.value;
    if (r !== null && (ratio === null || greater(calculated(r), calculated(ratio)))) ratio = r;
    if (d !== null && (distance === null || less(absolute(calculated(d)), absolute(calculated(distance)))))
      distance = d;
  }
  const byRatio = ratio === null ? 'healthy' : gradeOf(calculated(ratio));
  const byDistance = distance === null ? 'healthy' : gradeByPercent(distance);
  return { grade: isWorse(byRatio, byDistance) ? byRatio : byDistance, ratio, distance };
}

const gradeByPercent = (percent: string): MarginGrade => distanceGrade(divide(calculated(percent), HUNDRED));

const RATIO = { id: 'risk-ratio', code: null, field: 'account' } as const;
const DISTANCE = { id: 'risk-distance', code: null, field: 'account' } as const;

/** The risk as checks: said beside the others, so that six that pass are never all there is to read. */
export function riskChecks(risk: OrderRisk | null): OrderCheck[] {
  if (risk === null) return [];
  const checks: OrderCheck[] = [];
  const graded = (name: typeof RATIO | typeof DISTANCE, grade: MarginGrade, message: string): void => {
    checks.push({
      ...name,
      state: 'warn',
      message,
      ...(grade === 'danger' ? { danger: true as const } : {}),
    });
  };
  if (risk.ratio !== null) {
    const grade = gradeOf(calculated(risk.ratio));
    const percent = printFixed(multiply(calculated(risk.ratio), HUNDRED), 2, 'half-even');
    if (grade === 'healthy') checks.push(pass(RATIO, 'Margin ratio under 50%'));
    else graded(RATIO, grade, `Margin ratio ≈ ${percent}%. At 100% it is liquidated.`);
  }
  if (risk.distance !== null) {
    const grade = gradeByPercent(risk.distance);
    const percent = printFixed(absolute(calculated(risk.distance)), 2, 'down');
    if (grade === 'healthy') checks.push(pass(DISTANCE, 'Liquidation 10% or more from the mark'));
    else graded(DISTANCE, grade, `Liquidation ≈ ${percent}% from the mark.`);
  }
  return checks;
}
