import * as v from 'valibot';
import { decimalsOf } from '../../../src-shared/amount.ts';
import { isMultiple } from '../../../src-shared/domain/instrument/currencies.ts';
import { movedBy } from '../../state/runtime/moved-by.ts';
import { ColumnWidths } from './column-widths.ts';
import { coinCounts, type Column, type Sort, sortRows } from './columns.ts';
import { RowOrder } from './row-order.svelte.ts';
import { readStored, writeStored } from '../layout/stored.ts';

/** The columns the user hid, showed or moved, kept in the window's local storage. */
const layoutSchema = v.object({
  order: v.array(v.string()),
  hidden: v.array(v.string()),
  shown: v.array(v.string()),
});
type TableLayout = Readonly<v.InferOutput<typeof layoutSchema>>;
const NO_LAYOUT: TableLayout = { order: [], hidden: [], shown: [] };

interface Options<R> {
  /** Key under which the table's layout is stored. */
  readonly id: string;
  readonly columns: () => readonly Column<R>[];
  readonly rows: () => readonly R[];
  readonly rowKey: (row: R) => string;
  readonly sort?: Sort;
}

/** State of a table: row order, visible columns, scales, the expanded and the focused row. */
export class TableModel<R> {
  readonly id: string;
  readonly rowKey: (row: R) => string;
  readonly widths = new ColumnWidths();
  readonly #columns: () => readonly Column<R>[];
  readonly #rows: () => readonly R[];
  sort = $state.raw<Sort | null>(null);
  expanded = $state<string | null>(null);
  focused = $state<string | null>(null);
  #layout = $state.raw(NO_LAYOUT);
  /** Available width, px; 0 until it is measured. */
  width = $state(0);

  constructor(options: Options<R>) {
    this.id = options.id;
    this.rowKey = options.rowKey;
    this.#columns = options.columns;
    this.#rows = options.rows;
    this.sort = options.sort ?? null;
    this.#layout = readStored(`columns.${options.id}`, layoutSchema, NO_LAYOUT);
  }

  /** All columns in the user's order; fixed ones stay at the ends. */
  readonly columns: readonly Column<R>[] = $derived.by(() => {
    const all = this.#columns();
    const rank = (column: Column<R>): number => {
      const at = this.#layout.order.indexOf(column.key);
      return at < 0 ? this.#layout.order.length : at;
    };
    const first = all.findIndex((one) => !one.always);
    const movable = all.filter((one) => !one.always).sort((a, b) => rank(a) - rank(b));
    const fixed = all.filter((one) => one.always);
    const before = first < 0 ? fixed.length : first;
    return [...fixed.slice(0, before), ...movable, ...fixed.slice(before)];
  });
  readonly visible: readonly Column<R>[] = $derived(this.columns.filter((one) => this.isVisible(one)));

  readonly #sorted: readonly R[] = $derived.by(() => {
    const rows = this.#rows();
    const sort = this.sort;
    const column = this.#columns().find((one) => one.key === sort?.key);
    return sort === null || column === undefined ? rows : sortRows(rows, column, sort.descending);
  });
  readonly order: RowOrder<R> = new RowOrder(
    () => this.#sorted,
    (row) => this.rowKey(row),
  );
  /** Moves the focus to the row that had it last; set by the table drawn. */
  refocus = (): void => {};
  /** Sorts once and keeps the focus on its row, which may have moved. */
  sortOnce(): void {
    this.order.sortOnce();
    this.refocus();
  }

  /** The rows as shown: sorted, or in a held order while the table is in use. */
  readonly sorted: readonly R[] = $derived.by(() => this.order.rows);

  /** For columns with several coins, or multiples of one (×10 SOL): the most frequent coin, or '' if none is. */
  readonly #mixed: ReadonlyMap<string, string> = $derived.by(() => {
    const rows = this.#rows();
    const mixed = new Map<string, string>();
    for (const column of this.visible) {
      const counts = coinCounts(rows, column);
      const [first = ''] = counts.keys();
      if (counts.size < 2 && !isMultiple(first)) continue;
      const [main] = [...counts].filter(([, count]) => 2 * count > rows.length);
      mixed.set(column.key, main?.[0] ?? '');
    }
    return mixed;
  });
  /** Returns the coin to show with a figure; undefined if it is the column's only or most frequent one. */
  unitOf(column: Column<R>, row: R): string | undefined {
    return this.unitOfCoin(column, column.coin?.(row) ?? undefined);
  }
  /** Returns the same for a figure in `coin`, such as a total below the column. */
  unitOfCoin({ key, ownUnits }: Column<R>, coin: string | undefined): string | undefined {
    const main = this.#mixed.get(key);
    if (main === undefined) return undefined;
    return coin === main && ownUnits?.() !== true ? undefined : coin;
  }
  /** Returns the coin of the figures shown without one where rows have different coins, for the column's head. */
  headUnit({ key, ownUnits }: Column<R>): string | undefined {
    const main = this.#mixed.get(key);
    if (!main || ownUnits?.() === true) return undefined;
    // It takes the room of the cells' units.
    this.widths.noteUnit(key, main);
    return main;
  }
  /** For a cell drawn by components, which knows its column by key. */
  unitOfKey(key: string, row: R): string | undefined {
    const column = this.columns.find((one) => one.key === key);
    return column === undefined ? undefined : this.unitOf(column, row);
  }

  /** Decimals by column, or the name of its scale, and group. */
  readonly #scales: ReadonlyMap<string, ReadonlyMap<string, number>> = $derived.by(() => {
    const scales = new Map<string, ReadonlyMap<string, number>>();
    for (const column of this.visible) {
      if (!column.decimal || column.decimals !== undefined) continue;
      const key = column.scale ?? column.key;
      const groups = new Map(scales.get(key));
      for (const row of this.#rows()) {
        const group = column.scaleBy?.(row) ?? '';
        const scale = decimalsOf(String(column.value(row) ?? ''));
        if (scale > (groups.get(group) ?? 0)) groups.set(group, scale);
      }
      scales.set(key, groups);
    }
    return scales;
  });

  scaleOf(column: Column<R>, row: R): number {
    if (!column.decimal) return 0;
    return column.decimals ?? this.scaleOfGroup(column.scale ?? column.key, column.scaleBy?.(row) ?? '');
  }

  /** For a total of rows that share a scale. */
  scaleOfGroup(key: string, group: string): number {
    return this.#scales.get(key)?.get(group) ?? 0;
  }

  isVisible(column: Column<R>): boolean {
    return this.isChosen(column) && this.hasSpaceFor(column);
  }
  /** Columns left out: `narrow` for lack of space, `hidden` by the user. */
  readonly leftOut: { readonly narrow: readonly Column<R>[]; readonly hidden: readonly Column<R>[] } =
    $derived.by(() => ({
      narrow: this.columns.filter((one) => this.isChosen(one) && !this.hasSpaceFor(one)),
      hidden: this.columns.filter((one) => !this.#isOff(one) && !this.isChosen(one)),
    }));
  #isOff({ off, from }: Column<R>): boolean {
    return off === true && (from === undefined || this.width < from);
  }
  /** Whether the column is chosen, even if there is no space for it now. */
  isChosen(column: Column<R>): boolean {
    if (column.always) return true;
    return this.#isOff(column)
      ? this.#layout.shown.includes(column.key)
      : !this.#layout.hidden.includes(column.key);
  }

  sortBy(column: Column<R>): void {
    const now = this.sort;
    const numbers = column.decimal === true || column.align === 'right';
    if (now?.key !== column.key) this.sort = { key: column.key, descending: numbers };
    else this.sort = { key: column.key, descending: !now.descending };
    this.order.sortChanged();
  }

  hasSpaceFor(column: Column<R>): boolean {
    const { minWidth } = column;
    return minWidth === undefined || this.width === 0 || this.width >= minWidth || this.#isRequested(column);
  }
  #isRequested(column: Column<R>): boolean {
    return this.#layout.shown.includes(column.key);
  }

  setVisible(column: Column<R>, visible: boolean): void {
    const { order, hidden, shown } = this.#layout;
    const without = (list: readonly string[]): string[] => list.filter((key) => key !== column.key);
    this.#keep({
      order,
      hidden: visible || this.#isOff(column) ? without(hidden) : [...without(hidden), column.key],
      // Chosen explicitly, a column is shown in a narrow table too.
      shown: visible ? [...without(shown), column.key] : without(shown),
    });
  }

  /** Moves a column one place among the movable ones. */
  move(column: Column<R>, by: -1 | 1): void {
    const keys = this.columns.filter((one) => !one.always).map((one) => one.key);
    this.#keep({ ...this.#layout, order: movedBy(keys, column.key, by) });
  }

  resetLayout(): void {
    this.#keep(NO_LAYOUT);
  }

  toggle(key: string): void {
    this.expanded = this.expanded === key ? null : key;
  }

  #keep(layout: TableLayout): void {
    this.#layout = layout;
    writeStored(`columns.${this.id}`, layout);
  }
}
