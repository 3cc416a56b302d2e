/** How near a batch leaves a position to its liquidation: by price, and by margin ratio if it is isolated. */
import { type Amount, calculated, greater, less } from '../../../src-shared/amount.ts';
import { headroomOf } from '../../../src-shared/domain/margin/severity.ts';
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
  (before?.leg.side !== leg.side || greater(calculated(leg.quantity), calculated(before.leg.quantity)));

/** Returns the share left to liquidation of a position that the batch opens or enlarges; else null. */
function distanceLeft(one: PositionAfter, specs: References): Amount | null {
  const share = grows(one) ? distanceAfter(one, specs) : null;
  return share === null ? null : headroomOf(calculated(share), one.leg?.side ?? '');
}

/** Returns the least share left by contract, of the positions that the batch opens or enlarges. */
export const leastDistances = (
  all: readonly PositionAfter[],
  specs: References,
): ReadonlyMap<string, Amount> => bySymbol(all, (one) => distanceLeft(one, specs), less);

/** Returns the highest margin ratio by contract, of the isolated positions that the batch opens or enlarges. */
export const highestRatios = (all: readonly PositionAfter[]): ReadonlyMap<string, Amount> =>
  bySymbol(all, isolatedRatio, greater);

function isolatedRatio(one: PositionAfter): Amount | null {
  const ratio = grows(one) ? one.isolatedRatio?.value : null;
  return ratio ? calculated(ratio) : null;
}

function bySymbol(
  all: readonly PositionAfter[],
  valueOf: (one: PositionAfter) => Amount | null,
  isWorse: (one: Amount, other: Amount) => boolean,
): ReadonlyMap<string, Amount> {
  const found = new Map<string, Amount>();
  for (const one of all) {
    const value = valueOf(one);
    const before = found.get(one.symbolId);
    if (value !== null && (before === undefined || isWorse(value, before))) found.set(one.symbolId, value);
  }
  return found;
}
