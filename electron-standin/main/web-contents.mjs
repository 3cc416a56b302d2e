// WebContents. Over 300 lines because each member is a method of its own.
import { codec } from '../page/codec.mjs';
import { toChromium, toElectron } from './address.mjs';
import { PreventableEvent, supportedClass, supportedStatics, unsupported } from './supported.mjs';
import { WebFrameMain } from './frame.mjs';
import { takeMessage, emitConsole } from './page-messages.mjs';
import { nativeTheme } from './native-theme.mjs';
import { PageLink } from './page-link.mjs';
import { PageNetwork } from './network.mjs';
import { reportFault, runtime } from './runtime.mjs';
import { defaultSession } from './session.mjs';
import { isOpening } from './targets.mjs';

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
  'zoom-changed',
  'ready-to-show',
  // Events whose causes do not exist here: no webview tag, no popups, no devices, no DevTools of ours.
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

export class WebContents extends supportedClass('webContents', EVENTS) {
  #session;
  #link;
  #network;
  #attach;
  #attached = new Promise((resolve) => (this.#attach = resolve));
  #owner;
  #preload;
  #initial;
  #url = '';
  #loading = false;
  #loadWaiters = [];
  #destroyed = false;
  #crashed = false;
  #openHandler = () => ({ action: 'deny' });
  #zoom = 1;
  #targetId;

  /** @param initial title and icon of the window until the page has its own */
  constructor(owner, preload, initial) {
    super();
    this.id = ++lastId;
    this.#owner = owner;
    this.#preload = preload;
    this.#initial = initial;
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
      worldEntered: () => this.#applyZoom(),
      domReady: () => this.emit('dom-ready', new PreventableEvent()),
      loaded: () => this.#loaded(),
      painted: () => this.#painted(),
      startedLoading: () => {
        this.#loading = true;
        this.emit('did-start-loading', new PreventableEvent());
      },
      stoppedLoading: () => {
        this.#loading = false;
        this.emit('did-stop-loading', new PreventableEvent());
      },
      console: (details) => emitConsole(this, details),
      crashed: () => {
        this.#crashed = true;
        const details = { reason: 'crashed', exitCode: 5 };
        this.emit('render-process-gone', new PreventableEvent(), details);
        this.#owner.pageCrashed(details);
      },
      javascriptDialog: (kind) => void this.#answerDialog(kind).catch(reportFault),
    });
    this.#network = new PageNetwork(session, targetId, this, this.#initial.icon);
    nativeTheme.follow(session);
    if (paint) session.post('Emulation.setDefaultBackgroundColorOverride', { color: paint });
    session.post('Runtime.runIfWaitingForDebugger');
    const title = JSON.stringify(this.#initial.title);
    session.post('Runtime.evaluate', { expression: `document.title = ${title}` });
    // A navigation begun before the page's process replies crashes it in 1 of 5 runs when a driver also holds the
    // page (measured), so it waits for all of them.
    this.#link.wired.then(() => this.#attach(session), reportFault);
  }

  /**
   * Answers alert() and its like with "no" at once: a page they stop would stop every test that drives it. Closing
   * by the user raises such a question too, which the app answers.
   */
  async #answerDialog(kind) {
    const accept = kind === 'close' ? await this.#owner.closedByUser() : kind === 'leave';
    this.#session.post('Page.handleJavaScriptDialog', { accept });
  }

  get targetId() {
    return this.#targetId;
  }

  #navigated(url, unreachable) {
    this.#url = url;
    this.#crashed = false;
    this.#network.navigated(url);
    if (unreachable || isOpening(url)) return;
    this.emit('did-navigate', new PreventableEvent(), this.getURL(), 200, 'OK');
  }

  #loaded() {
    if (isOpening(this.#url)) return;
    for (const resolve of this.#loadWaiters.splice(0)) resolve();
    this.emit('did-finish-load', new PreventableEvent());
  }
  #painted() {
    if (!isOpening(this.#url)) this.emit('ready-to-show', new PreventableEvent());
  }

  /** Closes the page in Chromium: at once, and again when it can listen. */
  endPage() {
    const close = () =>
      runtime.chromium.connection.root.post('Target.closeTarget', { targetId: this.#targetId });
    if (!this.#session) return;
    close();
    this.#attached.then(close, reportFault);
  }

  /** The page is gone, or will be. */
  ended() {
    if (this.#destroyed) return;
    this.#destroyed = true;
    all.delete(this.id);
    this.emit('destroyed');
    this.#owner.pageEnded();
  }

  /** Ends a page without sandbox: Chromium was started without one, and the app then required it. */
  #endUnsandboxed() {
    process.stderr.write(
      'electron-standin: app.enableSandbox() took --no-sandbox away after Chromium had started with it: no page can start\n',
    );
    const details = { reason: 'launch-failed', exitCode: 1002 };
    this.#crashed = true;
    this.emit('render-process-gone', new PreventableEvent(), details);
    this.#owner.pageCrashed(details);
    throw Object.assign(new Error('ERR_FAILED (-2) loading a page'), { code: 'ERR_FAILED', errno: -2 });
  }

  async loadURL(address) {
    if (runtime.unsandboxed && !runtime.switches.has('no-sandbox')) this.#endUnsandboxed();
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
    this.#link?.sendToPreload({ kind: 'event', channel, payload });
  }

  getURL() {
    return isOpening(this.#url) ? '' : toElectron(this.#url);
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
  /** Chromium was started with this value, which cannot be changed later (chromium/flags.mjs). */
  setWebRTCIPHandlingPolicy(policy) {
    if (policy !== 'disable_non_proxied_udp') throw unsupported(`setWebRTCIPHandlingPolicy('${policy}')`);
  }
  setWindowOpenHandler(handler) {
    this.#openHandler = handler;
  }
  /** The app's decision about a window the page wants; only 'deny' is supported. */
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
  // By style: Chromium's own zoom can't be set from outside. Media queries don't see it.
  #applyZoom() {
    this.#link?.sendToPreload({ kind: 'zoom', factor: this.#zoom });
  }

  async executeJavaScript(code, userGesture = false) {
    await this.#attached;
    return this.#link.evaluate(code, { userGesture, mainWorld: true });
  }
  /** For the stand-in's own modules: evaluates in the preload's world. Rejects when there is no page. */
  async runInPreloadWorld(expression, userGesture) {
    await this.#attached;
    return this.#link.evaluate(expression, { userGesture });
  }
  /** Runs an edit command of a menu role, as Chromium names it. */
  edit(command) {
    this.#link?.sendToPreload({ kind: 'edit', command });
  }
  undo() {
    this.edit('undo');
  }
  redo() {
    this.edit('redo');
  }
  delete() {
    this.edit('delete');
  }
  selectAll() {
    this.edit('selectAll');
  }
  /** Settles with the page's session once it is wired. */
  whenAttached() {
    return this.#attached;
  }
  /** Sends a command to the page, in order, once it exists. */
  post(method, params) {
    this.#attached.then((session) => session.post(method, params)).catch(reportFault);
  }
}

supportedStatics('webContents', WebContents);
