import type { MenuItem } from '../../components/overlay/menu-item.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';

/** Leads to where an open order can be cancelled: the exchange API has no request for it. */
export function cancelItem(app: AppState): MenuItem {
  const { active, activeId, kind } = app.session;
  const item = { label: 'Cancel…', apart: true };
  if (kind === 'practice')
    return {
      ...item,
      note: 'in Practice controls',
      run: () => app.navigation.go('settings', { part: 'practice' }),
    };
  if (activeId === null || (active?.settings.pageUrl ?? null) === null)
    return { ...item, note: 'only at the exchange’s website', disabled: true, run: () => undefined };
  return {
    ...item,
    note: 'at the exchange’s website',
    run: () => void app.run('page.open', { connectionId: activeId }),
  };
}
