import { PreventableEvent, carried, carriedStatics, notCarried } from './carried.mjs';
import { app } from './app.mjs';
import { permissionsSettled } from './permissions.mjs';
import { runtime } from './runtime.mjs';
import { createPage } from './targets.mjs';
import { checkPreferences, colorOf } from './window-options.mjs';
import { WebContents } from './web-contents.mjs';
import { WindowPlace } from './window-place.mjs';

const EVENTS = [
  'close',
  'closed',
  'ready-to-show',
  'show',
  'hide',
  'focus',
  'blur',
  'resize',
  'resized',
  'move',
  'moved',
  'minimize',
  'maximize',
  'unmaximize',
  'restore',
  'enter-full-screen',
  'leave-full-screen',
  'page-title-updated',
  'unresponsive',
  'responsive',
  // Of other systems, or of a session that ends: never raised here.
  'session-end',
  'query-session-end',
  'app-command',
  'swipe',
  'always-on-top-changed',
  'will-resize',
  'will-move',
];

const windows = new Map();
let lastId = 0;
let focused = null;

export class BrowserWindow extends carried('BrowserWindow', EVENTS) {
  #place;
  #title;
  #visible;
  #destroyed = false;
  #shown = false;
  #menuBar = true;

  constructor(options = {}) {
    super();
    if (!runtime.ready) throw new Error('Cannot create BrowserWindow before app is ready');
    if (options.parent || options.modal) throw notCarried('BrowserWindow options parent and modal');
    const preferences = options.webPreferences ?? {};
    checkPreferences(preferences);
    this.id = ++lastId;
    this.#title = options.title ?? app.getName();
    this.#visible = options.show !== false;
    this.webContents = new WebContents(this, preferences.preload);
    this.#place = new WindowPlace(this, options);
    windows.set(this.id, this);
    const paint = colorOf(options.backgroundColor);
    if (preferences.zoomFactor) this.webContents.setZoomFactor(preferences.zoomFactor);
    this.webContents.once('did-finish-load', () => this.emit('ready-to-show'));
    this.#open(paint).catch((error) => {
      if (this.#destroyed || error.name === 'ProtocolError') return this.pageEnded();
      throw error;
    });
    app.emit('web-contents-created', new PreventableEvent(), this.webContents);
    app.emit('browser-window-created', new PreventableEvent(), this);
    if (this.#visible) focused ??= this;
  }

  async #open(paint) {
    // Without handlers Electron grants everything; Chromium would ask no one and deny.
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

  /** What the page saw of its window: focus, blur, resize (and with them its place). */
  fromPage({ type, width, height, x, y }) {
    this.#place.seen({ width, height, x, y });
    if (type === 'resize') return;
    focused = type === 'focus' ? this : focused === this ? null : focused;
    this.emit(type);
    this.webContents.emit(type);
    app.emit(`browser-window-${type}`, new PreventableEvent(), this);
  }

  pageCrashed(details) {
    app.emit('render-process-gone', new PreventableEvent(), this.webContents, details);
  }

  /** The page is gone: closed by us, by a person, or with Chromium itself. */
  pageEnded() {
    if (!windows.delete(this.id)) return;
    this.#destroyed = true;
    if (focused === this) focused = null;
    this.emit('closed');
    app.windowClosed(windows.size);
  }

  loadURL(url) {
    return this.webContents.loadURL(url);
  }
  /** @returns whether it will close: a listener of 'close' may refuse */
  close() {
    if (this.#destroyed) return true;
    const event = new PreventableEvent();
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    this.destroy();
    return true;
  }
  destroy() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.webContents.endPage();
    // Not when Chromium says so: it forgets the closing of a page whose process is only just starting.
    setImmediate(() => this.webContents.ended());
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
    this.#place.state('normal', this.#place.current() === 'minimized' ? 'restore' : undefined);
    this.emit('show');
  }
  hide() {
    if (!this.#visible) return;
    this.#visible = false;
    if (!runtime.headless) this.#place.state('minimized');
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
    this.#place.state('minimized', 'minimize');
  }
  maximize() {
    this.#place.state('maximized', 'maximize');
  }
  unmaximize() {
    this.#place.state('normal', 'unmaximize');
  }
  restore() {
    this.#place.state('normal', 'restore');
  }
  setFullScreen(on) {
    this.#place.state(on ? 'fullscreen' : 'normal', on ? 'enter-full-screen' : 'leave-full-screen');
  }
  isMinimized() {
    return this.#place.current() === 'minimized';
  }
  isMaximized() {
    return this.#place.current() === 'maximized';
  }
  isFullScreen() {
    return this.#place.current() === 'fullscreen';
  }
  isNormal() {
    return this.#place.current() === 'normal';
  }
  isResizable() {
    return true;
  }

  getBounds() {
    return this.#place.bounds();
  }
  getNormalBounds() {
    return this.#place.bounds();
  }
  getContentBounds() {
    return this.#place.bounds();
  }
  setBounds(bounds) {
    this.#place.move(bounds);
  }
  setContentBounds(bounds) {
    this.#place.move(bounds);
  }
  getSize() {
    const { width, height } = this.#place.bounds();
    return [width, height];
  }
  getContentSize() {
    return this.getSize();
  }
  setSize(width, height) {
    this.#place.move({ width, height });
  }
  setContentSize(width, height) {
    this.setSize(width, height);
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

  /** Recorded; Chromium shows the page's own title. */
  setTitle(title) {
    this.#title = title;
  }
  getTitle() {
    return this.#title;
  }
  /** Recorded: there is no menu bar. */
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

carriedStatics('BrowserWindow', BrowserWindow);
