import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctPairs } from './assignment.ts';

type Table = readonly (readonly number[])[];
const never = (a: number, b: number): boolean => a === b;
const sourcesOf = (table: Table): number[] => table.map((_, source) => source);
const pairsOf = (table: Table, interchangeable: (a: number, b: number) => boolean) =>
  distinctPairs(sourcesOf(table), (source) => table[source] ?? [], interchangeable);

/** Every way to give each source a candidate of its own. */
function allWays(table: Table, taken: readonly number[] = []): (readonly number[])[] {
  const [next, ...rest] = table;
  if (next === undefined) return [taken];
  return next
    .filter((candidate) => !taken.includes(candidate))
    .flatMap((candidate) => allWays(rest, [...taken, candidate]));
}

/** As many candidates in all as sources, as its user makes sure: none can be left over. */
const tables = fc.integer({ min: 1, max: 5 }).chain((size) =>
  fc.array(
    fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { minLength: 1 }).map((list) => list.sort()),
    { minLength: size, maxLength: size },
  ),
);

describe('distinct candidates', () => {
  it('are found exactly if there is one way only, where none are interchangeable', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const ways = allWays(table);
        const pairs = pairsOf(table, never);
        expect(pairs && sourcesOf(table).map((source) => pairs.get(source))).toEqual(
          ways.length === 1 ? ways[0] : null,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('are found exactly if there is any way, where all are interchangeable', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const pairs = pairsOf(table, () => true);
        const found = pairs && sourcesOf(table).map((source) => pairs.get(source));
        const ways = allWays(table);
        if (ways.length === 0) expect(found).toBeNull();
        else expect(ways).toContainEqual(found);
      }),
      { numRuns: 2_000 },
    );
  });

  it('go to interchangeable sources in order', () => {
    const all = [7, 8, 9];
    const pairs = pairsOf([all, all, all], () => true);
    expect(pairs && [...pairs].sort()).toEqual([
      [0, 7],
      [1, 8],
      [2, 9],
    ]);
  });

  it('are not found where sources could swap in a cycle', () => {
    const cycle = [
      [7, 8],
      [8, 9],
      [7, 9],
    ];
    expect(pairsOf(cycle, never)).toBeNull();
    expect(pairsOf(cycle, (a, b) => a === b || a + b === 1)).toBeNull();
    expect(pairsOf(cycle, () => true)?.size).toBe(3);
  });

  it('are given up by a source that has another', () => {
    expect(pairsOf([[7, 8], [7]], never)?.get(0)).toBe(8);
    expect(pairsOf([[7, 8], [8, 9], [7]], never)).toEqual(
      new Map([
        [0, 8],
        [1, 9],
        [2, 7],
      ]),
    );
  });
});
