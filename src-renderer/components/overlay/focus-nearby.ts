/** Returns what an element is in, innermost first; nothing for the page itself. */
export function ancestorsOf(element: Element | null): HTMLElement[] {
  const parent = element?.parentElement;
  return parent?.parentElement ? [parent, ...ancestorsOf(parent)] : [];
}

const focusableOf = (one: HTMLElement): HTMLElement | null =>
  one.matches('[tabindex]') ? one : one.querySelector(':scope:is(table) tr[tabindex="0"]');

/** Moves a lost focus to the nearest pane or row of what it was in or to a row of its table, else to the screen's heading. */
export function focusNearby(around: readonly HTMLElement[]): void {
  if (around.length === 0) return;
  for (const near of [...around.map(focusableOf), document.querySelector('h1')])
    // No effect on what is gone, too.
    if (document.activeElement === document.body) near?.focus({ preventScroll: true });
}
