/** Keys of the trade log that work wherever the focus is, as long as no sheet is open. */
import { isFindKey } from '../../components/form/find-key.ts';
import { letterOf } from '../../components/overlay/key-letter.ts';
import { sheetIsOpen } from '../../state/app/menu-actions.ts';

export type ScreenKey = 'export' | 'find' | 'move';

/** Elements with keys of their own: the list's move the focus, a field's the caret, a select's the choice. */
const OWN_KEYS = 'input, select, textarea, [role$="grid"], [role="menu"], [popover]';
const MOVES = ['Home', 'End', 'PageUp', 'PageDown'];

export function screenKey(event: KeyboardEvent): ScreenKey | null {
  if (event.defaultPrevented || sheetIsOpen()) return null;
  if (isFindKey(event)) return 'find';
  const plain = !event.altKey && !event.shiftKey;
  if (plain && (event.ctrlKey || event.metaKey)) {
    const key = letterOf(event);
    if (key === 'e') return 'export';
    return key === 'f' ? 'find' : null;
  }
  const free = !(event.target instanceof Element && event.target.closest(OWN_KEYS) !== null);
  return plain && free && MOVES.includes(event.key) ? 'move' : null;
}
