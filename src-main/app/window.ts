/** The one window, with everything a page could ask for denied: navigation, new windows, webviews, permissions. */
import { BrowserWindow, session, type WebContents } from 'electron';
import { START_ADDRESS } from './policy.ts';
import type { StartPlace } from './window-place.ts';

export interface WindowOptions {
  readonly preload: string;
  readonly title: string;
  /** Address of the hot-reload server in development; null in a package. */
  readonly developmentUrl: string | null;
  readonly place: StartPlace;
}

export const MINIMUM_SIZE = { width: 1024, height: 700 };
export const USUAL_SIZE = { width: 1440, height: 900 };

/** Page permissions, requested or checked: Electron grants them by default. */
export function denyPermissions(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_page, _permission, decide) => decide(false));
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.setDevicePermissionHandler(() => false);
  // Nothing is downloaded: exports are written by the main process.
  defaultSession.on('will-download', (event) => event.preventDefault());
}

/** For every page that ever comes to be, the window's own included. */
export function confine(page: WebContents, isOwnAddress: (url: string) => boolean): void {
  const stay = (event: { preventDefault(): void }, url: string): void => {
    if (!isOwnAddress(url)) event.preventDefault();
  };
  page.on('will-navigate', (event) => stay(event, event.url));
  page.on('will-redirect', (event) => stay(event, event.url));
  page.on('will-attach-webview', (event) => event.preventDefault());
  page.setWindowOpenHandler(() => ({ action: 'deny' }));
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...options.place.size,
    ...(options.place.position ?? {}),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: options.title,
    backgroundColor: '#090b0e',
    show: false,
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: options.developmentUrl !== null,
    },
  });
  window.once('ready-to-show', () => {
    if (options.place.maximized) window.maximize();
    window.show();
  });
  void window.loadURL(options.developmentUrl ?? START_ADDRESS);
  return window;
}
