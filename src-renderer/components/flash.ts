// One query for all cells; undefined in a test without a page.
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

/**
 * A poll that changes more cells than this tints none: with a dozen moving positions a tint helps, with 200 it says
 * nothing and costs a paint of every cell.
 */
const MOST = 60;
const TINTED_MS = 400;
let changed: HTMLElement[] = [];

function tintAll(): void {
  const cells = changed;
  changed = [];
  if (cells.length > MOST || still?.matches === true) return;
  for (const cell of cells) cell.dataset['tint'] = '';
  setTimeout(() => {
    for (const cell of cells) delete cell.dataset['tint'];
  }, TINTED_MS);
}

/**
 * Tints a cell for 400 ms after its value changed, unless reduced motion is preferred. Without a fade, which would
 * paint in every frame.
 */
export function tint(cell: HTMLElement): void {
  if (changed.length === 0) queueMicrotask(tintAll);
  changed.push(cell);
}
