/** Holds a table's row order while its rows have the pointer or the focus, and for a moment after. */
import type { TimeSource } from '../../state/runtime/clock.svelte.ts';

export interface Aimed {
  hold(): void;
  release(): void;
  press(): void;
  lift(): void;
}

const RELEASED_AFTER_MS = 1_000;

/** Svelte action for the element around the rows. */
export function aim(
  node: HTMLElement,
  { order, time }: { readonly order: Aimed; readonly time: TimeSource },
): { destroy: () => void } {
  let pointer = false;
  let pressed = false;
  let isGone = false;
  let stop: (() => void) | null = null;
  const held = (): boolean => pointer || pressed || node.contains(document.activeElement);
  const changed = (): void => {
    stop?.();
    stop = null;
    // The press that removes the table ends only after it.
    if (isGone) return;
    if (held()) order.hold();
    else
      stop = time.after(RELEASED_AFTER_MS, () => {
        if (!held()) order.release();
      });
  };
  const lift = (): void => {
    removeEventListener('pointerup', up, true);
    removeEventListener('pointercancel', up, true);
    pressed = false;
    order.lift();
    changed();
  };
  // The click follows this event and must still find its row.
  const up = (): void => void time.after(0, lift);
  const on: Readonly<Record<string, () => void>> = {
    pointerenter: () => {
      pointer = true;
      changed();
    },
    pointerleave: () => {
      pointer = false;
      changed();
    },
    pointerdown: () => {
      if (pressed) return;
      pressed = true;
      changed();
      order.press();
      addEventListener('pointerup', up, true);
      addEventListener('pointercancel', up, true);
    },
    focusin: changed,
    // The next element gets the focus only after this event.
    focusout: () => void time.after(0, changed),
  };
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  return {
    destroy() {
      isGone = true;
      for (const [name, listener] of Object.entries(on)) node.removeEventListener(name, listener);
      removeEventListener('pointerup', up, true);
      removeEventListener('pointercancel', up, true);
      stop?.();
      order.lift();
      order.release();
    },
  };
}
