/** The selected rows of a list: from where the selection began to where it was last extended. */
export class RowSelection {
  #anchor = $state.raw(-1);
  #end = $state.raw(-1);

  readonly first: number = $derived(Math.min(this.#anchor, this.#end));
  readonly last: number = $derived(Math.max(this.#anchor, this.#end));
  readonly size: number = $derived(this.#anchor < 0 ? 0 : this.last - this.first + 1);
  /** Another object for each selection, the same one while its rows only move. */
  version: object = $state.raw({});

  has(index: number): boolean {
    return this.size > 1 && index >= this.first && index <= this.last;
  }
  /** Goes to a row; with `extend` the selection reaches there, from the row `from` if nothing is selected. */
  go(index: number, extend: boolean, from = index): void {
    if (!extend) this.#set(index, index);
    else this.#set(this.#anchor < 0 ? from : this.#anchor, index);
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
    const rows = before.slice(this.first, this.last + 1);
    const at = now.indexOf(rows[0] ?? '');
    if (rows.every((key, index) => now[at + index] === key)) this.moved(at - this.first);
    else this.clear();
  }
  clear(): void {
    this.#set(-1, -1);
  }
  #set(anchor: number, end: number): void {
    this.#anchor = anchor;
    this.#end = end;
    this.version = {};
  }
}
