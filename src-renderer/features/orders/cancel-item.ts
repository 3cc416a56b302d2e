import type { MenuItem } from '../../components/overlay/menu-item.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';

/** Leads to where an open order can be cancelled: the exchange API has no request for it. */
export function cancelItem(app: AppState): MenuItem {
  const { pageUrl, activeId, kind, cancelPlace } = app.session;
  const item = { label: 'Cancel…', apart: true, note: cancelPlace };
  if (kind === 'practice') return { ...item, run: () => app.navigation.go('settings', { part: 'practice' }) };
  if (activeId === null || pageUrl === null)
    return { ...item, note: `only ${cancelPlace}`, disabled: true, run: () => undefined };
  return { ...item, run: () => void app.run('page.open', { connectionId: activeId }) };
}
