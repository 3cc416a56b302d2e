import type { Action } from 'svelte/action';

/**
 * One 400 ms tint of the cell when its value changes; none at first sight and none for whoever asked for less
 * motion. By the Web Animations interface, since the page's policy allows no inline style.
 */
export const tint: Action<HTMLElement, string | number | null> = (node, first) => {
  let before = first;
  const still = window.matchMedia('(prefers-reduced-motion: reduce)');
  return {
    update(value) {
      if (value === before) return;
      before = value;
      if (still.matches) return;
      const colour = getComputedStyle(node).getPropertyValue('--accent-weak');
      node.animate([{ backgroundColor: colour }, { backgroundColor: 'transparent' }], {
        duration: 400,
        easing: 'ease-out',
      });
    },
  };
};
