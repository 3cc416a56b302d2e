/**
 * What sends from an open review, one rule for every sheet that sends: Ctrl or Cmd with Enter pressed anew, or a
 * single click. The key that opened the sheet may still be down, and a double click may have begun outside it.
 */

const withModifier = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey;

/** For the window while the sheet is open. F9 opened it and does nothing in it. */
export function sheetKey(event: KeyboardEvent, send: () => void): void {
  if (event.key === 'F9') event.preventDefault();
  if (event.key !== 'Enter' || !withModifier(event)) return;
  event.preventDefault();
  if (!event.repeat) send();
}

/** Enter is ignored for this long after the sheet's content changed, ms. */
export const QUIET_MS = 400;

/**
 * For the window: whether the Enter was meant for what the sheet showed before. `changedAt` is of the event's
 * clock.
 */
export function staleEnter(event: KeyboardEvent, changedAt: number): boolean {
  if (event.key !== 'Enter' || event.timeStamp - changedAt >= QUIET_MS) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** For the send button, down and up: Enter and Space alone never press it. */
export function plainKey(event: KeyboardEvent): void {
  if ((event.key === 'Enter' || event.key === ' ') && !withModifier(event)) event.preventDefault();
}

/** For the send button: not the second half of a double click. */
export function sendClick(event: MouseEvent, send: () => void): void {
  if (event.detail <= 1) send();
}
