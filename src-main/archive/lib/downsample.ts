/** Fewer points for a chart: of each stretch of time the first, the lowest, the highest and the last. */
import { amount, less, type Amount } from '../../../src-shared/amount.ts';

/** `rows` in the order of time; at most `points` of them, the same records, still in order. */
export function leastAndMost<T>(
  rows: readonly T[],
  points: number,
  timeOf: (row: T) => number,
  valueOf: (row: T) => string,
): readonly T[] {
  const [first] = rows;
  const last = rows.at(-1);
  if (rows.length <= points || first === undefined || last === undefined) return rows;
  const stretches = Math.max(1, Math.floor(points / 4));
  const span = Math.max(1, timeOf(last) - timeOf(first) + 1);
  const kept = new Set<number>();
  let current = -1;
  let least: { index: number; value: Amount } | null = null;
  let most: { index: number; value: Amount } | null = null;
  const close = (end: number): void => {
    for (const one of [least, most]) if (one !== null) kept.add(one.index);
    if (end >= 0) kept.add(end);
  };
  rows.forEach((row, index) => {
    const stretch = Math.floor(((timeOf(row) - timeOf(first)) * stretches) / span);
    const value = amount(valueOf(row));
    if (stretch !== current) {
      close(index - 1);
      kept.add(index);
      current = stretch;
      least = { index, value };
      most = { index, value };
      return;
    }
    if (least === null || less(value, least.value)) least = { index, value };
    if (most === null || less(most.value, value)) most = { index, value };
  });
  close(rows.length - 1);
  return [...kept].sort((a, b) => a - b).map((index) => rows[index]!);
}
