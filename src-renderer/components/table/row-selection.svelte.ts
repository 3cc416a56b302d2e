import {
  hasRow,
  type RowRanges,
  rangesOf,
  rowsOf,
  sizeOf,
  withoutRow,
  withRow,
} from '../../state/runtime/row-ranges.ts';

/** The selected rows of a list: from where the selection began to where it was last extended, or rows toggled singly. */
export class RowSelection {
  #anchor = $state.raw(-1);
  #ranges = $state.raw<RowRanges>([]);
  /** Whether rows were toggled singly, so that one of them alone is shown as selected. */
  #isToggled = $state.raw(false);

  readonly size: number = $derived(sizeOf(this.#ranges));
  /** Another object for each selection, the same one while its rows only move. */
  version: object = $state.raw({});

  /** The selected rows, from the top. */
  get ranges(): RowRanges {
    return this.#ranges;
  }
  /** Whether any row is shown as selected: one that was only clicked is not. */
  readonly isShown: boolean = $derived(this.size > (this.#isToggled ? 0 : 1));
  /** Whether a row is shown as selected. */
  has(index: number): boolean {
    return this.isShown && hasRow(this.#ranges, index);
  }
  /** Returns the selected rows from the top. */
  rows(): number[] {
    return rowsOf(this.#ranges);
  }
  /** Goes to a row; with `extend` the selection reaches there, from the row `from` if nothing is selected. */
  go(index: number, extend: boolean, from = index): void {
    const anchor = !extend ? index : this.#anchor < 0 ? from : this.#anchor;
    this.#set(anchor, [{ first: Math.min(anchor, index), last: Math.max(anchor, index) }]);
  }
  /** Adds a row to the selection or takes it out; the next range begins there. */
  toggle(index: number): void {
    const change = hasRow(this.#ranges, index) ? withoutRow : withRow;
    this.#set(index, change(this.#ranges, index), true);
  }
  all(count: number): void {
    if (count > 0) this.#set(0, [{ first: 0, last: count - 1 }]);
  }
  /** Moves the selection along with its rows. */
  moved(by: number): void {
    if (this.#anchor < 0) return;
    this.#anchor += by;
    this.#ranges = this.#ranges.map(({ first, last }) => ({ first: first + by, last: last + by }));
  }
  /**
   * Follows its rows from one list of keys to the next. Clears it if one is gone, or if others are between the rows of
   * a range that was not toggled singly.
   */
  follow(before: readonly string[], now: readonly string[]): void {
    if (this.#anchor < 0) return;
    const places = new Map(now.map((key, index) => [key, index]));
    const placeOf = (row: number): number => places.get(before[row] ?? '') ?? -1;
    const found = this.rows().map(placeOf);
    const isTorn = found.some((place, index) => place !== (found[0] ?? 0) + index);
    if (found.includes(-1) || (isTorn && !this.#isToggled)) {
      this.clear();
      return;
    }
    this.#ranges = rangesOf(found.sort((a, b) => a - b));
    // The row toggled last may not be selected any more, and may be gone.
    this.#anchor = Math.max(0, placeOf(this.#anchor));
  }
  clear(): void {
    this.#set(-1, []);
  }
  #set(anchor: number, ranges: RowRanges, isToggled = false): void {
    this.#anchor = anchor;
    this.#ranges = ranges;
    this.#isToggled = isToggled;
    this.version = {};
  }
}
