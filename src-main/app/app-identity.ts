/** What the system knows this app by. None of it may change: shortcuts, toasts and profiles are found by it. */
import { join, resolve } from 'node:path';
import type { App } from 'electron';
import type { SessionState } from '../../src-shared/ipc/calls.ts';

/** Bundle id on macOS; application user model id of the installer's shortcuts on Windows. */
export const APP_ID = 'desktop.ballast';
/** Below the system's folder for app data. Named here, since by itself it would follow the app's name. */
const PROFILE_FOLDER = 'ballast';
/** The COM class Windows starts when a toast in its action centre is clicked after the app has ended. */
const TOAST_ACTIVATOR = '{6B0F3D52-5C5E-4E0C-9C0B-7A41D2E8F1B6}';

/**
 * Where everything is kept: the folder that is named (a relative one below the folder Ballast was started in), else the
 * usual one; null where Electron's own switch names it.
 */
export function profileFolder(
  named: string | undefined,
  { appData, switched }: { readonly appData: string; readonly switched: boolean },
): string | null {
  if (named !== undefined && named !== '') return resolve(named);
  return switched ? null : join(appData, PROFILE_FOLDER);
}

type OnWindows = Pick<App, 'isPackaged' | 'setAppUserModelId' | 'setToastActivatorCLSID'>;

/**
 * Before the app is ready, so that its first window and toast carry it. A build run from its sources has an id of its
 * own and a random activator: a click on an installed app's toast must never start it.
 */
export function identifyToWindows(app: OnWindows, platform: NodeJS.Platform): void {
  if (platform !== 'win32') return;
  app.setAppUserModelId(app.isPackaged ? APP_ID : `${APP_ID}.development`);
  if (app.isPackaged) app.setToastActivatorCLSID(TOAST_ACTIVATOR);
}

/** Linux shows a window by the picture it brings, unless its desktop entry is found; the others by the program's. */
export const windowIcon = (app: Pick<App, 'getAppPath'>, platform = process.platform): string | null =>
  platform === 'linux' ? join(app.getAppPath(), 'resources', 'icons', '256x256.png') : null;

/** What the window says about the app it is of. */
export const aboutApp = (app: Pick<App, 'getVersion'>, sandboxed: boolean): SessionState['app'] => ({
  version: app.getVersion(),
  runtime: 'electron-standin' in process.versions ? 'stand-in' : 'electron',
  platform: process.platform,
  sandboxed,
});
