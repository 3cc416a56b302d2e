// Electron's `app`: paths, switches, the single instance, and the order of events from start to quit.
import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { PreventableEvent, supportedClass, supportedModule } from './supported.mjs';
import { leave, runtime } from './runtime.mjs';
import { startAfterExit } from './relaunch.mjs';
import { lockInstance, releaseInstance } from './single-instance.mjs';

const EVENTS = [
  'will-finish-launching',
  'ready',
  'window-all-closed',
  'before-quit',
  'will-quit',
  'quit',
  'second-instance',
  'web-contents-created',
  'browser-window-created',
  'browser-window-focus',
  'browser-window-blur',
  'render-process-gone',
  'child-process-gone',
  // Events of macOS and Windows, or whose cause does not exist here (TLS errors of pages, logins, GPU news).
  'activate',
  'open-file',
  'open-url',
  'certificate-error',
  'select-client-certificate',
  'login',
  'gpu-info-update',
  'accessibility-support-changed',
  'session-created',
  'did-become-active',
];

const FOLDERS = {
  home: () => homedir(),
  appData: () => process.env.XDG_CONFIG_HOME || join(homedir(), '.config'),
  userData: () => join(app.getPath('appData'), app.getName()),
  sessionData: () => app.getPath('userData'),
  logs: () => join(app.getPath('userData'), 'logs'),
  crashDumps: () => join(app.getPath('userData'), 'Crashpad'),
  temp: () => tmpdir(),
  downloads: () => process.env.XDG_DOWNLOAD_DIR || join(homedir(), 'Downloads'),
  desktop: () => process.env.XDG_DESKTOP_DIR || join(homedir(), 'Desktop'),
  documents: () => process.env.XDG_DOCUMENTS_DIR || join(homedir(), 'Documents'),
  exe: () => process.execPath,
  module: () => process.execPath,
  cache: () => process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
};

class App extends supportedClass('app', EVENTS) {
  #paths = new Map();
  #name;
  #version;
  #whenReady;
  #markReady;
  #exiting = false;
  #relaunches = [];
  #hidden = { badge: 0 };
  isPackaged = false;

  constructor() {
    super();
    this.#whenReady = new Promise((resolve) => (this.#markReady = resolve));
  }

  /** Switches are lower case throughout, as in Electron. */
  commandLine = supportedModule('app.commandLine', {
    appendSwitch(name, value = '') {
      runtime.switches.set(String(name).toLowerCase(), String(value));
    },
    hasSwitch: (name) => runtime.switches.has(String(name).toLowerCase()),
    getSwitchValue: (name) => runtime.switches.get(String(name).toLowerCase()) ?? '',
    removeSwitch: (name) => void runtime.switches.delete(String(name).toLowerCase()),
  });

  whenReady() {
    return this.#whenReady;
  }
  isReady() {
    return runtime.ready;
  }
  /** Called when Chromium replies: the app may open windows. */
  becomeReady() {
    this.emit('will-finish-launching', new PreventableEvent());
    runtime.ready = true;
    this.#markReady();
    this.emit('ready', new PreventableEvent(), {});
  }

  getName() {
    return this.#name ?? runtime.manifest.productName ?? runtime.manifest.name ?? 'Electron';
  }
  setName(name) {
    this.#name = name;
  }
  get name() {
    return this.getName();
  }
  set name(name) {
    this.setName(name);
  }
  getVersion() {
    return this.#version ?? runtime.manifest.version ?? '0.0.0';
  }
  setVersion(version) {
    this.#version = version;
  }
  getAppPath() {
    return runtime.appPath;
  }
  getPath(name) {
    const own = this.#paths.get(name);
    if (own !== undefined) return own;
    const switched = name === 'userData' ? runtime.switches.get('user-data-dir') : undefined;
    if (switched) return switched;
    if (!Object.hasOwn(FOLDERS, name)) throw new Error(`Failed to get '${name}' path`);
    return FOLDERS[name]();
  }
  setPath(name, path) {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (!Object.hasOwn(FOLDERS, name)) throw new Error(`Failed to set path`);
    mkdirSync(path, { recursive: true });
    this.#paths.set(name, path);
  }
  setAppLogsPath(path) {
    this.setPath('logs', path ?? join(this.getPath('userData'), 'logs'));
  }
  getLocale() {
    return Intl.DateTimeFormat().resolvedOptions().locale;
  }
  getSystemLocale() {
    return this.getLocale();
  }
  getLocaleCountryCode() {
    return new Intl.Locale(this.getLocale()).region ?? '';
  }
  getPreferredSystemLanguages() {
    return [this.getLocale()];
  }

  /**
   * Removes --no-sandbox, as Electron does. If Chromium was started with it, this comes too late: its pages have no
   * sandbox and end when they are required to have one (see WebContents).
   */
  enableSandbox() {
    if (runtime.ready) throw new Error('app.enableSandbox() can only be called before app is ready');
    runtime.switches.delete('no-sandbox');
    runtime.switches.set('enable-sandbox', '');
  }
  /** Windows only; Electron ignores it elsewhere too. */
  setAppUserModelId() {}
  /** No effect needed: GPU use is off in headless Chromium, and under a display this requests the same. */
  disableHardwareAcceleration() {
    if (runtime.ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready');
    runtime.switches.set('disable-gpu', '');
  }
  /** macOS and Windows only; on Linux Electron keeps nothing and reports it as off. */
  setLoginItemSettings() {}
  getLoginItemSettings() {
    return {
      openAtLogin: false,
      wasOpenedAtLogin: false,
      status: 'not-registered',
      executableWillLaunchAtLogin: false,
      launchItems: [],
    };
  }
  isAccessibilitySupportEnabled() {
    return false;
  }
  setBadgeCount(count) {
    this.#hidden.badge = count;
    return false;
  }
  getBadgeCount() {
    return this.#hidden.badge;
  }
  focus() {}

  requestSingleInstanceLock(additionalData) {
    return lockInstance(this.getPath('userData'), additionalData, (argv, cwd, data) => {
      // Never before 'ready', whenever the second instance was started.
      void this.#whenReady.then(() => this.emit('second-instance', new PreventableEvent(), argv, cwd, data));
    });
  }
  hasSingleInstanceLock() {
    return runtime.instanceLocked === true;
  }
  releaseSingleInstanceLock() {
    releaseInstance();
  }

  /** Handles a closed window: the last one ends the app unless a listener prevents it. */
  windowClosed(left) {
    if (left > 0 || this.#exiting) return;
    if (runtime.quitting) return this.#finishQuit(0);
    if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed');
    else this.quit();
  }

  /** Sends the close request to all windows at once; they end later, and the app after the last. */
  quit() {
    if (runtime.quitting) return;
    const before = new PreventableEvent();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    runtime.quitting = true;
    const windows = this.windows();
    if (windows.length === 0) this.#finishQuit(0);
    for (const window of windows) window.close();
  }
  /** Cancels quitting when one window refuses to close. */
  closeCancelled() {
    runtime.quitting = false;
  }

  #finishQuit(code) {
    const will = new PreventableEvent();
    this.emit('will-quit', will);
    if (will.defaultPrevented) runtime.quitting = false;
    else this.#shutDown(code);
  }

  /** Destroys windows without asking; running code still finishes. */
  exit(code = 0) {
    if (this.#exiting) return;
    this.#exiting = runtime.quitting = true;
    for (const window of this.windows()) window.destroy();
    this.#shutDown(code);
  }
  /** Starts another instance when this one ends, one for each call; it ends nothing itself. */
  relaunch(options = {}) {
    this.#relaunches.push(options);
  }
  #shutDown(code) {
    this.#exiting = true;
    for (const options of this.#relaunches.splice(0)) startAfterExit(options);
    this.emit('quit', new PreventableEvent(), code);
    setImmediate(leave, code);
  }

  /** Set by the entry: app.mjs can't import the windows, which import it. */
  windows = () => [];
}

export const app = new App();

process.exit = (code) => {
  if (code !== undefined) process.exitCode = code;
  app.exit(process.exitCode ?? 0);
};
