/** The tray icon, which shows the worst alert state while Ballast can run without a window. */
import { join } from 'node:path';
import type { BrowserWindow, Menu, MenuItemConstructorOptions, Tray } from 'electron';
import type { TrayStatus } from '../../src-shared/ipc/away.ts';
import { NOTHING_MONITORED, type WorstState } from '../../src-shared/domain/alerts/worst.ts';

/** The part of Electron's Tray that is used. */
interface Icon extends Pick<Tray, 'setImage' | 'setToolTip' | 'setContextMenu' | 'destroy'> {
  on(event: 'click', listener: () => void): unknown;
}
/** The part of Electron's window that is used. */
type Hidden = Pick<BrowserWindow, 'hide' | 'minimize' | 'isFullScreen' | 'setFullScreen'> & {
  once(event: 'leave-full-screen', listener: () => void): unknown;
};
/** Electron's Tray, or a test's. */
export type TrayClass = new (image: string) => Icon;

export interface TrayPorts {
  readonly menu: (template: MenuItemConstructorOptions[]) => ReturnType<typeof Menu.buildFromTemplate>;
  /** Folder of the icons, one for each alert level. */
  readonly icons: string;
  readonly platform: NodeJS.Platform;
  readonly show: () => void;
  readonly quit: () => void;
  /** Called the first time a window is hidden, which the user may not expect. */
  readonly firstHidden: () => void;
}

export class TrayIcon {
  readonly #trayClass: TrayClass;
  readonly #ports: TrayPorts;
  #tray: Icon | null = null;
  #failed = false;
  #hasHidden = false;
  #state: WorstState = NOTHING_MONITORED;

  constructor(trayClass: TrayClass, ports: TrayPorts) {
    this.#trayClass = trayClass;
    this.#ports = ports;
  }

  /** Shows or removes the icon. Electron must be ready. */
  set(on: boolean): void {
    if (!on) {
      this.#tray?.destroy();
      this.#tray = null;
      this.#failed = false;
    }
    if (!on || this.#tray !== null) return;
    const { platform, show } = this.#ports;
    try {
      const tray = new this.#trayClass(this.#icon());
      // On macOS, and on some Linux desktops, a click opens the menu, which has the same entry.
      if (platform !== 'darwin') tray.on('click', () => show());
      this.#tray = tray;
      this.#failed = false;
      this.#draw();
    } catch {
      this.#tray = null;
      this.#failed = true; // status() says so, and closing minimises the window instead
    }
  }

  /** Returns whether the icon is shown; on Linux Electron cannot say. */
  status(): TrayStatus {
    if (this.#failed) return 'failed';
    if (this.#tray === null) return 'off';
    return this.#ports.platform === 'linux' ? 'unsure' : 'shown';
  }

  /** Hides a window; without a tray icon it is minimised, since it could not be shown again. */
  hide(window: Hidden): void {
    // macOS would leave a black screen of it (electron/electron#39572), and does not minimise it.
    if (this.#ports.platform === 'darwin' && window.isFullScreen()) {
      window.once('leave-full-screen', () => this.hide(window));
      window.setFullScreen(false);
      return;
    }
    if (this.#tray === null) {
      window.minimize();
      return;
    }
    window.hide();
    if (this.#hasHidden) return;
    this.#hasHidden = true;
    this.#ports.firstHidden();
  }

  update(state: WorstState): void {
    if (state.level === this.#state.level && state.text === this.#state.text) return;
    this.#state = state;
    this.#draw();
  }

  #icon(): string {
    return join(this.#ports.icons, `${this.#state.level}.png`);
  }
  #draw(): void {
    if (this.#tray === null) return;
    const { menu, show, quit } = this.#ports;
    this.#tray.setImage(this.#icon());
    this.#tray.setToolTip(`Ballast: ${this.#state.text}`);
    // A new menu each time: Linux ignores changes of a shown menu's entries.
    this.#tray.setContextMenu(
      menu([
        { id: 'show', label: 'Show Ballast', click: () => show() },
        { type: 'separator' },
        { id: 'state', label: this.#state.text, enabled: false },
        { type: 'separator' },
        { id: 'quit', label: 'Quit Ballast', click: () => quit() },
      ]),
    );
  }
}
