/**
 * Grades an order by margin ratio and distance to liquidation after it. If it may fill at several prices, each value is
 * the worst of them; an isolated order is graded by the ratio of its position, too.
 */
import { amount, calculated, greater, isPositive, less, multiply, print, printFixed } from '../../amount.ts';
import { type OrderCheck, pass, unsure, warn } from './check.ts';
import {
  gradeOf,
  isWorse,
  type MarginGrade,
  headroomGrade,
  headroomOf,
  printDistance,
} from '../margin/severity.ts';
import { EQUITY_USED_UP, type Figure } from '../account/figure.ts';
import type { OrderPreview } from './preview.ts';

export interface OrderRisk {
  /** Null if nothing known is dangerous, but not everything is known. */
  readonly grade: MarginGrade | null;
  /** Share; null if unknown. */
  readonly ratio: string | null;
  /** Distance left to liquidation, a share of the mark; 0 or below once passed, null without a liquidation price. */
  readonly distance: string | null;
  /** Whether no equity would be left behind the positions. */
  readonly isUsedUp: boolean;
  /** Why ratio or distance is unknown; null if known or none exists. */
  readonly ratioUnknown: string | null;
  readonly distanceUnknown: string | null;
}

/** Grades a margin ratio; one without equity left is danger, an unknown one healthy. */
export const ratioGrade = ({ value, reason }: Figure): MarginGrade =>
  value === null ? (reason === EQUITY_USED_UP ? 'danger' : 'healthy') : gradeOf(calculated(value));

/** Grades the previews; null for an order that only reduces. */
export function orderRisk(previews: readonly OrderPreview[]): OrderRisk | null {
  if (!previews.some((one) => one.effect.opened !== '0')) return null;
  const worst = { ...worstRatio(previews), ...leastDistance(previews) };
  const { ratio, distance, isUsedUp, ratioUnknown, distanceUnknown } = worst;
  const byRatio = ratio === null ? 'healthy' : gradeOf(calculated(ratio));
  const byDistance = distance === null ? 'healthy' : headroomGrade(calculated(distance));
  const known = isUsedUp ? 'danger' : isWorse(byRatio, byDistance) ? byRatio : byDistance;
  const isOpen = known === 'healthy' && (ratioUnknown !== null || distanceUnknown !== null);
  return { ...worst, grade: isOpen ? null : known };
}

function worstRatio(
  previews: readonly OrderPreview[],
): Pick<OrderRisk, 'ratio' | 'isUsedUp' | 'ratioUnknown'> {
  const after = previews.flatMap(({ marginRatio, isolatedRatio }) =>
    [marginRatio, ...(isolatedRatio ? [isolatedRatio] : [])].map((one) => one.after),
  );
  let ratio: string | null = null;
  for (const { value } of after)
    if (value !== null && (ratio === null || greater(calculated(value), calculated(ratio)))) ratio = value;
  const reasons = after.map(({ reason }) => reason ?? null);
  return {
    ratio,
    isUsedUp: reasons.includes(EQUITY_USED_UP),
    ratioUnknown: reasons.find((one) => one !== null && one !== EQUITY_USED_UP) ?? null,
  };
}

function leastDistance(previews: readonly OrderPreview[]): Pick<OrderRisk, 'distance' | 'distanceUnknown'> {
  let distance: string | null = null;
  let distanceUnknown: string | null = null;
  for (const { distance: way, noLiquidation, after } of previews) {
    const { value, reason } = way.after;
    if (!noLiquidation) distanceUnknown ??= reason ?? null;
    if (value === null) continue;
    const left = headroomOf(calculated(value), after?.leg.side ?? '');
    if (distance === null || less(left, calculated(distance))) distance = print(left);
  }
  return { distance, distanceUnknown };
}

/** Returns the risk as checks, so that passed checks are never shown without it. */
export function riskChecks(risk: OrderRisk | null): OrderCheck[] {
  if (risk === null) return [];
  const { ratio, distance, isUsedUp, ratioUnknown, distanceUnknown } = risk;
  const percentOf = (share: string): string =>
    printFixed(multiply(calculated(share), amount('100')), 2, 'half-even');
  return [
    ...riskCheck('risk-ratio', {
      grade: isUsedUp ? 'danger' : ratio === null ? null : gradeOf(calculated(ratio)),
      unknown: ratioUnknown === null ? null : `Margin ratio is not known: ${ratioUnknown}`,
      far: 'Margin ratio under 50%',
      near:
        isUsedUp || ratio === null
          ? EQUITY_USED_UP
          : `Margin ratio ≈ ${percentOf(ratio)}%. Liquidation is at 100%.`,
    }),
    ...riskCheck('risk-distance', {
      grade: distance === null ? null : headroomGrade(calculated(distance)),
      unknown: distanceUnknown === null ? null : `Distance to liquidation is not known: ${distanceUnknown}`,
      far: 'Liquidation 10% or more from the mark',
      near:
        distance === null
          ? ''
          : isPositive(calculated(distance))
            ? `Liquidation ≈ ${printDistance(calculated(distance))}% from the mark.`
            : 'The mark is past the liquidation price: the position would be liquidated at once.',
    }),
  ];
}

interface Graded {
  /** Null if there is none or it is unknown. */
  readonly grade: MarginGrade | null;
  readonly unknown: string | null;
  readonly far: string;
  readonly near: string;
}
function riskCheck(id: string, { grade, unknown, far, near }: Graded): OrderCheck[] {
  const name = { id, code: null, field: 'account' } as const;
  if (grade === 'danger') return [{ ...warn(name, near), danger: true }];
  if (grade === 'caution') return [warn(name, near)];
  if (unknown !== null) return [unsure(name, unknown)];
  return grade === null ? [] : [pass(name, far)];
}
