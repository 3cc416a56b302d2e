import type { Action } from 'svelte/action';

// One for all cells; undefined in a test without a page.
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

/**
 * One 400 ms tint of the cell when its value changes; none at first sight and none for whoever asked for less
 * motion. By the Web Animations interface, since the page's policy allows no inline style; the colour stays a
 * `var()`, because reading it back would cost a style pass a cell.
 */
export const tint: Action<HTMLElement, string | number | null> = (node, first) => {
  let before = first;
  return {
    update(value) {
      if (value === before) return;
      before = value;
      if (still?.matches) return;
      node.animate([{ backgroundColor: 'var(--accent-weak)' }, { backgroundColor: 'transparent' }], {
        duration: 400,
        easing: 'ease-out',
      });
    },
  };
};
