/** Manages the main window: restores and saves its place and offers to reload a page that crashed or hangs. */
import { app, screen, type BrowserWindow } from 'electron';
import type { JsonFile } from '../session/json-file.ts';
import { askUser } from './message-box.ts';
import { startPlace, withPlace, type WindowPlaces } from './window-place.ts';
import { MINIMUM_SIZE, openWindow, type WindowOptions } from './window.ts';
import type { Timers } from '../../src-shared/time.ts';

export interface MainWindowPorts {
  readonly options: Omit<WindowOptions, 'place' | 'timers' | 'note'>;
  readonly places: JsonFile<WindowPlaces>;
  /** Zoom in percent. */
  readonly zoom: () => number;
  readonly timers: Timers;
  /** Reports whether the window may close without asking. */
  readonly mayClose: () => boolean;
  /** Takes the window out of view in place of quitting, if the user wants that. */
  readonly hide: (window: BrowserWindow) => boolean;
  readonly closed: () => void;
  readonly note: (event: string, fields: Readonly<Record<string, string>>) => void;
}

export interface MainWindow {
  readonly window: BrowserWindow;
  applyZoom(): void;
  /** Saves the window's place; resolves once it is on disk. */
  keepPlace(): Promise<void>;
}

/** Delay before saving, since a drag moves the window in many steps. */
const SETTLE_MS = 400;
const SAFE =
  'Orders are sent and recorded outside this window. All of them are in the journal, and none is sent again.';

export async function openMainWindow(ports: MainWindowPorts): Promise<MainWindow> {
  let places = await ports.places.read();
  const primary = screen.getPrimaryDisplay();
  const displays = [primary, ...screen.getAllDisplays().filter((one) => one.id !== primary.id)];
  const place = startPlace(places, displays, MINIMUM_SIZE);
  const window = openWindow({ ...ports.options, place, timers: ports.timers, note: ports.note });
  const page = window.webContents;

  const applyZoom = (): void => {
    if (!window.isDestroyed()) page.setZoomFactor(ports.zoom() / 100);
  };
  page.on('did-finish-load', applyZoom);

  let stopWaiting: (() => void) | null = null;
  function seen(): void {
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    const bounds = window.getNormalBounds();
    places = withPlace(places, screen.getDisplayMatching(bounds).id, { ...bounds }, window.isMaximized());
  }
  async function keep(): Promise<void> {
    stopWaiting?.();
    stopWaiting = null;
    try {
      await ports.places.write(places);
    } catch {
      ports.note('window-place-not-kept', {});
    }
  }
  const changed = (): void => {
    seen();
    stopWaiting?.();
    stopWaiting = ports.timers.after(SETTLE_MS, () => void keep());
  };
  window.on('resize', changed);
  window.on('move', changed);
  window.on('maximize', changed);
  window.on('unmaximize', changed);

  offerReload(window, ports);
  window.on('close', (event) => {
    seen();
    if (ports.mayClose()) return;
    event.preventDefault();
    if (!ports.hide(window)) app.quit();
  });
  window.on('closed', () => ports.closed());
  return { window, applyZoom, keepPlace: keep };
}

/** Asks what to do when the page crashed or hangs. */
function offerReload(window: BrowserWindow, { mayClose, note }: MainWindowPorts): void {
  const page = window.webContents;
  async function offer(message: string, detail: string, buttons: readonly [string, string]): Promise<number> {
    try {
      return await askUser(window, { type: 'error', message, detail, buttons, safeButton: 0 });
    } catch {
      return 0; // no dialog could be shown: the first answer is the safe one
    }
  }
  page.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || mayClose()) return;
    note('page-gone', { reason });
    void offer('The window stopped working', SAFE, ['Reload', 'Quit']).then((answer) => {
      if (answer === 0 && !window.isDestroyed()) page.reload();
      else app.quit();
    });
  });
  window.on('unresponsive', () => {
    note('page-hangs', {});
    void offer('The window is not responding', SAFE, ['Wait', 'Reload']).then((answer) => {
      if (answer === 1 && !window.isDestroyed()) page.reload();
    });
  });
}
