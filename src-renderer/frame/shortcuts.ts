/** Keys of the whole window (design language, Keyboard); a screen's own keys are the screen's. */
export type Action =
  { readonly do: 'palette' | 'ticket' | 'lock' } | { readonly do: 'screen'; readonly index: number };

export function actionOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): Action | null {
  if (event.altKey || event.shiftKey) return null;
  if (event.key === 'F2') return { do: 'ticket' };
  if (!event.ctrlKey && !event.metaKey) return null;
  const key = event.key.toLowerCase();
  if (key === 'k') return { do: 'palette' };
  if (key === 'l') return { do: 'lock' };
  const index = '123456'.indexOf(key);
  return key.length === 1 && index >= 0 ? { do: 'screen', index } : null;
}
