/** The selected rows of the log: from where the selection began to where it was last extended. */
export class RowSelection {
  #anchor = $state.raw(-1);
  #end = $state.raw(-1);

  readonly first: number = $derived(Math.min(this.#anchor, this.#end));
  readonly last: number = $derived(Math.max(this.#anchor, this.#end));
  readonly size: number = $derived(this.#anchor < 0 ? 0 : this.last - this.first + 1);

  has(index: number): boolean {
    return this.size > 1 && index >= this.first && index <= this.last;
  }
  go(index: number, extend: boolean): void {
    if (!extend || this.#anchor < 0) this.#anchor = index;
    this.#end = index;
  }
  all(count: number): void {
    this.#anchor = 0;
    this.#end = count - 1;
  }
  /** Moves the selection along with its rows. */
  moved(by: number): void {
    if (this.#anchor < 0) return;
    this.#anchor += by;
    this.#end += by;
  }
  clear(): void {
    this.#anchor = -1;
    this.#end = -1;
  }
}
