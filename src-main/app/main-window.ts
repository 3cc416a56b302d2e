/** The main window: restores and saves its position and size, and offers to reload a page that crashed or hangs. */
import { screen, type BrowserWindow, type WebContents } from 'electron';
import type { JsonFile } from '../session/json-file.ts';
import type { Timers } from '../../src-shared/time.ts';
import { isDrawnWhileHidden, showWhenDrawn } from './first-show.ts';
import { askUser } from './message-box.ts';
import type { Quitting } from './quitting.ts';
import { Visibility } from './visibility.ts';
import { NO_PLACES, startPlace, withPlace, type WindowPlaces } from './window-place.ts';
import { MINIMUM_SIZE, openWindow, type WindowOptions } from './window.ts';

interface Opening {
  readonly options: Omit<WindowOptions, 'place' | 'note'>;
  readonly quitting: Pick<Quitting, 'request' | 'isDone' | 'sessionMayEnd' | 'sessionEnds'>;
  /** Returns the zoom, in percent. */
  readonly zoom: () => number;
  /** Hides the window instead of quitting, if that is set; returns whether it did. */
  readonly hide: (window: BrowserWindow) => boolean;
  /** Called when the window is shown again after it was hidden or minimized. */
  readonly shownAgain: () => void;
}

/** Delay before saving, since a drag moves the window in many steps. */
const SAVE_DELAY_MS = 400;
const ORDERS_UNAFFECTED =
  'Orders are sent and recorded outside this window. All of them are in the journal, and none is sent again.';

export class MainWindow {
  readonly #file: JsonFile<WindowPlaces>;
  readonly #timers: Timers;
  readonly #note: WindowOptions['note'];
  #window: BrowserWindow | null = null;
  readonly #visibility = new Visibility();
  #places: WindowPlaces = NO_PLACES;
  #cancelSave = (): void => undefined;
  readonly #drawn = Promise.withResolvers<undefined>();

  /** `note` writes an event to the log. */
  constructor(file: JsonFile<WindowPlaces>, timers: Timers, note: WindowOptions['note']) {
    this.#file = file;
    this.#timers = timers;
    this.#note = note;
  }

  /** The open window, or null. */
  current(): BrowserWindow | null {
    return this.#window;
  }
  page(): WebContents | null {
    return this.#window?.webContents ?? null;
  }
  /** Whether the window is hidden or minimized. False before it is shown for the first time. */
  isHidden(): boolean {
    return this.#visibility.isHidden();
  }
  /** Resolves once the page has drawn its first figures, or did not in time. */
  drawn(): Promise<undefined> {
    return this.#drawn.promise;
  }
  show(): void {
    if (this.#window?.isMinimized() === true) this.#window.restore();
    this.#window?.show();
    this.#window?.focus();
  }
  /** Sets the zoom. `percent`: 100 is the actual size. */
  zoom(percent: number): void {
    if (this.#window?.isDestroyed() === false) this.page()?.setZoomFactor(percent / 100);
  }

  async open({ options, quitting, zoom, hide, shownAgain }: Opening): Promise<void> {
    await this.#readPlaces();
    const primary = screen.getPrimaryDisplay();
    const displays = [primary, ...screen.getAllDisplays().filter((one) => one.id !== primary.id)];
    const place = startPlace(this.#places, displays, MINIMUM_SIZE);
    const window = openWindow({ ...options, place, note: this.#note });
    this.#window = window;
    const drawnWhileHidden = isDrawnWhileHidden(process.platform, process.env);
    void showWhenDrawn(window, place.maximized, this.#timers, drawnWhileHidden).then(() =>
      this.#drawn.resolve(undefined),
    );
    window.webContents.on('did-finish-load', () => this.zoom(zoom()));
    const changed = (): void => {
      this.#notePlace(window);
      this.#cancelSave();
      this.#cancelSave = this.#timers.after(SAVE_DELAY_MS, () => void this.savePlace());
    };
    window.on('resize', changed);
    window.on('move', changed);
    window.on('maximize', changed);
    window.on('unmaximize', changed);
    this.#visibility.follow(window, shownAgain);
    window.on('close', (event) => {
      this.#notePlace(window);
      if (quitting.isDone()) return;
      event.preventDefault();
      if (!hide(window)) quitting.request();
    });
    window.on('query-session-end', () => {
      this.#notePlace(window);
      quitting.sessionMayEnd();
    });
    window.on('session-end', () => quitting.sessionEnds());
    window.on('closed', () => (this.#window = null));
    this.#offerReload(window, quitting);
  }

  /** Without a place on disk it opens at its default size. */
  async #readPlaces(): Promise<void> {
    try {
      this.#places = await this.#file.read();
    } catch {
      this.#note('window-place-not-read', {});
    }
  }

  /** Saves the window's position and size; resolves once they are on disk. */
  async savePlace(): Promise<void> {
    if (this.#window === null) return;
    this.#cancelSave();
    try {
      await this.#file.write(this.#places);
    } catch {
      this.#note('window-place-not-saved', {});
    }
  }

  #notePlace(window: BrowserWindow): void {
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
    const bounds = window.getNormalBounds();
    const { id } = screen.getDisplayMatching(bounds);
    this.#places = withPlace(this.#places, id, { ...bounds }, window.isMaximized());
  }

  /** Asks what to do when the page crashed or hangs. */
  #offerReload(window: BrowserWindow, quitting: Opening['quitting']): void {
    const page = window.webContents;
    const reload = (): void => {
      if (!window.isDestroyed()) page.reload();
    };
    /** The user chose to reload a page that hangs: a reload waits for its process, so that is ended first. */
    let isReplaced = false;
    page.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit' || quitting.isDone()) return;
      this.#note('page-gone', { reason });
      if (isReplaced) {
        isReplaced = false;
        setImmediate(reload);
        return;
      }
      void chosen(window, 'The window stopped working', ['Reload', 'Quit']).then((index) => {
        if (index === 0) reload();
        else quitting.request();
      });
    });
    window.on('unresponsive', () => {
      this.#note('page-hangs', {});
      void chosen(window, 'The window is not responding', ['Wait', 'Reload']).then((index) => {
        // One that crashed meanwhile has a question of its own.
        if (index !== 1 || window.isDestroyed() || page.isCrashed()) return;
        isReplaced = true;
        page.forcefullyCrashRenderer();
      });
    });
  }
}

/** Asks and resolves with the index of the chosen button; the first is the safe one, also if no dialog can be shown. */
async function chosen(window: BrowserWindow, message: string, buttons: [string, string]): Promise<number> {
  try {
    return await askUser(window, {
      type: 'error',
      message,
      detail: ORDERS_UNAFFECTED,
      buttons,
    });
  } catch {
    return 0;
  }
}
