/** Groups in the order of one of their figures, exactly, however many there are. */
import { createDecimalColumn } from '../lib/decimal-column.ts';
import { sortedBy } from '../lib/radix-sort.ts';

export interface GroupKey {
  /** What its figure counts in, or the word itself; figures of two units have no order. */
  readonly unit: string;
  /** Plain decimal; null: not known, which comes last. */
  readonly value: string | null;
}
type Take = (group: number, key: GroupKey) => void;

const LONGEST = 100;

/**
 * @param groups numbers below `size`, newest first: so are equal ones
 * @param read hands over the key of each of them, in any order; yields between chunks
 * @param byWord whether the units are what is sorted; otherwise the unit of most groups comes first, in both directions
 */
export function* orderedGroups(
  groups: Uint32Array,
  size: number,
  read: (take: Take) => Generator<number | undefined, void>,
  { descending, byUnit }: { readonly descending: boolean; readonly byUnit: boolean },
): Generator<number | undefined, Uint32Array> {
  const values = createDecimalColumn(size);
  const units = new Map<string, number>();
  const counts: number[] = [];
  const unitOf = new Uint32Array(size);
  const unknown = new Uint8Array(size);
  const bytes = new Uint8Array(LONGEST);
  yield* read((group, { unit, value }) => {
    const number = units.get(unit) ?? units.size;
    units.set(unit, number);
    unitOf[group] = number;
    counts[number] = (counts[number] ?? 0) + 1;
    if (value === null) {
      unknown[group] = 1;
      return;
    }
    for (let at = 0; at < value.length; at++) bytes[at] = value.charCodeAt(at);
    values.set(group, bytes, 0, value.length);
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
  // Turned round before and after, so that equal ones stay newest first.
  let rows = descending ? groups.toReversed() : groups;
  for (const limb of values.limbs()) rows = yield* sortedBy(rows, limb);
  return yield* sortedBy(descending ? rows.toReversed() : rows, ranks);
}
