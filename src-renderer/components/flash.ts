// One for all cells; undefined in a test without a page.
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

/**
 * A poll that changes more cells than this tints none: a dozen positions that all move are tinted. With 200 of them it
 * would say nothing, and cost a paint of every cell.
 */
const MOST = 60;
/** Fully tinted, then half, ms. */
const STEPS = [
  { tint: 'full', ms: 240 },
  { tint: 'half', ms: 160 },
] as const;
let changed: HTMLElement[] = [];

function tintAll(): void {
  const cells = changed;
  changed = [];
  if (cells.length <= MOST && still?.matches !== true) step(cells, 0);
}

function step(cells: readonly HTMLElement[], at: number): void {
  const current = STEPS[at];
  for (const cell of cells)
    if (current === undefined) delete cell.dataset['tint'];
    else cell.dataset['tint'] = current.tint;
  if (current !== undefined) setTimeout(step, current.ms, cells, at + 1);
}

/**
 * Tints a cell whose value changed for 400 ms; never where less motion is preferred. In two steps rather than a fade:
 * an animation paints every frame, which was half of the processor's work while prices move.
 */
export function tint(cell: HTMLElement): void {
  if (changed.length === 0) queueMicrotask(tintAll);
  changed.push(cell);
}
