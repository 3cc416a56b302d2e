/** A table's columns as data: what is shown, how it sorts, what the chooser may do with it. */
import type { Snippet } from 'svelte';
import type { AmountKind } from './amount-kind.ts';
import { calculated, compare } from '../../src-shared/amount.ts';
import type { CoinDecimals } from '../text/coin-decimals.ts';
import type { ShownText } from '../text/shown-text.ts';

/** How a column's amounts are written. */
export interface CellForm {
  /** The scale of the row's group. */
  readonly decimals: number;
  /** Amounts of the column are hidden. */
  readonly hidden: boolean;
  /** The amount's coin, where the rows of the column differ in it. */
  readonly unit?: string | undefined;
  /** What is shown of an amount of money; null for all of it. */
  readonly cut?: CoinDecimals | null;
}

export interface Column<R> {
  readonly key: string;
  readonly label: string;
  /** What it means; the head's tooltip. */
  readonly help?: string;
  /** Text left (default), numbers right. */
  readonly align?: 'left' | 'right' | 'center';
  /** Sort key, text shown without a `cell`, and what the change tint watches. null sorts last either way. */
  readonly value: (row: R) => string | number | null;
  /** `value` is decimal text: right-aligned, sorted as a number, shown by Amount at the column's scale. */
  readonly decimal?: boolean;
  /** Rows of equal text share a scale (contract, coin); without it the whole column does. */
  readonly scaleBy?: (row: R) => string;
  /**
   * The coin its amounts are in. Amounts of two coins are no more or less than each other: rows are sorted by coin
   * first,
   * and carry it while they differ.
   */
  readonly coin?: (row: R) => string | null;
  /** They are money: cut as the user set. A quantity is not. */
  readonly money?: boolean;
  /** Decimals every row has; without it the longest fraction of the rows that share a scale. */
  readonly decimals?: number;
  /** The value as it came, where that is not what was read: shown and marked in place of a value that is missing. */
  readonly received?: (row: R) => string | undefined;
  /** The kind of its amounts; by default from the field's name. */
  readonly of?: AmountKind;
  readonly signed?: boolean;
  readonly strong?: boolean;
  /** Where `value` alone is not what the cell says. Written without a component: for whatever each poll changes. */
  readonly text?: (row: R, as: CellForm) => ShownText;
  /** A cell of components. */
  readonly cell?: Snippet<[row: R]>;
  /** Stays where it is and cannot be hidden: the symbol, the actions. */
  readonly always?: boolean;
  /** Hidden until chosen. */
  readonly off?: boolean;
  /** Of one that is `off`: px from which its table has room for it all the same, unless the user hides it. */
  readonly from?: number;
  /**
   * Left out of a table narrower than this, px, unless the user asks for it: which columns there are never rests
   * on digits.
   */
  readonly minWidth?: number;
  readonly unsorted?: boolean;
  /** Stays in view at the right end while a wide table is scrolled: the actions. */
  readonly pinned?: boolean;
  /** The field's name in the exchange API; becomes `data-field`. */
  readonly field?: string;
}

/** What can be done with a row: the last column of its table, always in view. */
export const actionsColumn = <R>(cell: Snippet<[row: R]>): Column<R> => ({
  key: 'actions',
  label: 'Actions',
  align: 'right',
  always: true,
  pinned: true,
  unsorted: true,
  value: () => null,
  cell,
});

export interface Sort {
  readonly key: string;
  readonly descending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true });

/**
 * Rows in the order of a column, stable; rows without a value last in both directions. Where the column has coins,
 * rows of
 * one coin stand together: the coin of most rows first.
 */
export function sortRows<R>(rows: readonly R[], column: Column<R>, descending: boolean): R[] {
  const keyed = rows.map((row) => {
    const value = column.value(row);
    const empty = value === null || value === '';
    return { row, value, exact: column.decimal && !empty ? calculated(String(value)) : null, empty };
  });
  const coins = coinRanks(rows, column);
  const rank = (row: R): number => coins.get(column.coin?.(row) ?? '') ?? 0;
  keyed.sort((a, b) => {
    if (a.empty || b.empty) return a.empty === b.empty ? 0 : a.empty ? 1 : -1;
    if (coins.size > 1 && rank(a.row) !== rank(b.row)) return rank(a.row) - rank(b.row);
    const order =
      a.exact !== null && b.exact !== null
        ? compare(a.exact, b.exact)
        : typeof a.value === 'number' && typeof b.value === 'number'
          ? a.value - b.value
          : collator.compare(String(a.value), String(b.value));
    return descending ? -order : order;
  });
  return keyed.map((one) => one.row);
}

/** How many rows are of each coin; none where the column has no coins. */
export function coinCounts<R>(rows: readonly R[], { coin }: Column<R>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (coin === undefined) return counts;
  for (const row of rows) {
    const name = coin(row) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Place of each coin among the rows': most rows first, then by name, whatever the direction. */
function coinRanks<R>(rows: readonly R[], column: Column<R>): ReadonlyMap<string, number> {
  const ordered = [...coinCounts(rows, column)].sort(([a, m], [b, n]) => n - m || collator.compare(a, b));
  return new Map(ordered.map(([name], at) => [name, at]));
}
