/** Heads and column widths of the grouped trade log. */
import { shownAs } from '../../text/shown-as.svelte.ts';
import { type AmountOptions, amountText, CUT } from '../../text/shown-text.ts';
import type { GroupColumn } from '../../../src-shared/ipc/trade-groups.ts';

export interface ListHead<C extends string> {
  readonly label: string;
  /** null if the column cannot be sorted. */
  readonly column: C | null;
  readonly right: boolean;
  readonly title?: string | undefined;
}

export type GroupHead = ListHead<GroupColumn>;

// Measured in the running app: Inter at 12px with tabular figures, symbols semibold, units at 11px; the cells' padding.
const DIGIT = 7.85;
const MARK = 3.8;
const LETTER = 8.2;
const UNIT_GAP = 3;
const ABOUT = 12;
/** Width of the dotted tail of a cut amount. Before a unit each amount of money leaves it, so that digits end alike. */
const TAIL = 9;
const PADDING = 10;
const EDGES = 16;

/** Returns the width in px of an amount with its unit, as `Amount` draws it. */
export function amountWidth(
  value: string | null,
  { money, ...options }: Omit<AmountOptions, 'cut'> & { readonly money?: string | null | undefined } = {},
): number {
  const cut = money === null || money === undefined ? null : shownAs.decimalsOf(money);
  const pieces = amountText(value, { ...options, estimate: false, cut }, false).pieces;
  const isTail = (piece: (typeof pieces)[number]): boolean =>
    typeof piece !== 'string' && piece.className === CUT;
  const text = pieces
    .filter((piece) => !isTail(piece))
    .map((piece) => (typeof piece === 'string' ? piece : piece.text))
    .join('');
  const marks = text.replace(/[^.,'\s]/g, '').length;
  const unit = options.unit === undefined ? 0 : options.unit.length * LETTER + UNIT_GAP;
  return (
    (text.length - marks) * DIGIT +
    marks * MARK +
    unit +
    (pieces.some(isTail) || (cut !== null && options.unit !== undefined) ? TAIL : 0) +
    (options.estimate === true ? ABOUT : 0)
  );
}
/** Returns the longest of these units: each amount of a column leaves its place, so that digits end alike in every row. */
export const longestUnit = (units: Iterable<string | undefined>): string =>
  [...units].reduce<string>((longest, unit = '') => (unit.length > longest.length ? unit : longest), '');
/** A letter of a unit is about as wide, px; `LETTER` leaves space for a wide one. */
const UNIT_LETTER = 7.4;
/** Returns the CSS width of a unit's place. */
export const unitPlace = (unit: string): string => `${Math.ceil(unit.length * UNIT_LETTER)}px`;

/** A longer symbol is shortened: its title has all of it. */
const LONGEST_SYMBOL = 18;
/** Returns the width in px left for a symbol. */
export const symbolWidth = (symbol: string): number => Math.min(symbol.length, LONGEST_SYMBOL) * LETTER;

/** Returns the width of a column in px: its widest figure, but at least `least`. */
export const columnWidth = (widths: Iterable<number>, least: number): number => {
  let widest = least - PADDING;
  for (const width of widths) widest = Math.max(widest, width);
  return Math.ceil(widest) + PADDING;
};

export interface GroupGrid {
  /** CSS grid-template-columns. */
  readonly template: string;
  /** Narrower than this, px, it would not fit. */
  readonly least: number;
}
/** @param columns minimum width in px, and share of the remaining space */
export const gridOf = (columns: readonly (readonly [width: number, share: number])[]): GroupGrid => ({
  template: columns.map(([width, share]) => `minmax(${width}px, ${share}fr)`).join(' '),
  least: columns.reduce((sum, [width]) => sum + width, EDGES),
});

export interface GroupListColumn extends GroupHead {
  /** Minimum width in px, and share of the remaining space. */
  readonly size: readonly [width: number, share: number];
}
/** Returns the columns that fit into `width` px: without the `optional` ones, by label and in this order, that do not. */
export function columnsIn(
  all: readonly GroupListColumn[],
  optional: readonly string[],
  width: number,
): readonly GroupListColumn[] {
  let left = all;
  for (const gone of optional) {
    if (gridOf(left.map(({ size }) => size)).least <= width) break;
    left = left.filter(({ label }) => label !== gone);
  }
  return left;
}
