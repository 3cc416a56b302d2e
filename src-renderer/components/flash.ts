// One for all cells; undefined in a test without a page.
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

/**
 * A poll that changes more cells than this tints none: a dozen positions that all move are tinted. With 200 of them it
 * would say nothing, and cost a paint of every cell.
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
 * Tints a cell whose value changed for 400 ms; never where less motion is preferred. At once and without a fade: each
 * frame of one paints, and polls change cells all day.
 */
export function tint(cell: HTMLElement): void {
  if (changed.length === 0) queueMicrotask(tintAll);
  changed.push(cell);
}
