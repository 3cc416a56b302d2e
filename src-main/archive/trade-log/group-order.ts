/** Sorts groups exactly by one of their values. */
import { DecimalColumn } from '../lib/decimal-column.ts';
import { sortedBy } from '../lib/radix-sort.ts';

export interface GroupKey {
  /** Unit of the value, or the text to sort by; values of different units are not compared. */
  readonly unit: string;
  /** Plain decimal; null if unknown, which sorts last. */
  readonly value: string | null;
}
type Take = (group: number, key: GroupKey) => void;

/**
 * Returns the groups sorted by their keys.
 * @param groups numbers below `size`, newest first, which is also the order of equal ones
 * @param read passes the key of each group, in any order; yields between chunks
 * @param byUnit whether to sort by unit; otherwise the most frequent unit comes first, in both directions
 */
export function* orderedGroups(
  groups: Uint32Array,
  size: number,
  read: (take: Take) => Generator<number | undefined, void>,
  { descending, byUnit }: { readonly descending: boolean; readonly byUnit: boolean },
): Generator<number | undefined, Uint32Array> {
  const values = new DecimalColumn(size);
  const units = new Map<string, number>();
  const counts: number[] = [];
  const unitOf = new Uint32Array(size);
  const unknown = new Uint8Array(size);
  yield* read((group, { unit, value }) => {
    const number = units.get(unit) ?? units.size;
    units.set(unit, number);
    unitOf[group] = number;
    counts[number] = (counts[number] ?? 0) + 1;
    if (value === null) unknown[group] = 1;
    else values.setText(group, value);
  });
  yield 0.9;
  const rankOf: number[] = [];
  [...units]
    .sort(([a, one], [b, other]) => {
      if (!byUnit) return counts[other]! - counts[one]! || (a < b ? -1 : 1);
      return (a < b ? -1 : 1) * (descending ? -1 : 1);
    })
    .forEach(([, number], rank) => (rankOf[number] = rank));
  const ranks = new Uint32Array(size);
  for (const group of groups) ranks[group] = unknown[group] === 1 ? units.size : rankOf[unitOf[group]!]!;
  // Reversed before and after, so that equal ones stay newest first.
  let rows = descending ? groups.toReversed() : groups;
  for (const limb of values.limbs()) rows = yield* sortedBy(rows, limb);
  return yield* sortedBy(descending ? rows.toReversed() : rows, ranks);
}
