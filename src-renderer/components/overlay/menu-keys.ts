/**
 * Handles the keys of an open menu or list of `entries`: arrows, Home and End, and an entry's first letter. Tab closes a
 * menu and goes on from what opened it. The browser handles Esc.
 */
export function menuKey(menu: HTMLElement, event: KeyboardEvent, entries = '[role^=menuitem]'): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'Tab' && menu.popover) menu.hidePopover();
  const items = [...menu.querySelectorAll<HTMLElement>(`${entries}:not(:disabled)`)];
  const at = items.findIndex((one) => one === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
  const before = event.key === 'ArrowUp' || event.key === 'ArrowLeft' ? Math.max(at, 0) - 1 : undefined;
  const to = next ?? before;
  if (to !== undefined && items.length > 0) items.at(to % items.length)?.focus();
  else if (!focusLetter(items, at, event.key)) return;
  event.preventDefault();
  // The table below handles the same keys.
  event.stopPropagation();
}

/** Focuses the next entry that begins with the letter. */
function focusLetter(items: readonly HTMLElement[], at: number, key: string): boolean {
  if (key.length !== 1 || key === ' ') return false;
  const letter = key.toLowerCase();
  const turned = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const found = turned.find((one) => one.textContent.trim().toLowerCase().startsWith(letter));
  found?.focus();
  return true;
}
