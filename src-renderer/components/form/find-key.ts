import { sheetIsOpen } from '../../state/app/menu-actions.ts';

/** Whether a key press means “focus this screen's filter”: `/`, outside inputs and sheets. */
export function isFindKey(event: KeyboardEvent): boolean {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
    return false;
  const { target } = event;
  if (target instanceof Element && target.closest('input, textarea, select, dialog') !== null) return false;
  return !sheetIsOpen();
}
