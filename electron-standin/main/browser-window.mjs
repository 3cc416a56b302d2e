// BrowserWindow. Over 300 lines because each member is a method of its own.
import { existsSync, readFileSync } from 'node:fs';
import { PreventableEvent, supportedClass, supportedStatics, unsupported } from './supported.mjs';
import { app } from './app.mjs';
import { Menu } from './menu.mjs';
import { permissionsSettled } from './permissions.mjs';
import { reportFault, runtime } from './runtime.mjs';
import { createPage } from './targets.mjs';
import { checkPreferences, colorOf } from './window-options.mjs';
import { WebContents } from './web-contents.mjs';
import { MENU_BAR, WindowPlace } from './window-place.mjs';

const EVENTS = [
  'close',
  'closed',
  'ready-to-show',
  'show',
  'hide',
  'focus',
  'blur',
  'resize',
  'move',
  'minimize',
  'maximize',
  'unmaximize',
  'restore',
  'enter-full-screen',
  'leave-full-screen',
  'unresponsive',
  'responsive',
  // Events of other systems, or of a session that ends: never raised here.
  'resized',
  'moved',
  'session-end',
  'query-session-end',
  'app-command',
  'swipe',
  'always-on-top-changed',
  'will-resize',
  'will-move',
];

/** An icon's bytes. Electron takes a path or a NativeImage and omits the icon when there is no such file. */
function iconOf(icon) {
  if (icon === undefined) return undefined;
  if (typeof icon !== 'string') throw unsupported('BrowserWindow option icon as a NativeImage');
  return existsSync(icon) ? readFileSync(icon) : undefined;
}

const windows = new Map();
let lastId = 0;
let focused = null;

export class BrowserWindow extends supportedClass('BrowserWindow', EVENTS) {
  #place;
  #title;
  #visible;
  #destroyed = false;
  #shown = false;
  #menuBar;

  constructor(options = {}) {
    super();
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready');
    if (options.parent || options.modal) throw unsupported('BrowserWindow options parent and modal');
    const preferences = options.webPreferences ?? {};
    checkPreferences(preferences);
    this.id = ++lastId;
    this.#title = options.title ?? app.getName();
    this.#visible = options.show !== false;
    this.#menuBar = options.autoHideMenuBar !== true;
    this.webContents = new WebContents(this, preferences.preload, {
      title: this.#title,
      icon: iconOf(options.icon),
    });
    this.#place = new WindowPlace(this, options);
    windows.set(this.id, this);
    const paint = colorOf(options.backgroundColor);
    if (preferences.zoomFactor) this.webContents.setZoomFactor(preferences.zoomFactor);
    this.webContents.once('ready-to-show', () => this.emit('ready-to-show'));
    this.#open(paint).catch((error) => {
      reportFault(error);
      this.pageEnded();
    });
    app.emit('web-contents-created', new PreventableEvent(), this.webContents);
    app.emit('browser-window-created', new PreventableEvent(), this);
    if (this.#visible) focused ??= this;
  }

  async #open(paint) {
    // Without handlers Electron grants everything; Chromium would deny without asking.
    await permissionsSettled();
    const page = await createPage(this.#place.forCreation());
    if (this.#destroyed) {
      return runtime.chromium.connection.root.send('Target.closeTarget', { targetId: page.targetId });
    }
    await this.#place.settle(page.targetId);
    this.webContents.attach(page, paint);
  }

  static getAllWindows = () => [...windows.values()];
  static getFocusedWindow = () => focused;
  static fromId = (id) => windows.get(id) ?? null;
  static fromWebContents = (contents) =>
    [...windows.values()].find((one) => one.webContents === contents) ?? null;

  /** Handles what the page reports of its window: focus, blur, or events that may mean it moved. */
  fromPage({ type, width, height, x, y }) {
    this.#place.seen({ width, height, x, y });
    if (type === 'place') return;
    focused = type === 'focus' ? this : focused === this ? null : focused;
    this.emit(type);
    this.webContents.emit(type);
    app.emit(`browser-window-${type}`, new PreventableEvent(), this);
  }

  pageCrashed(details) {
    app.emit('render-process-gone', new PreventableEvent(), this.webContents, details);
  }

  /** The page is gone: closed by us, by the user, or with Chromium itself. */
  pageEnded() {
    if (!windows.delete(this.id)) return;
    this.#destroyed = true;
    if (focused === this) focused = null;
    this.webContents.ended();
    this.emit('closed');
    app.windowClosed(windows.size);
  }

  /**
   * Handles closing by the user: reads the window's place once more, then asks the app.
   * @returns whether it may close
   */
  async closedByUser() {
    this.#place.seen({});
    await this.#place.whenSettled();
    return this.#mayClose();
  }
  #mayClose() {
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented) app.closeCancelled();
    return !event.defaultPrevented;
  }

  loadURL(url) {
    return this.webContents.loadURL(url);
  }
  /** Calls the listeners of 'close' at once, as Electron does; the page and the window end later. */
  close() {
    if (this.#destroyed || !this.#mayClose()) return;
    setImmediate(() => this.destroy());
  }
  /** Ends here without Chromium's confirmation, which never comes for a page whose process is just starting. */
  destroy() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.webContents.endPage();
    this.pageEnded();
  }
  isDestroyed() {
    return this.#destroyed;
  }
  reload() {
    this.webContents.reload();
  }

  show() {
    this.showInactive();
    this.focus();
  }
  showInactive() {
    if (this.#visible && this.#shown) return;
    this.#visible = this.#shown = true;
    if (this.#place.state() === 'minimized') this.#place.become('normal', { quietly: true });
    this.emit('show');
  }
  /** Chromium's windows can't be hidden from outside: under a display it is minimised. */
  hide() {
    if (!this.#visible) return;
    this.#visible = false;
    if (!runtime.headless) this.#place.become('minimized', { quietly: true });
    this.emit('hide');
  }
  isVisible() {
    return this.#visible;
  }
  focus() {
    focused = this;
    this.webContents.focus();
  }
  blur() {
    if (focused === this) focused = null;
  }
  isFocused() {
    return focused === this;
  }

  minimize() {
    this.#place.become('minimized');
  }
  maximize() {
    this.#place.become('maximized');
  }
  unmaximize() {
    if (this.isMaximized()) this.#place.become('normal');
  }
  restore() {
    if (this.isMinimized() || this.isMaximized()) this.#place.become('normal');
  }
  setFullScreen(on) {
    if (on !== this.isFullScreen()) this.#place.become(on ? 'fullscreen' : 'normal');
  }
  isMinimized() {
    return this.#place.state() === 'minimized';
  }
  isMaximized() {
    return this.#place.state() === 'maximized';
  }
  isFullScreen() {
    return this.#place.state() === 'fullscreen';
  }
  isNormal() {
    return this.#place.state() === 'normal';
  }
  isResizable() {
    return true;
  }
  isMinimizable() {
    return true;
  }

  getBounds() {
    return this.#place.bounds();
  }
  getNormalBounds() {
    return this.#place.normalBounds();
  }
  getContentBounds() {
    return this.#place.contentBounds();
  }
  setBounds(bounds) {
    this.#place.move(bounds);
  }
  setContentBounds(bounds) {
    this.#place.move(this.#place.outer(bounds));
  }
  getSize() {
    const { width, height } = this.#place.bounds();
    return [width, height];
  }
  getContentSize() {
    const { width, height } = this.#place.contentBounds();
    return [width, height];
  }
  setSize(width, height) {
    this.setBounds({ width, height });
  }
  setContentSize(width, height) {
    this.setContentBounds({ width, height });
  }
  getPosition() {
    const { x, y } = this.#place.bounds();
    return [x, y];
  }
  setPosition(x, y) {
    this.#place.move({ x, y });
  }
  center() {
    this.#place.center();
  }
  setMinimumSize(width, height) {
    this.#place.least = { width, height };
  }
  getMinimumSize() {
    return [this.#place.least.width, this.#place.least.height];
  }

  /** Records the title; Chromium shows the page's own. */
  setTitle(title) {
    this.#title = title;
  }
  getTitle() {
    return this.#title;
  }
  /** The menu bar is not drawn but has its height, so that window and page sizes differ as in Electron. */
  menuBarHeight() {
    return this.#menuBar && Menu.getApplicationMenu() !== null ? MENU_BAR : 0;
  }
  setMenuBarVisibility(visible) {
    this.#menuBar = visible;
  }
  isMenuBarVisible() {
    return this.#menuBar;
  }
  setAutoHideMenuBar(hide) {
    this.#menuBar = !hide;
  }
  removeMenu() {
    this.#menuBar = false;
  }
  setBackgroundColor(text) {
    const color = colorOf(text);
    this.webContents.post('Emulation.setDefaultBackgroundColorOverride', { color });
  }
}

supportedStatics('BrowserWindow', BrowserWindow);
