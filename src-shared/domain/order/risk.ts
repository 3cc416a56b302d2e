/**
 * Grades an order by margin ratio and distance to liquidation after it. If it may fill at several prices, each value is
 * the worst of them.
 */
import {
  amount,
  calculated,
  divide,
  greater,
  isPositive,
  less,
  multiply,
  print,
  printFixed,
} from '../../amount.ts';
import { type OrderCheck, pass, unsure, warn } from './check.ts';
import { gradeOf, isWorse, type MarginGrade, headroomGrade, headroomOf } from '../margin/severity.ts';
import { EQUITY_USED_UP } from '../account/figure.ts';
import type { OrderPreview } from './preview.ts';

export interface OrderRisk {
  /** Null if nothing known is dangerous, but not everything is known. */
  readonly grade: MarginGrade | null;
  /** Share; null if unknown. */
  readonly ratio: string | null;
  /** Distance left to liquidation, in percent of the mark; 0 or below once passed, null without a liquidation price. */
  readonly distance: string | null;
  /** Whether no equity would be left behind the positions. */
  readonly isUsedUp: boolean;
  /** Why ratio or distance is unknown; null if known or none exists. */
  readonly ratioUnknown: string | null;
  readonly distanceUnknown: string | null;
}

const HUNDRED = amount('100');

/** Grades the previews; null for an order that only reduces. */
export function orderRisk(previews: readonly OrderPreview[]): OrderRisk | null {
  if (!previews.some((one) => one.effect.opened !== '0')) return null;
  let ratio: string | null = null;
  let distance: string | null = null;
  let isUsedUp = false;
  let ratioUnknown: string | null = null;
  let distanceUnknown: string | null = null;
  for (const { marginRatio, distance: way, noLiquidation, after } of previews) {
    if (marginRatio.after.reason === EQUITY_USED_UP) isUsedUp = true;
    else ratioUnknown ??= marginRatio.after.reason ?? null;
    if (!noLiquidation) distanceUnknown ??= way.after.reason ?? null;
    const r = marginRatio.after.value;
    const d =
      way.after.value === null ? null : headroomOf(calculated(way.after.value), after?.leg.side ?? '');
    if (r !== null && (ratio === null || greater(calculated(r), calculated(ratio)))) ratio = r;
    if (d !== null && (distance === null || less(d, calculated(distance)))) distance = print(d);
  }
  const byRatio = ratio === null ? 'healthy' : gradeOf(calculated(ratio));
  const byDistance = distance === null ? 'healthy' : gradeByPercent(distance);
  const known = isUsedUp ? 'danger' : isWorse(byRatio, byDistance) ? byRatio : byDistance;
  const isOpen = known === 'healthy' && (ratioUnknown !== null || distanceUnknown !== null);
  return { grade: isOpen ? null : known, ratio, distance, isUsedUp, ratioUnknown, distanceUnknown };
}

const gradeByPercent = (percent: string): MarginGrade => headroomGrade(divide(calculated(percent), HUNDRED));

/** Returns the risk as checks, so that passed checks are never shown without it. */
export function riskChecks(risk: OrderRisk | null): OrderCheck[] {
  if (risk === null) return [];
  const { ratio, distance, isUsedUp, ratioUnknown, distanceUnknown } = risk;
  const percentOf = (share: string): string =>
    printFixed(multiply(calculated(share), HUNDRED), 2, 'half-even');
  const away = (percent: string): string => printFixed(calculated(percent), 2, 'down');
  return [
    ...riskCheck('risk-ratio', {
      grade: isUsedUp ? 'danger' : ratio === null ? null : gradeOf(calculated(ratio)),
      unknown: ratioUnknown === null ? null : `Margin ratio is not known: ${ratioUnknown}`,
      far: 'Margin ratio under 50%',
      near:
        isUsedUp || ratio === null
          ? EQUITY_USED_UP
          : `Margin ratio ≈ ${percentOf(ratio)}%. At 100% it is liquidated.`,
    }),
    ...riskCheck('risk-distance', {
      grade: distance === null ? null : gradeByPercent(distance),
      unknown: distanceUnknown === null ? null : `Distance to liquidation is not known: ${distanceUnknown}`,
      far: 'Liquidation 10% or more from the mark',
      near:
        distance === null
          ? ''
          : isPositive(calculated(distance))
            ? `Liquidation ≈ ${away(distance)}% from the mark.`
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
