/**
 * The order of a table's rows. It is held while the pointer or focus is on a row: figures change, rows stay. While a
 * pointer is down no row is removed either, so that a press acts on the row it was aimed at.
 */
export class RowOrder<R> {
  readonly #sorted: () => readonly R[];
  readonly #rowKey: (row: R) => string;
  /** Held position of each row by key; null while the order is not held. */
  #places = $state.raw<ReadonlyMap<string, number> | null>(null);
  /** The rows at the time the pointer went down. */
  #pressed = $state.raw<readonly R[] | null>(null);

  constructor(sorted: () => readonly R[], rowKey: (row: R) => string) {
    this.#sorted = sorted;
    this.#rowKey = rowKey;
  }

  /** The rows as shown; new ones are at the end while the order is held. */
  readonly rows: readonly R[] = $derived.by(() => {
    const sorted = this.#sorted();
    const places = this.#places;
    const pressed = this.#pressed;
    if (pressed !== null) {
      const now = new Map(sorted.map((row) => [this.#rowKey(row), row]));
      const shown = new Set(pressed.map(this.#rowKey));
      return [
        ...pressed.map((row) => now.get(this.#rowKey(row)) ?? row),
        ...sorted.filter((row) => !shown.has(this.#rowKey(row))),
      ];
    }
    if (places === null) return sorted;
    const place = (row: R): number => places.get(this.#rowKey(row)) ?? places.size;
    return [...sorted].sort((a, b) => place(a) - place(b));
  });

  /** Whether sorting now would move a row. */
  readonly differs: boolean = $derived.by(() => {
    if (this.#places === null) return false;
    const sorted = this.#sorted();
    return this.rows.some((row, at) => row !== sorted[at]);
  });

  hold(): void {
    if (this.#places === null) this.sortOnce();
  }
  release(): void {
    this.#places = null;
  }
  /** Sorts now and fixes that order. */
  sortOnce(): void {
    this.#places = new Map(this.#sorted().map((row, at) => [this.#rowKey(row), at]));
  }
  /** Applies a sort that the user changed, even while the order is held. */
  sortChanged(): void {
    if (this.#places !== null) this.sortOnce();
  }
  press(): void {
    this.#pressed = this.rows;
  }
  lift(): void {
    this.#pressed = null;
  }
}
