/**
 * Identifies this app to the operating system. These values must not change: shortcuts, toasts and profiles depend on
 * them.
 */
import { join, resolve, sep } from 'node:path';
import type { App } from 'electron';
import type { SessionState } from '../../src-shared/ipc/calls.ts';

/** Bundle id on macOS, application user model id of the shortcuts on Windows. */
export const APP_ID = 'desktop.ballast';
/** Folder below the system's app data folder. Set explicitly, since the default follows the app's name. */
const PROFILE_FOLDER = 'ballast';
/** COM class Windows starts when a toast is clicked after the app has ended. */
const TOAST_ACTIVATOR = '{6B0F3D52-5C5E-4E0C-9C0B-7A41D2E8F1B6}';

/**
 * Returns the profile folder: the named one, relative to the working directory, or the default. Returns null when
 * Electron's `--user-data-dir` switch sets it.
 */
export function profileFolder(
  named: string | undefined,
  { appData, switched }: { readonly appData: string; readonly switched: boolean },
): string | null {
  if (named !== undefined && named !== '') return resolve(named);
  return switched ? null : join(appData, PROFILE_FOLDER);
}

/** The environment an AppImage's runtime sets. */
export type AppImageEnvironment = Readonly<Partial<Record<'APPIMAGE' | 'APPDIR', string>>>;

/**
 * Returns the AppImage this program runs from, whose own mount is gone once it ends; null if it runs from none. Another
 * program's AppImage passes its variables on to what it starts.
 */
export function ownAppImage({ APPIMAGE, APPDIR }: AppImageEnvironment, execPath: string): string | null {
  const isOwn = APPDIR !== undefined && APPDIR !== '' && execPath.startsWith(`${APPDIR}${sep}`);
  return isOwn && APPIMAGE !== undefined && APPIMAGE !== '' ? APPIMAGE : null;
}

type OnWindows = Pick<App, 'isPackaged' | 'setAppUserModelId' | 'setToastActivatorCLSID'>;

/**
 * Sets the Windows ids; must run before the app is ready. A development build has its own id and a random activator, so
 * that a click on an installed app's toast never starts it.
 */
export function identifyToWindows(app: OnWindows, platform: NodeJS.Platform): void {
  if (platform !== 'win32') return;
  app.setAppUserModelId(app.isPackaged ? APP_ID : `${APP_ID}.development`);
  if (app.isPackaged) app.setToastActivatorCLSID(TOAST_ACTIVATOR);
}

/** Returns the window icon file on Linux, where a desktop entry may be missing. Others use the program's icon. */
export const windowIcon = (app: Pick<App, 'getAppPath'>, platform = process.platform): string | null =>
  platform === 'linux' ? join(app.getAppPath(), 'resources', 'icons', '256x256.png') : null;

/** Returns the app information shown in the window. */
export const aboutApp = (app: Pick<App, 'getVersion'>, sandboxed: boolean): SessionState['app'] => ({
  version: app.getVersion(),
  runtime: 'electron-standin' in process.versions ? 'stand-in' : 'electron',
  platform: process.platform,
  sandboxed,
});
