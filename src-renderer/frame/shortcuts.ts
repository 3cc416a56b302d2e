/** Shortcuts of the whole window (design language, Keyboard); each screen handles its own. */
import type { ZoomStep } from '../../src-shared/domain/display/zoom.ts';
import { letterOf } from '../components/overlay/key-letter.ts';
import { worksOverSheet } from '../state/app/menu-actions.ts';

export type Action =
  | { readonly do: 'palette' | 'ticket' | 'lock' | 'shortcuts' | 'privacy' }
  | { readonly do: 'zoom'; readonly step: ZoomStep }
  | { readonly do: 'screen'; readonly index: number };

type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function actionOf(event: Keys): Action | null {
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) {
    // By position: French keyboards have digits with Shift only, and a minus at the 6.
    const digit = event.shiftKey ? undefined : /^Digit(\d)$/.exec(event.code)?.[1];
    return heldAction(digit ?? letterOf(event), event.shiftKey);
  }
  // With or without Shift, as below: it is on different keys depending on the keyboard.
  if (event.key === '?') return { do: 'shortcuts' };
  return event.key === 'F2' && !event.shiftKey ? { do: 'ticket' } : null;
}

/** Returns what a key does together with Ctrl or ⌘. */
function heldAction(key: string, shift: boolean): Action | null {
  if (key === '+' || key === '=') return { do: 'zoom', step: 'in' };
  if (shift) return key === 'h' ? { do: 'privacy' } : null;
  if (key === '-') return { do: 'zoom', step: 'out' };
  if (key === '0') return { do: 'zoom', step: 'reset' };
  if (key === 'f2') return { do: 'ticket' };
  if (key === 'k') return { do: 'palette' };
  if (key === 'l') return { do: 'lock' };
  const index = '1234567'.indexOf(key);
  return key.length === 1 && index >= 0 ? { do: 'screen', index } : null;
}

/** The state of the window when a key is pressed. */
export interface KeyContext {
  /** Whether a sheet is open; only a few shortcuts work over it. */
  readonly sheet: boolean;
  /** Whether the focus is in a text field. */
  readonly typing: boolean;
}

/**
 * Returns what a key does. `handled` keys are kept from the native menu, which would act on any key that the page lets
 * through, also behind a sheet and repeatedly while it is held.
 */
export function pressed(
  event: Keys & Pick<KeyboardEvent, 'repeat'>,
  { sheet, typing }: KeyContext,
): { readonly handled: boolean; readonly action: Action | null } {
  // The browser would select every figure of the window; a list that selects its rows has handled the key.
  const selectsAll = (event.ctrlKey || event.metaKey) && !event.altKey && letterOf(event) === 'a';
  if (selectsAll) return { handled: !typing, action: null };
  const action = actionOf(event);
  // `?` may be typed as text, and the native menu does not use it.
  if (action === null || (action.do === 'shortcuts' && (typing || sheet)))
    return { handled: false, action: null };
  const acts = (!sheet || worksOverSheet(action.do)) && (!event.repeat || action.do === 'zoom');
  return { handled: true, action: acts ? action : null };
}
