/** How near a batch leaves a position to its liquidation price. */
import { amount, calculated, greater, isPositive, multiply, printFixed } from '../../../src-shared/amount.ts';
import { headroomGrade, headroomOf } from '../../../src-shared/domain/margin/severity.ts';
import { distanceShare } from '../../../src-shared/domain/position/metrics.ts';
import type { PositionAfter } from '../../../src-shared/domain/risk/after-fills.ts';
import type { SpecsStore } from '../account/contract-specs.svelte.ts';

type References = Pick<SpecsStore, 'references'>;

/** Returns the distance from the contract's price, or from the entry where none is known, as a share; else null. */
export function distanceAfter(
  { symbolId, leg, liquidation }: PositionAfter,
  specs: References,
): string | null {
  const price = specs.references(symbolId)[0]?.price ?? leg?.entryPrice ?? null;
  return liquidation.value === null || price === null ? null : distanceShare(price, liquidation.value);
}

const grows = ({ leg, before }: PositionAfter): boolean =>
  leg !== null &&
  (before?.leg.side !== leg.side || greater(amount(leg.quantity), amount(before.leg.quantity)));

/** Returns the tick for a position that the batch opens or enlarges so near to liquidation that it is graded danger. */
export function nearTick(one: PositionAfter, specs: References): string | null {
  const share = grows(one) ? distanceAfter(one, specs) : null;
  if (share === null) return null;
  const left = headroomOf(calculated(share), one.leg?.side ?? '');
  if (headroomGrade(left) !== 'danger') return null;
  return isPositive(left)
    ? `I accept liquidation of ${one.symbolId} ≈ ${printFixed(multiply(left, amount('100')), 2, 'down')}% from the mark`
    : `I accept that the mark of ${one.symbolId} is past the liquidation price`;
}
