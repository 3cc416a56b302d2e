// One query for all cells; undefined in a test without a page.
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

/**
 * A poll that changes more cells than this flashes none: a flash helps with a dozen moving positions; with 200 it shows
 * nothing and repaints every cell.
 */
const MAX_CELLS = 60;
const FLASH_MS = 400;
let changed: HTMLElement[] = [];

function flashAll(): void {
  const cells = changed;
  changed = [];
  if (cells.length > MAX_CELLS || still?.matches === true) return;
  for (const cell of cells) cell.dataset['flash'] = '';
  setTimeout(() => {
    for (const cell of cells) delete cell.dataset['flash'];
  }, FLASH_MS);
}

/**
 * Highlights a cell for 400 ms after its value changed, unless reduced motion is preferred. Without a fade, which would
 * paint in every frame.
 */
export function flash(cell: HTMLElement): void {
  if (changed.length === 0) queueMicrotask(flashAll);
  changed.push(cell);
}
