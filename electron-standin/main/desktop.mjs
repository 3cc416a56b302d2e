// Small modules that use the desktop. They do what is possible here and report or reject the rest.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { BrowserWindow } from './browser-window.mjs';
import { supportedClass, supportedModule, unsupported } from './supported.mjs';

/** The opened program runs on by itself, also after the app. */
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

export const shell = supportedModule('shell', {
  async openExternal(url) {
    await run('xdg-open', [new URL(url).href]);
  },
  async openPath(path) {
    // Electron resolves with the error's text instead of throwing.
    return run('xdg-open', [path]).then(
      () => '',
      (error) => error.message,
    );
  },
  /** Opens the folder. Only a file manager with a D-Bus interface could also select the file. */
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
export const clipboard = supportedModule('clipboard', {
  /** Writes to Chromium's clipboard through a page (the desktop's, under a display), and stores a copy here. */
  async writeText(text) {
    copied = String(text);
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window === undefined) throw unsupported('clipboard.writeText without a window');
    const expression = `(() => {
      const set = (event) => { event.clipboardData.setData('text/plain', ${JSON.stringify(copied)}); event.preventDefault(); event.stopImmediatePropagation(); };
      window.addEventListener('copy', set, { capture: true, once: true });
      document.execCommand('copy');
      window.removeEventListener('copy', set, { capture: true });
    })()`;
    await window.webContents.runInPreloadWorld(expression, true);
  },
  /** Returns what this app wrote last: text copied elsewhere is not seen. */
  readText: () => Promise.resolve(copied),
  clear: () => clipboard.writeText(''),
});

/** Suspend and resume are not detected here: these events never fire. */
class PowerMonitor extends supportedClass('powerMonitor', [
  'suspend',
  'resume',
  'on-ac',
  'on-battery',
  'shutdown',
  'lock-screen',
  'unlock-screen',
]) {}
export const powerMonitor = new PowerMonitor();

export const safeStorage = supportedModule('safeStorage', {
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
export const unsupportedExport = (name) =>
  new Proxy(function Refused() {}, {
    get(target, key) {
      if (typeof key === 'symbol' || key === 'then' || key === 'prototype' || key === 'name')
        return target[key];
      throw unsupported(`${name}.${key}`);
    },
    construct() {
      throw unsupported(`new ${name}()`);
    },
    apply() {
      throw unsupported(`${name}()`);
    },
  });
