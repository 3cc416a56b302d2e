/**
 * Which input sends from an open review, the same for every sheet: Ctrl or Cmd with a new press of Enter, or a single
 * click. The key that opened the sheet may still be down, and a double click may have begun outside it.
 */

const withModifier = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey;

/** Reports whether a key is pressed in another dialog, as in one that opened over the sheet. */
function isElsewhere({ target }: KeyboardEvent, sheet: Element | undefined): boolean {
  const dialog = target instanceof Element ? target.closest('dialog') : null;
  return dialog !== null && dialog !== sheet?.closest('dialog');
}

/**
 * Handles the window's keys while the sheet is open; F9, which opened it, does nothing there. `sheet`: an element of its
 * dialog.
 */
export function sheetKey(event: KeyboardEvent, sheet: Element | undefined, send: () => void): void {
  if (isElsewhere(event, sheet)) return;
  if (event.key === 'F9') event.preventDefault();
  if (event.key !== 'Enter' || !withModifier(event)) return;
  event.preventDefault();
  if (!event.repeat) send();
}

/** Enter is ignored for this long after the sheet's content changed, ms. */
export const QUIET_MS = 400;

/** Whether an Enter in the window was meant for the previous content. `changedAt` is in the event's clock. */
export function staleEnter(event: KeyboardEvent, changedAt: number): boolean {
  if (event.key !== 'Enter' || event.timeStamp - changedAt >= QUIET_MS) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** Blocks key down and up on the send button: Enter and Space alone never press it. */
export function plainKey(event: KeyboardEvent): void {
  if ((event.key === 'Enter' || event.key === ' ') && !withModifier(event)) event.preventDefault();
}

/** Handles clicks on the send button; ignores the second half of a double click. */
export function sendClick(event: MouseEvent, send: () => void): void {
  if (event.detail <= 1) send();
}
