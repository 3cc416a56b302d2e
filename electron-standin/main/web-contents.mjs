import { codec } from '../page/codec.mjs';
import { toChromium, toElectron } from './address.mjs';
import { PreventableEvent, carried, carriedStatics } from './carried.mjs';
import { WebFrameMain } from './frame.mjs';
import { takeMessage, tellConsole } from './page-messages.mjs';
import { nativeTheme } from './native-theme.mjs';
import { PageLink } from './page-link.mjs';
import { PageNetwork } from './network.mjs';
import { runtime } from './runtime.mjs';
import { defaultSession } from './session.mjs';

const EVENTS = [
  'did-finish-load',
  'did-fail-load',
  'dom-ready',
  'did-start-loading',
  'did-stop-loading',
  'did-navigate',
  'did-navigate-in-page',
  'will-navigate',
  'will-redirect',
  'will-frame-navigate',
  'console-message',
  'render-process-gone',
  'preload-error',
  'ipc-message',
  'destroyed',
  'focus',
  'blur',
  'unresponsive',
  'responsive',
  'page-title-updated',
  'zoom-changed',
  // What could raise these does not exist here: no webview tag, no popups, no devices, no DevTools of ours.
  'will-attach-webview',
  'did-attach-webview',
  'did-create-window',
  'select-bluetooth-device',
  'login',
  'certificate-error',
  'select-client-certificate',
  'devtools-opened',
  'devtools-closed',
  'will-prevent-unload',
];

const all = new Map();
let lastId = 0;

export class WebContents extends carried('webContents', EVENTS) {
  #session;
  #link;
  #network;
  #attach;
  #attached = new Promise((resolve) => (this.#attach = resolve));
  #owner;
  #preload;
  #url = '';
  #title = '';
  #loading = false;
  #loadWaiters = [];
  #destroyed = false;
  #crashed = false;
  #openHandler = () => ({ action: 'deny' });
  #zoom = 1;
  #targetId;

  constructor(owner, preload) {
    super();
    this.id = ++lastId;
    this.#owner = owner;
    this.#preload = preload;
    this.session = defaultSession;
    this.mainFrame = new WebFrameMain(this);
    all.set(this.id, this);
  }

  static getAllWebContents = () => [...all.values()];
  static fromId = (id) => all.get(id);
  static getFocusedWebContents = () => [...all.values()].find((contents) => contents.isFocused()) ?? null;
  static fromDevToolsTargetId = (targetId) => [...all.values()].find((one) => one.targetId === targetId);

  /** Wires the paused page and lets it run. */
  attach({ session, targetId }, paint) {
    this.#session = session;
    this.#targetId = targetId;
    session.on('detached', () => this.ended());
    // The main frame of a page has its target's id.
    this.#link = new PageLink(session, targetId, this.#preload, {
      message: (message, reply) => takeMessage(this, this.#owner, message, reply),
      navigated: (url, unreachable) => this.#navigated(url, unreachable),
      navigatedInPage: (url) => {
        this.#url = url;
        this.emit('did-navigate-in-page', new PreventableEvent(), this.getURL(), true, 1, 1);
      },
      domReady: () => this.emit('dom-ready', new PreventableEvent()),
      loaded: () => this.#loaded(),
      startedLoading: () => {
        this.#loading = true;
        this.emit('did-start-loading', new PreventableEvent());
      },
      stoppedLoading: () => {
        this.#loading = false;
        this.emit('did-stop-loading', new PreventableEvent());
      },
      console: (details) => tellConsole(this, details),
      crashed: () => {
        this.#crashed = true;
        const details = { reason: 'crashed', exitCode: 5 };
        this.emit('render-process-gone', new PreventableEvent(), details);
        this.#owner.pageCrashed(details);
      },
      // alert() and its like answer "no" at once: a page they stop would stop every test that drives it.
      javascriptDialog: (type) => {
        session.post('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' });
      },
    });
    this.#network = new PageNetwork(session, targetId, this);
    nativeTheme.follow(session);
    if (paint) session.post('Emulation.setDefaultBackgroundColorOverride', { color: paint });
    session.post('Runtime.runIfWaitingForDebugger');
    // A navigation begun before the page's process answers crashes it in 1 of 5 runs when a driver holds the
    // page too (measured): the answer comes once everyone has let go.
    this.#link.wired.then(
      () => this.#attach(session),
      (error) => {
        if (error.name !== 'ProtocolError') throw error;
      },
    );
  }

  get targetId() {
    return this.#targetId;
  }

  #navigated(url, unreachable) {
    this.#url = url;
    this.#crashed = false;
    this.#network.navigated(url);
    if (unreachable) return;
    this.emit('did-navigate', new PreventableEvent(), this.getURL(), 200, 'OK');
  }

  #loaded() {
    if (this.#zoom !== 1) this.#applyZoom();
    for (const resolve of this.#loadWaiters.splice(0)) resolve();
    if (this.#url === 'about:blank') return;
    this.emit('did-finish-load', new PreventableEvent());
  }

  /** Closes the page in Chromium: at once, and again when it can listen. */
  endPage() {
    const close = () =>
      runtime.chromium.connection.root.post('Target.closeTarget', { targetId: this.#targetId });
    if (!this.#session) return;
    close();
    this.#attached.then(close);
  }

  /** The page is gone, or will be. */
  ended() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    all.delete(this.id);
    this.emit('destroyed');
    this.#owner.pageEnded();
  }

  async loadURL(address) {
    const url = toChromium(address);
    const session = await this.#attached;
    this.#network.expect(url);
    const loaded = new Promise((resolve) => this.#loadWaiters.push(resolve));
    const { errorText, loaderId } = await session.send('Page.navigate', { url });
    if (errorText) {
      this.emit('did-fail-load', new PreventableEvent(), -2, errorText, address, true, 1, 1);
      throw Object.assign(new Error(`${errorText} (-2) loading '${address}'`), {
        code: errorText,
        errno: -2,
        url: address,
      });
    }
    if (loaderId) await loaded;
  }

  send(channel, ...args) {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    const payload = codec.pack(args);
    if (this.#destroyed) throw new TypeError('Object has been destroyed');
    this.#link?.push(channel, payload);
  }

  getURL() {
    return toElectron(this.#url);
  }
  getTitle() {
    return this.#title;
  }
  titleFromPage(title) {
    this.#title = title;
  }
  getProcessId() {
    return this.id;
  }
  getType() {
    return 'window';
  }
  getUserAgent() {
    return runtime.userAgent;
  }
  isLoading() {
    return this.#loading;
  }
  isLoadingMainFrame() {
    return this.#loading;
  }
  isDestroyed() {
    return this.#destroyed;
  }
  isCrashed() {
    return this.#crashed;
  }
  isFocused() {
    return this.#owner.isFocused();
  }
  getOwnerBrowserWindow() {
    return this.#owner;
  }
  isDevToolsOpened() {
    return false;
  }
  setWindowOpenHandler(handler) {
    this.#openHandler = handler;
  }
  /** What the app says about a window the page wants; only 'deny' is carried. */
  judgeOpening(details) {
    return this.#openHandler(details).action;
  }
  focus() {
    this.post('Page.bringToFront');
  }
  reload() {
    this.post('Page.reload');
  }
  reloadIgnoringCache() {
    this.post('Page.reload', { ignoreCache: true });
  }
  stop() {
    this.post('Page.stopLoading');
  }
  forcefullyCrashRenderer() {
    this.post('Page.crash');
  }
  close(options = {}) {
    if (options.waitForBeforeUnload) this.post('Page.close');
    else this.#owner.destroy();
  }

  getZoomFactor() {
    return this.#zoom;
  }
  setZoomFactor(factor) {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
    this.#zoom = factor;
    this.#applyZoom();
  }
  getZoomLevel() {
    return Math.log(this.#zoom) / Math.log(1.2);
  }
  setZoomLevel(level) {
    this.setZoomFactor(1.2 ** level);
  }
  // By style, not by the browser: media queries don't see it. Chromium's own zoom can't be set from outside.
  #applyZoom() {
    const expression = `document.documentElement.style.zoom = ${this.#zoom === 1 ? "''" : this.#zoom}`;
    this.whenAttached().then(() => this.#link.evaluate(expression));
  }

  async executeJavaScript(code, userGesture = false) {
    await this.#attached;
    return this.#link.evaluate(code, { userGesture, mainWorld: true });
  }
  /** For the stand-in's own modules: an expression in the preload's world. */
  async runInPreloadWorld(expression, userGesture) {
    await this.#attached;
    return this.#link.evaluate(expression, { userGesture });
  }
  /** Settles with the page's session once it is wired. */
  whenAttached() {
    return this.#attached;
  }
  /** A command to the page, in order, once it is there. */
  post(method, params) {
    this.#attached.then((session) => session.post(method, params));
  }
}

carriedStatics('webContents', WebContents);
