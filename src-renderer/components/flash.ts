// One for all cells; undefined in a test without a page.
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

/**
 * A poll that changes more cells than this tints none: a dozen positions that all move are tinted. With 200 of them it
 * would say nothing, and the fading of 125 cells took 100 ms of the processor (bench render).
 */
const MOST = 60;
let changed: HTMLElement[] = [];

function tintAll(): void {
  const cells = changed;
  changed = [];
  if (cells.length > MOST || still?.matches) return;
  for (const cell of cells)
    cell.animate([{ backgroundColor: 'var(--accent-weak)' }, { backgroundColor: 'transparent' }], {
      duration: 400,
      easing: 'ease-out',
    });
}

/**
 * One 400 ms tint of a cell whose value changed; none for whoever asked for less motion. By the Web Animations
 * interface, since the page's policy allows no inline style; the colour stays a `var()`, because reading it back would
 * cost a style pass a cell.
 */
export function tint(cell: HTMLElement): void {
  if (changed.length === 0) queueMicrotask(tintAll);
  changed.push(cell);
}
