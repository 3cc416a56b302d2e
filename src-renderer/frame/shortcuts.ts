/** Keys of the whole window (design language, Keyboard); a screen's own keys are the screen's. */
import type { ZoomStep } from '../../src-shared/domain/display/zoom.ts';
import { worksOverSheet } from '../state/app/menu-actions.ts';

export type Action =
  | { readonly do: 'palette' | 'ticket' | 'lock' | 'shortcuts' | 'privacy' }
  | { readonly do: 'zoom'; readonly step: ZoomStep }
  | { readonly do: 'screen'; readonly index: number };

export function actionOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): Action | null {
  if (event.altKey) return null;
  const held = event.ctrlKey || event.metaKey;
  // Where the plus and the question mark are differs by keyboard: they are taken by sign, with Shift or without.
  if (event.key === '?' && !held) return { do: 'shortcuts' };
  if (held && (event.key === '+' || event.key === '=')) return { do: 'zoom', step: 'in' };
  if (event.shiftKey) return held && event.key.toLowerCase() === 'h' ? { do: 'privacy' } : null;
  if (held && event.key === '-') return { do: 'zoom', step: 'out' };
  if (held && event.key === '0') return { do: 'zoom', step: 'reset' };
  if (event.key === 'F2') return { do: 'ticket' };
  if (!held) return null;
  const key = event.key.toLowerCase();
  if (key === 'k') return { do: 'palette' };
  if (key === 'l') return { do: 'lock' };
  const index = '123456'.indexOf(key);
  return key.length === 1 && index >= 0 ? { do: 'screen', index } : null;
}

/** What the window is at, when a key comes. */
export interface KeyContext {
  /** A sheet is open: it owns what does not work everywhere. */
  readonly sheet: boolean;
  /** The focus is where text is typed. */
  readonly typing: boolean;
}

/**
 * What a key does. `claimed`: it is ours, and kept from the native menu, which acts on every key that a page lets go
 * through: behind a sheet, and again and again while it is held.
 */
export function pressed(
  event: Parameters<typeof actionOf>[0] & Pick<KeyboardEvent, 'repeat'>,
  { sheet, typing }: KeyContext,
): { readonly claimed: boolean; readonly action: Action | null } {
  const action = actionOf(event);
  // A question mark may be typed, and the menu does not know that key.
  if (action === null || (action.do === 'shortcuts' && (typing || sheet)))
    return { claimed: false, action: null };
  const acts = (!sheet || worksOverSheet(action.do)) && (!event.repeat || action.do === 'zoom');
  return { claimed: true, action: acts ? action : null };
}
