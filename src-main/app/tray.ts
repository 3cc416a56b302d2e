/** Shows the worst alert state in the tray while Ballast keeps running without a window. */
import { join } from 'node:path';
import type { BrowserWindow, Menu, MenuItemConstructorOptions, Tray } from 'electron';
import type { TrayStatus } from '../../src-shared/ipc/away.ts';
import { NOTHING_WATCHED, type WorstState } from '../../src-shared/domain/alerts/worst.ts';

/** The used part of Electron's Tray. Tests inject one that refuses. */
interface Icon extends Pick<Tray, 'setImage' | 'setToolTip' | 'setContextMenu' | 'destroy'> {
  on(event: 'click', listener: () => void): unknown;
}
export type TraySystem = new (image: string) => Icon;

export interface TrayPorts {
  readonly menu: (template: MenuItemConstructorOptions[]) => ReturnType<typeof Menu.buildFromTemplate>;
  /** Folder of the icons, one per level. */
  readonly icons: string;
  readonly platform: NodeJS.Platform;
  readonly show: () => void;
  readonly quit: () => void;
  /** Called the first time a window goes to the tray, which the user may not expect. */
  readonly hidden: () => void;
}

export class TrayIcon {
  readonly #system: TraySystem;
  readonly #ports: TrayPorts;
  #tray: Icon | null = null;
  #failed = false;
  #hasHidden = false;
  #state: WorstState = NOTHING_WATCHED;

  constructor(system: TraySystem, ports: TrayPorts) {
    this.#system = system;
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
      const tray = new this.#system(this.#icon());
      // macOS opens the menu on a click, and so do some Linux desktops; it has the same entry.
      if (platform !== 'darwin') tray.on('click', () => show());
      this.#tray = tray;
      this.#failed = false;
      this.#draw();
    } catch {
      this.#tray = null;
      this.#failed = true; // status() says so, and closing minimises the window instead
    }
  }

  /** Electron on Linux does not report whether the desktop shows the icon. */
  status(): TrayStatus {
    if (this.#failed) return 'failed';
    if (this.#tray === null) return 'off';
    return this.#ports.platform === 'linux' ? 'unsure' : 'shown';
  }

  /** Takes a window out of view in place of closing it; without a tray icon it is minimised, which can be undone. */
  hide(window: Pick<BrowserWindow, 'hide' | 'minimize'>): void {
    if (this.#tray === null) {
      window.minimize();
      return;
    }
    window.hide();
    if (this.#hasHidden) return;
    this.#hasHidden = true;
    this.#ports.hidden();
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
    // Set anew each time: Linux ignores changes of a menu's entries.
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
