/** A table's columns as data: what they show, how they sort, what the column chooser may change. */
import type { Snippet } from 'svelte';
import type { AmountKind } from '../figure/amount-kind.ts';
import { calculated, compare } from '../../../src-shared/amount.ts';
import type { CoinDecimals } from '../../text/shown-as.svelte.ts';
import type { ShownText } from '../../text/shown-text.ts';

/** How a column's amounts are written in a row. */
export interface CellForm {
  /** Decimals shared by the row's group. */
  readonly decimals: number;
  /** Amounts of the column are hidden. */
  readonly hidden: boolean;
  /** The amount's coin, if the rows of the column have different ones. */
  readonly unit?: string | undefined;
  /** How many decimals of an amount of money are shown; null for all. */
  readonly cut?: CoinDecimals | null;
}

export interface Column<R> {
  readonly key: string;
  readonly label: string;
  /** What the column means; tooltip of its head. */
  readonly help?: string;
  /** Default: left for text, right for numbers. */
  readonly align?: 'left' | 'right';
  /** Sort key, text shown without a `cell`, and the value whose changes flash. null sorts last either way. */
  readonly value: (row: R) => string | number | null;
  /** `value` is decimal text: right-aligned, sorted as a number, shown by Amount at the column's scale. */
  readonly decimal?: boolean;
  /** Rows with equal results share a scale (contract, coin); by default the whole column does. */
  readonly scaleBy?: (row: R) => string;
  /**
   * The coin of a row's amount. Amounts in two coins cannot be compared, so rows are sorted by coin first, and show it
   * while they differ.
   */
  readonly coin?: (row: R) => string | null;
  /** Whether its cells name a unit of their own, such as sizes in the quote coin: then no figure is without one. */
  readonly ownUnits?: () => boolean;
  /** Amounts of money, cut as set in the settings. A quantity is not. */
  readonly money?: boolean;
  /** Fixed number of decimals; by default the longest fraction of the rows that share a scale. */
  readonly decimals?: number;
  /** Columns of one name have the same decimals. */
  readonly scale?: string;
  /** The received text of a value that could not be read: shown with a mark in its place. */
  readonly received?: (row: R) => string | undefined;
  /** The kind of its amounts; by default from the field's name. */
  readonly of?: AmountKind;
  readonly signed?: boolean;
  readonly strong?: boolean;
  /**
   * The cell's text, if `value` alone is not enough. Drawn without a component, for values that change with each poll.
   */
  readonly text?: (row: R, as: CellForm) => ShownText;
  readonly cell?: Snippet<[row: R]>;
  /** Cannot be moved or hidden: the symbol, the actions. */
  readonly always?: boolean;
  /** Hidden by default. */
  readonly off?: boolean;
  /** From this table width, px, a column with `off` is shown after all, unless the user hides it. */
  readonly from?: number;
  /**
   * Below this table width, px, it is left out unless the user asks for it. Digits never decide which columns are
   * shown.
   */
  readonly minWidth?: number;
  readonly unsorted?: boolean;
  /** Stays in view at the right end of a table that scrolls sideways: the actions. */
  readonly pinned?: boolean;
  /** The field's name in the exchange API; becomes `data-field`. */
  readonly field?: string;
}

/** The last column, always in view: buttons that act on the row. */
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
 * Sorts rows by a column, stable; rows without a value come last in both directions. Where the column has coins, rows
 * of one coin stay together, the most frequent coin first.
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

/** Counts the rows of each coin; empty where the column has no coins. */
export function coinCounts<R>(rows: readonly R[], { coin }: Column<R>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (coin === undefined) return counts;
  for (const row of rows) {
    const name = coin(row) ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Ranks coins: the most frequent first, then by name, whatever the direction. */
function coinRanks<R>(rows: readonly R[], column: Column<R>): ReadonlyMap<string, number> {
  const ordered = [...coinCounts(rows, column)].sort(([a, m], [b, n]) => n - m || collator.compare(a, b));
  return new Map(ordered.map(([name], at) => [name, at]));
}
