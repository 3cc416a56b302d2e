/** Sets of rows as ranges from the top, none of which touches the next: a list may have a million rows. */
export interface RowRange {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
}
export type RowRanges = readonly RowRange[];

export const sizeOf = (ranges: RowRanges): number =>
  ranges.reduce((size, { first, last }) => size + last - first + 1, 0);

export const rowsOf = (ranges: RowRanges): number[] =>
  ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** @param rows from the top */
export const rangesOf = (rows: readonly number[]): RowRanges =>
  rows.reduce<RowRanges>((ranges, row) => withRow(ranges, row), []);

export const hasRow = (ranges: RowRanges, row: number): boolean =>
  ranges.some(({ first, last }) => row >= first && row <= last);

/** Adds a row that is in none of the ranges; it joins the two it touches. */
export function withRow(ranges: RowRanges, row: number): RowRanges {
  const above = ranges.filter(({ last }) => last < row - 1);
  const below = ranges.filter(({ first }) => first > row + 1);
  const first = ranges.find((one) => one.last === row - 1)?.first ?? row;
  const last = ranges.find((one) => one.first === row + 1)?.last ?? row;
  return [...above, { first, last }, ...below];
}

/** Takes a row out; its range becomes two. */
export const withoutRow = (ranges: RowRanges, row: number): RowRanges =>
  ranges.flatMap((one) =>
    row < one.first || row > one.last
      ? [one]
      : [
          { first: one.first, last: row - 1 },
          { first: row + 1, last: one.last },
        ].filter(({ first, last }) => first <= last),
  );
