/**
 * The rows of positions at a price shock: by underlying, the largest first, with a subtotal where there is more than
 * one.
 */
import { type Amount, calculated, compare, print, sum } from '../../../src-shared/amount.ts';
import type { NotCountedPosition } from '../../../src-shared/domain/risk/price-shock.ts';
import type { ShockedPosition } from '../../../src-shared/domain/risk/shocked.ts';

export type ShockRow =
  | {
      readonly kind: 'group';
      readonly coin: string;
      readonly count: number;
      readonly move: string;
      readonly pnl: string;
    }
  | { readonly kind: 'position'; readonly inGroup: boolean; readonly one: ShockedPosition }
  | { readonly kind: 'not-counted'; readonly one: NotCountedPosition };

const total = (of: readonly ShockedPosition[], figure: 'pnl' | 'value'): Amount =>
  sum(of.map((one) => calculated(one[figure])));
const descending = (a: Amount, b: Amount): number => compare(b, a);

export function shockRows(
  positions: readonly ShockedPosition[],
  notCounted: readonly NotCountedPosition[],
  baseOf: (symbolId: string) => string,
  grouped: boolean,
): ShockRow[] {
  const rest = notCounted.map((one): ShockRow => ({ kind: 'not-counted', one }));
  const byValue = (a: ShockedPosition, b: ShockedPosition): number =>
    descending(calculated(a.value), calculated(b.value));
  if (!grouped)
    return [
      ...positions.toSorted(byValue).map((one): ShockRow => ({ kind: 'position', inGroup: false, one })),
      ...rest,
    ];
  const groups = [...Map.groupBy(positions, (one) => baseOf(one.position.symbolId))]
    .map(([coin, of]) => ({ coin, of: of.toSorted(byValue), value: total(of, 'value') }))
    .toSorted((a, b) => descending(a.value, b.value));
  return [
    ...groups.flatMap(({ coin, of }): ShockRow[] => {
      const inGroup = of.length > 1;
      const rows = of.map((one): ShockRow => ({ kind: 'position', inGroup, one }));
      const [first] = of;
      if (!inGroup || first === undefined) return rows;
      return [
        { kind: 'group', coin, count: of.length, move: first.move, pnl: print(total(of, 'pnl')) },
        ...rows,
      ];
    }),
    ...rest,
  ];
}
