import type { Calls } from '../bridge.ts';
import type { MenuAction } from '../../src-shared/contract/calls-app.ts';
import type { Help } from './help.svelte.ts';
import type { Navigation } from './navigation.svelte.ts';
import type { Notices } from './notices.svelte.ts';
import type { Settings } from './settings.svelte.ts';

/** What these reach of the window's state. */
interface AppParts {
  readonly calls: Calls;
  readonly help: Help;
  readonly navigation: Navigation;
  readonly notices: Notices;
  readonly settings: Settings;
}

/** What the native menu asks for; the page's own keys and the palette do the same. */
export function actOn(app: AppParts, action: MenuAction): void {
  switch (action) {
    case 'palette':
      app.navigation.paletteOpen = true;
      return;
    case 'shortcuts':
      app.help.open = 'shortcuts';
      return;
    case 'whats-new':
      app.help.showAllChanges();
      return;
    case 'settings':
      app.navigation.go('settings');
      return;
    case 'about':
      app.navigation.go('settings', { part: 'about' });
      return;
    case 'privacy':
      void app.settings.change({ privacy: !app.settings.value.privacy });
      return;
    case 'ticket':
      app.navigation.toggleTicket();
      return;
    case 'diagnostics':
      void saveDiagnostics(app);
  }
}

export async function saveDiagnostics(app: AppParts): Promise<void> {
  const answer = await app.calls.call('app.saveDiagnostics', undefined);
  if (!answer.ok) app.notices.fail(answer.failure);
  else if (answer.data !== null)
    app.notices.push('ok', 'Diagnostics are saved', `${answer.data}. Read it before you send it to anyone.`);
}

export async function showLogs(app: AppParts): Promise<void> {
  const answer = await app.calls.call('app.showLogs', undefined);
  if (!answer.ok) app.notices.fail(answer.failure);
}
