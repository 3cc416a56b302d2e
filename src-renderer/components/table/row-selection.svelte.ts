/** The selected rows of a list: from where the selection began to where it was last extended, or ones toggled singly. */
export class RowSelection {
  #anchor = $state.raw(-1);
  #end = $state.raw(-1);
  /** Rows toggled singly, in place of the range; null while there is only the range. */
  #single = $state.raw<ReadonlySet<number> | null>(null);

  readonly first: number = $derived(Math.min(this.#anchor, this.#end));
  readonly last: number = $derived(Math.max(this.#anchor, this.#end));
  readonly size: number = $derived(this.#single?.size ?? (this.#anchor < 0 ? 0 : this.last - this.first + 1));
  /** Another object for each selection, the same one while its rows only move. */
  version: object = $state.raw({});

  /** Whether a row is shown as selected: one that was only clicked is not. */
  has(index: number): boolean {
    if (this.#single !== null) return this.#single.has(index);
    return this.size > 1 && index >= this.first && index <= this.last;
  }
  /** Whether any row is shown as selected. */
  readonly isShown: boolean = $derived(this.#single === null ? this.size > 1 : this.size > 0);
  /** Returns the selected rows from the top. */
  rows(): number[] {
    if (this.#single !== null) return [...this.#single].sort((a, b) => a - b);
    return Array.from({ length: this.size }, (_, index) => this.first + index);
  }
  /** Goes to a row; with `extend` the selection reaches there, from the row `from` if nothing is selected. */
  go(index: number, extend: boolean, from = index): void {
    if (!extend) this.#set(index, index);
    else this.#set(this.#anchor < 0 ? from : this.#anchor, index);
  }
  /** Adds a row to the selection or takes it out; the next range begins there. */
  toggle(index: number): void {
    const rows = new Set(this.rows());
    if (!rows.delete(index)) rows.add(index);
    this.#set(index, index, rows);
  }
  all(count: number): void {
    this.#set(0, count - 1);
  }
  /** Moves the selection along with its rows. */
  moved(by: number): void {
    if (this.#anchor < 0) return;
    this.#anchor += by;
    this.#end += by;
  }
  /** Follows its rows from one list of keys to the next; clears it if others are between them or one is gone. */
  follow(before: readonly string[], now: readonly string[]): void {
    if (this.#anchor < 0) return;
    if (this.#single !== null) {
      this.#followSingle(this.#single, before, now);
      return;
    }
    const rows = before.slice(this.first, this.last + 1);
    const at = now.indexOf(rows[0] ?? '');
    if (rows.every((key, index) => now[at + index] === key)) this.moved(at - this.first);
    else this.clear();
  }
  #followSingle(rows: ReadonlySet<number>, before: readonly string[], now: readonly string[]): void {
    const places = new Map(now.map((key, index) => [key, index]));
    const placeOf = (row: number): number => places.get(before[row] ?? '') ?? -1;
    const moved = new Set([...rows].map(placeOf));
    if (moved.has(-1)) {
      this.clear();
      return;
    }
    this.#single = moved;
    // The row toggled last may not be selected any more, and may be gone.
    this.#anchor = this.#end = Math.max(0, placeOf(this.#anchor));
  }
  clear(): void {
    this.#set(-1, -1);
  }
  #set(anchor: number, end: number, single: ReadonlySet<number> | null = null): void {
    this.#anchor = anchor;
    this.#end = end;
    this.#single = single;
    this.version = {};
  }
}
