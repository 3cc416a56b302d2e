/** Creates the window and denies its page navigation, new windows, webviews and permissions. */
import { BrowserWindow, session, type WebContents } from 'electron';
import { errorCode } from '../../src-files/error-code.ts';
import { START_ADDRESS } from './content-security-policy.ts';
import type { StartPlace } from './window-place.ts';

export interface WindowOptions {
  readonly preload: string;
  readonly title: string;
  /** Icon file; null to use the program's icon. */
  readonly icon: string | null;
  /** Address of the hot-reload server in development; null in a package. */
  readonly developmentUrl: string | null;
  readonly place: StartPlace;
  readonly note: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/** Content size, without the frame. */
export const MINIMUM_SIZE = { width: 1024, height: 700 };
const USUAL_SIZE = { width: 1440, height: 900 };

/** Restricts the session before the first page: Electron grants permissions by default. */
export function confineSession(): void {
  const { defaultSession } = session;
  // Disabling spell checking alone still downloads a dictionary; an empty language list does not.
  defaultSession.setSpellCheckerLanguages([]);
  defaultSession.setSpellCheckerEnabled(false);
  defaultSession.setPermissionRequestHandler((_page, _permission, decide) => decide(false));
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.setDevicePermissionHandler(() => false);
  // Exports are written by the main process; pages download nothing.
  defaultSession.on('will-download', (event) => event.preventDefault());
}

/** Restricts every page that is ever created, including the main window's. */
export function confine(page: WebContents, isOwnAddress: (url: string) => boolean): void {
  const stay = (event: { preventDefault(): void }, url: string): void => {
    if (!isOwnAddress(url)) event.preventDefault();
  };
  page.on('will-navigate', (event) => stay(event, event.url));
  page.on('will-redirect', (event) => stay(event, event.url));
  page.on('will-attach-webview', (event) => event.preventDefault());
  // Ignores what a page says to keep its window open, and with it the app, whose services have stopped by then.
  page.on('will-prevent-unload', (event) => event.preventDefault());
  // Leaves WebRTC no UDP; the rest is closed before Electron is ready (before-ready.ts).
  page.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  page.setWindowOpenHandler(() => ({ action: 'deny' }));
}

export function openWindow(options: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...USUAL_SIZE,
    useContentSize: true,
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    title: options.title,
    ...(options.icon === null ? {} : { icon: options.icon }),
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
  const { bounds } = options.place;
  if (bounds !== null) window.setBounds(bounds);
  // Also rejected when the page is reloaded while loading; the code says which.
  window.loadURL(options.developmentUrl ?? START_ADDRESS).catch((error: unknown) => {
    options.note('page-not-loaded', { code: errorCode(error) || 'unknown' });
  });
  return window;
}
