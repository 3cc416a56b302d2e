import type { MenuItem } from '../../components/overlay/menu-item.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';

/**
 * Cancels an open order of practice by `ask`; for a live one, leads to where that can be done: the exchange API has no
 * request for it.
 */
export function cancelItem(app: AppState, ask: () => void): MenuItem {
  const { pageUrl, activeId, kind, cancelPlace } = app.session;
  if (kind === 'practice') return { label: 'Cancel…', apart: true, run: ask };
  const item = { label: 'Cancel…', apart: true, note: cancelPlace };
  if (activeId === null || pageUrl === null)
    return { ...item, note: `only ${cancelPlace}`, disabled: true, run: () => undefined };
  return { ...item, run: () => void app.run('page.open', { connectionId: activeId }) };
}
