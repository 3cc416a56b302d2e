import { tick } from 'svelte';
import type { Settings } from '../../../src-shared/ipc/settings.ts';

interface Rows {
  readonly count: number;
  readonly rowHeight: number;
  /** A row with something below it, such as its details: its index, −1 for none, and how high that is, px. */
  readonly splitAt?: number;
  readonly splitHeight?: number;
}

/** Height of a head, px. */
export const HEAD = 26;
/** Returns the height of a row, px, that has this one with the compact density. */
export const rowHeightIn = ({ density }: Settings, compact = 28): number =>
  compact + (density === 'comfortable' ? 4 : 0);

/** Chromium clamps heights near 2^24 px (docs/performance.md). */
const TALLEST = 8_000_000;
const DRAW_ALL_UP_TO = 60;
/** Extra rows above and below, about one step of the mouse wheel. Each adds to the layout at every poll. */
const SPARE = 4;

/**
 * The rows of a long table or list that are drawn, and its scroll position: the layout of 200 rows costs 40 ms, of the
 * visible ones 8 (docs/performance.md). DataTable leaves space for the rows before and after the drawn ones; VirtualRows
 * moves a fixed set of rows, so that a million of them scroll a strip no taller than a page can be.
 */
export class RowWindow {
  readonly #rows: () => Rows;
  /** The scroll area; its height and that of the totals at its bottom, px. */
  element: HTMLElement | undefined;
  height = $state(0);
  footHeight = $state(0);
  #top = $state.raw(0);
  #strip = 0;

  constructor(rows: () => Rows) {
    this.#rows = rows;
  }

  /** Height of the space between head and totals, px. */
  readonly #view: number = $derived.by(() => Math.max(0, this.height - HEAD - this.footHeight));
  readonly fullHeight: number = $derived.by(() => this.#offsetOf(this.#rows().count));
  readonly #most: number = $derived.by(() => Math.max(0, this.fullHeight - this.#view));
  /** Height of what is scrolled, px. */
  readonly stripHeight: number = $derived.by(() => Math.min(this.fullHeight, TALLEST));
  readonly #stripMost: number = $derived.by(() => Math.max(0, this.stripHeight - this.#view));
  /** Position in the whole list, px. */
  readonly top: number = $derived.by(() => Math.min(this.#top, this.#most));
  /** First and last row in view. */
  readonly first: number = $derived.by(() => this.#rowAt(this.top));
  readonly last: number = $derived.by(() =>
    Math.min(this.#rows().count - 1, this.#rowAt(this.top + this.#view - 1)),
  );
  readonly #size: number = $derived.by(() => {
    const { count, rowHeight } = this.#rows();
    return count <= DRAW_ALL_UP_TO ? count : Math.min(count, Math.ceil(this.#view / rowHeight) + 2 * SPARE);
  });
  /** Drawn are the rows `from` … `to` (exclusive). */
  readonly from: number = $derived.by(() =>
    Math.max(0, Math.min(this.#rows().count - this.#size, this.first - SPARE)),
  );
  readonly to: number = $derived.by(() => this.from + this.#size);
  /** Height of the rows before and after the drawn ones, px. */
  readonly before: number = $derived.by(() => this.#offsetOf(this.from));
  readonly after: number = $derived.by(() => this.fullHeight - this.#offsetOf(this.to));

  #offsetOf(row: number): number {
    const { rowHeight, splitAt = -1, splitHeight = 0 } = this.#rows();
    return row * rowHeight + (splitAt >= 0 && row > splitAt ? splitHeight : 0);
  }
  #rowAt(offset: number): number {
    const { rowHeight, splitAt = -1, splitHeight = 0 } = this.#rows();
    const row = Math.floor(offset / rowHeight);
    if (splitAt < 0 || row <= splitAt) return row;
    return Math.max(splitAt, Math.floor((offset - splitHeight) / rowHeight));
  }

  /** The row that Tab reaches: this one while it is drawn, else the first in view. */
  tabStop(row: number): number {
    return row >= this.from && row < this.to ? row : this.first;
  }

  /** Returns the row that a key leads to from `row`; undefined for other keys. */
  rowOfKey(key: string, row: number): number | undefined {
    const { count, rowHeight } = this.#rows();
    const page = Math.max(1, Math.floor(this.#view / rowHeight) - 1);
    const to = {
      ArrowDown: row + 1,
      ArrowUp: row - 1,
      PageDown: row + page,
      PageUp: row - page,
      Home: 0,
      End: count - 1,
    }[key];
    return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
  }

  readonly onscroll = (event: Event & { readonly currentTarget: HTMLElement }): void =>
    this.scrolledTo(event.currentTarget.scrollTop);

  /**
   * Of a strip shorter than the list, a small step (wheel or key) moves the rows by as much; a large one (the scrollbar
   * dragged) is mapped by share. The ends always coincide.
   */
  scrolledTo(strip: number): void {
    const step = strip - Math.min(this.#strip, this.#stripMost);
    this.#strip = strip;
    if (this.fullHeight <= TALLEST) this.#top = strip;
    else if (strip <= 0) this.#top = 0;
    else if (strip >= this.#stripMost) this.#top = this.#most;
    else if (Math.abs(step) <= this.#view) this.#top = Math.max(0, Math.min(this.#most, this.top + step));
    else this.#top = (strip / this.#stripMost) * this.#most;
  }

  async scrollTo(top: number): Promise<void> {
    this.#top = Math.max(0, Math.min(this.#most, top));
    this.#strip =
      this.fullHeight <= TALLEST ? this.#top : (this.#top / Math.max(1, this.#most)) * this.#stripMost;
    // Rows and strip are drawn anew only after a tick.
    await tick();
    if (this.element) this.element.scrollTop = this.#strip;
  }
  /** Call after rows were inserted above (`by` < 0: removed): it keeps what is in view in place. */
  moved(by: number): Promise<void> {
    return this.scrollTo(this.top + by * this.#rows().rowHeight);
  }
  toTop(row: number): Promise<void> {
    return this.scrollTo(this.#offsetOf(row));
  }
  /** Scrolls a row into view and focuses it: its element has its index as `data-index`. */
  async focus(row: number): Promise<void> {
    const top = this.#offsetOf(row);
    const least = top + this.#rows().rowHeight - this.#view;
    await this.scrollTo(Math.min(top, Math.max(least, this.top)));
    const line = this.element?.querySelector<HTMLElement>(`[data-index="${row}"]`);
    line?.focus({ preventScroll: true });
    // In a low window the screen around the table scrolls, too.
    line?.scrollIntoView({ block: 'nearest' });
  }
}
