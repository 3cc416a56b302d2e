/**
 * Maps scroll positions to rows of a list that may be taller than a page can be: Chromium clamps heights near 2^24 px
 * (docs/performance.md), so a long list scrolls a shorter strip.
 */
const TALLEST = 8_000_000;

/** Height of the scrolled strip, px. */
export const stripHeightOf = (count: number, rowHeight: number): number =>
  Math.min(count * rowHeight, TALLEST);

export class VirtualScroll {
  /** Position in the full list, px, which decides the rows that are drawn. */
  top = 0;
  #strip = 0;
  readonly rowHeight: number;
  count = 0;
  height = 0;

  constructor(rowHeight: number) {
    this.rowHeight = rowHeight;
  }

  get fullHeight(): number {
    return this.count * this.rowHeight;
  }
  get stripHeight(): number {
    return stripHeightOf(this.count, this.rowHeight);
  }
  get #most(): number {
    return Math.max(0, this.fullHeight - this.height);
  }
  get #stripMost(): number {
    return Math.max(0, this.stripHeight - this.height);
  }

  resize(count: number, height: number): void {
    this.count = count;
    this.height = height;
    this.top = Math.min(this.top, this.#most);
    this.#strip = Math.min(this.#strip, this.#stripMost);
  }

  /**
   * Called when the strip was scrolled. A small step (wheel or key) moves the rows by as much; a large one (the
   * scrollbar dragged) is mapped by share. The ends always coincide.
   */
  scrolledTo(strip: number): void {
    const step = strip - this.#strip;
    this.#strip = strip;
    if (this.fullHeight <= TALLEST) this.top = strip;
    else if (strip <= 0) this.top = 0;
    else if (strip >= this.#stripMost) this.top = this.#most;
    else if (Math.abs(step) <= this.height) this.top = Math.max(0, Math.min(this.#most, this.top + step));
    else this.top = (strip / this.#stripMost) * this.#most;
  }

  /** Brings a row into view; returns the strip's scroll position for it. */
  reveal(row: number): number {
    const from = row * this.rowHeight;
    if (from < this.top) this.top = from;
    else if (from + this.rowHeight > this.top + this.height) this.top = from + this.rowHeight - this.height;
    return this.#goTo(this.top);
  }

  /** Rows were inserted above: the visible ones are `rows` further down. Returns the strip's scroll position. */
  moved(rows: number): number {
    return this.#goTo(this.top + rows * this.rowHeight);
  }

  #goTo(top: number): number {
    this.top = Math.max(0, Math.min(this.#most, top));
    this.#strip =
      this.fullHeight <= TALLEST ? this.top : (this.top / Math.max(1, this.#most)) * this.#stripMost;
    return this.#strip;
  }
}
