import type { Settings as SettingValues } from '../../../src-shared/ipc/settings.ts';
import type { CallInput, CallResult } from '../../../src-shared/ipc/calls.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import type { CallName } from '../../../src-shared/ipc/names.ts';
import type { MenuAction } from '../../../src-shared/ipc/calls-app.ts';
import type { Help } from './help.svelte.ts';
import type { Navigation } from '../session/navigation.svelte.ts';
import type { Notices } from '../session/notices.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';

/** The state these actions use. */
interface AppDeps {
  readonly navigation: Navigation;
  readonly notices: Notices;
  readonly settings: Settings;
  run<K extends CallName>(name: K, input: CallInput<K>): Promise<Result<CallResult<K>>>;
  changeSettings(part: Partial<SettingValues>): Promise<boolean>;
  deferred(): Promise<{ readonly help: Help }>;
}

/** Actions allowed while a sheet is open: they change nothing the sheet shows. */
const OVER_A_SHEET: ReadonlySet<string> = new Set(['lock', 'privacy', 'zoom', 'diagnostics']);
export const worksOverSheet = (action: string): boolean => OVER_A_SHEET.has(action);
export const sheetIsOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Runs an action of the native menu. While a sheet is open, only actions that do not affect it. */
export function actOnMenu(app: AppDeps, action: MenuAction): void {
  if (!sheetIsOpen() || worksOverSheet(action)) actOn(app, action);
}

/** Actions shared by the menu, the shortcuts and the palette. */
export function actOn(app: AppDeps, action: MenuAction): void {
  switch (action) {
    case 'palette':
      app.navigation.paletteOpen = true;
      return;
    case 'shortcuts':
      void app.deferred().then(({ help }) => (help.open = 'shortcuts'));
      return;
    case 'whats-new':
      void app.deferred().then(({ help }) => help.showAllChanges());
      return;
    case 'settings':
      app.navigation.go('settings');
      return;
    case 'about':
      app.navigation.go('settings', { part: 'about' });
      return;
    case 'privacy':
      void app.changeSettings({ privacy: !app.settings.value.privacy });
      return;
    case 'ticket':
      app.navigation.enterOrHideTicket(document.querySelector('[data-ticket] :focus') !== null);
      return;
    case 'diagnostics':
      void saveDiagnostics(app);
  }
}

export async function saveDiagnostics(app: AppDeps): Promise<void> {
  const result = await app.run('app.saveDiagnostics', undefined);
  if (!result.ok) return;
  if (result.data === null) app.notices.notSaved();
  else
    app.notices.push('ok', 'Diagnostics are saved', `${result.data}. Read it before you send it to anyone.`);
}
