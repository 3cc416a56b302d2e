/** Downsamples a chart's points: per time bucket the first, lowest, highest and last. */
import { amount, less, type Amount } from '../../../src-shared/amount.ts';

/** Returns at most about `points` of the rows, in order. `rows` must be sorted by time. */
export function downsample<T>(
  rows: readonly T[],
  points: number,
  timeOf: (row: T) => number,
  valueOf: (row: T) => string,
): readonly T[] {
  const [first] = rows;
  const last = rows.at(-1);
  if (rows.length <= points || first === undefined || last === undefined) return rows;
  const buckets = Math.max(1, Math.floor(points / 4));
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
    const bucket = Math.floor(((timeOf(row) - timeOf(first)) * buckets) / span);
    const value = amount(valueOf(row));
    if (bucket !== current) {
      close(index - 1);
      kept.add(index);
      current = bucket;
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
