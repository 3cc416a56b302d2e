// Small modules that touch the desktop: what they can do here they do, what they can't they say or refuse.
import { spawn, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { PreventableEvent, carried, carriedModule, notCarried } from './carried.mjs';
import { BrowserWindow } from './browser-window.mjs';
import { runtime } from './runtime.mjs';

const available = (program) => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status === 0;

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true });
    child.once('error', (error) => reject(new Error(`${program}: ${error.message}`)));
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)),
    );
    child.unref();
  });
}

export const shell = carriedModule('shell', {
  async openExternal(url) {
    await run('xdg-open', [new URL(url).href]);
  },
  async openPath(path) {
    // Electron answers with the fault's text instead of throwing.
    return run('xdg-open', [path]).then(
      () => '',
      (error) => error.message,
    );
  },
  /** Opens the folder: which file was meant only a file manager with a D-Bus interface could show. */
  showItemInFolder(path) {
    run('xdg-open', [dirname(path)]).catch((error) =>
      process.stderr.write(`electron-standin: ${error.message}\n`),
    );
  },
  beep() {
    process.stderr.write('\x07');
  },
});

let copied = '';
export const clipboard = carriedModule('clipboard', {
  /** Into Chromium's clipboard through a page (the desktop's, under a display), and kept here. */
  writeText(text) {
    copied = String(text);
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    const expression = `(() => {
      const set = (event) => { event.clipboardData.setData('text/plain', ${JSON.stringify(copied)}); event.preventDefault(); event.stopImmediatePropagation(); };
      window.addEventListener('copy', set, { capture: true, once: true });
      document.execCommand('copy');
      window.removeEventListener('copy', set, { capture: true });
    })()`;
    window?.webContents.runInPreloadWorld(expression, true).catch((error) => {
      process.stderr.write(`electron-standin: the clipboard took nothing: ${error.message}\n`);
    });
  },
  /** What this app wrote last: text copied elsewhere is not seen. */
  readText: () => copied,
  clear() {
    clipboard.writeText('');
  },
});

/** Nothing here knows of suspend and resume: these events never fire. */
class PowerMonitor extends carried('powerMonitor', [
  'suspend',
  'resume',
  'on-ac',
  'on-battery',
  'shutdown',
  'lock-screen',
  'unlock-screen',
]) {}
export const powerMonitor = new PowerMonitor();

export class Notification extends carried('Notification', [
  'show',
  'click',
  'close',
  'failed',
  'reply',
  'action',
]) {
  constructor({ title = '', body = '' } = {}) {
    super();
    this.title = title;
    this.body = body;
  }
  static isSupported = () => !runtime.headless && available('notify-send');
  show() {
    if (!Notification.isSupported())
      throw new Error('electron-standin: no notify-send here (Notification.isSupported() says so)');
    run('notify-send', ['--', this.title, this.body]).then(
      () => this.emit('show', new PreventableEvent()),
      (error) => this.emit('failed', new PreventableEvent(), error.message),
    );
  }
  close() {}
}

/** The display is not asked for its size: one of the size the windows of tests are made for. */
const display = Object.freeze({
  id: 1,
  label: 'electron-standin',
  scaleFactor: 1,
  rotation: 0,
  internal: false,
  touchSupport: 'unknown',
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1080 },
  size: { width: 1920, height: 1080 },
  workAreaSize: { width: 1920, height: 1080 },
});
class Screen extends carried('screen', ['display-added', 'display-removed', 'display-metrics-changed']) {
  getPrimaryDisplay = () => display;
  getAllDisplays = () => [display];
  getDisplayMatching = () => display;
  getDisplayNearestPoint = () => display;
}
export const screen = new Screen();

export const safeStorage = carriedModule('safeStorage', {
  isEncryptionAvailable: () => false,
  getSelectedStorageBackend: () => 'unknown',
  encryptString() {
    throw new Error(
      'Error while encrypting the text provided to safeStorage.encryptString. Encryption is not available.',
    );
  },
  decryptString() {
    throw new Error(
      'Error while decrypting the ciphertext provided to safeStorage.decryptString. Encryption is not available.',
    );
  },
});

/** A class or module that exists by name only: any use throws. */
export const refused = (name) =>
  new Proxy(function Refused() {}, {
    get(target, key) {
      if (typeof key === 'symbol' || key === 'then' || key === 'prototype' || key === 'name')
        return target[key];
      throw notCarried(`${name}.${key}`);
    },
    construct() {
      throw notCarried(`new ${name}()`);
    },
    apply() {
      throw notCarried(`${name}()`);
    },
  });

/** An entry of a recorded menu; `click` is what a test may call. */
export class MenuItem {
  constructor(template) {
    this.#adopt(template);
  }
  #adopt(template) {
    const submenu =
      template.submenu instanceof Menu || !template.submenu
        ? template.submenu
        : Menu.buildFromTemplate(template.submenu);
    const defaults = {
      type: submenu ? 'submenu' : 'normal',
      label: '',
      enabled: true,
      visible: true,
      checked: false,
    };
    Object.assign(this, defaults, template, { submenu: submenu ?? null });
    const { click } = template;
    this.click = (...args) => click?.(this, BrowserWindow.getFocusedWindow(), ...args);
  }
}

let applicationMenu = null;
/** Recorded, never drawn: no menu bar, no accelerators, no context menu. Tests may click its items. */
export class Menu extends carried('Menu', ['menu-will-show', 'menu-will-close']) {
  items = [];
  static buildFromTemplate(template) {
    const menu = new Menu();
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item));
    return menu;
  }
  static setApplicationMenu(menu) {
    applicationMenu = menu;
  }
  static getApplicationMenu = () => applicationMenu;
  append(item) {
    this.items.push(item);
  }
  insert(at, item) {
    this.items.splice(at, 0, item);
  }
  getMenuItemById(id) {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
  popup() {
    process.stderr.write('electron-standin does not draw menus: Menu.popup() was recorded only\n');
  }
  closePopup() {}
}
