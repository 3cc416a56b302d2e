// Wires one page: its two worlds, its messages, its requests. WebContents is its public side.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createBridge } from '../page/bridge.mjs';
import { createCodec } from '../page/codec.mjs';
import { enterMainWorld } from '../page/main-world.mjs';
import { enterPreloadWorld } from '../page/preload-world.mjs';
import { ProtocolError } from '../chromium/cdp.mjs';
import { LateLine } from './late-line.mjs';
import { ELECTRON_VERSION, runtime } from './runtime.mjs';
import { toElectron } from './address.mjs';

const WORLD = 'Electron Isolated Context';

/** Names that no page can guess: only they keep the messages of the two worlds apart. */
const secretNames = () => {
  const name = () => `e${randomBytes(16).toString('hex')}`;
  return { toPreload: name(), toPage: name(), ask: name(), binding: name(), deliver: name() };
};

function mainWorldSource(names) {
  const ends = { outgoing: names.toPreload, incoming: names.toPage, ask: names.ask };
  // Their modules were strict; as text they need the directive again.
  return `(() => { 'use strict'; (${enterMainWorld})(${JSON.stringify(ends)}, ${createBridge}); })();`;
}

function preloadSource(names, preload) {
  const ends = { ...names, outgoing: names.toPage, incoming: names.toPreload };
  const versions = {
    electron: ELECTRON_VERSION,
    node: process.versions.node,
    chrome: process.versions.chrome,
  };
  const facts = {
    platform: process.platform,
    arch: process.arch,
    versions,
    contextIsolated: true,
    sandboxed: true,
    isMainFrame: true,
    argv: [],
  };
  // A driver answers such a question itself, and without a display there is no user to close a window.
  const hasUser = !runtime.headless && !runtime.driven;
  const code = preload === undefined ? '' : readFileSync(preload, 'utf8');
  // A preload is a CommonJS module; its lines keep their numbers (the wrapper's head is on the line before).
  return `(() => {
    const parts = (() => { 'use strict'; return { createBridge: ${createBridge}, createCodec: ${createCodec}, facts: ${JSON.stringify(facts)}, hasUser: ${hasUser} }; })();
    const entered = (() => { 'use strict'; return (${enterPreloadWorld})(${JSON.stringify(ends)}, parts); })();
    if (!entered || window.location.href === 'about:blank') return;
    const module = { exports: {} };
    try { (function (exports, require, module, process, global) {
${code}
    }).call(module.exports, module.exports, entered.require, module, entered.process, globalThis);
    } catch (error) { entered.failed(error); throw error; }
  })();\n//# sourceURL=${preload ?? 'electron-standin:no-preload'}`;
}

/**
 * @param session the page's DevTools session, still paused
 * @param on handlers of its events: message, navigated, navigatedInPage, worldEntered, domReady, loaded, painted,
 *   console, crashed, javascriptDialog, startedLoading, stoppedLoading
 */
export class PageLink {
  #session;
  #names = secretNames();
  #preloadContext;
  #mainFrame;
  #on;
  #leaving = false;
  #fromPage = new LateLine();
  #toPage = new LateLine();

  constructor(session, mainFrame, preload, on) {
    this.#session = session;
    this.#mainFrame = mainFrame;
    this.#on = on;
    this.#listen();
    session.post('Page.enable');
    session.post('Page.setLifecycleEventsEnabled', { enabled: true });
    session.post('Runtime.enable');
    session.post('Inspector.enable');
    session.post('Runtime.addBinding', { name: this.#names.binding, executionContextName: WORLD });
    // Main-world scripts first: the preload's `exposeInMainWorld` finds its listener there.
    session.post('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldSource(this.#names) });
    const source = preloadSource(this.#names, preload);
    /** Settles when the page's own process has applied all of this. */
    this.wired = session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD });
  }

  #listen() {
    const session = this.#session;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name !== WORLD || context.auxData?.frameId !== this.#mainFrame) return;
      this.#preloadContext = context;
      // As Electron does on closing: only a page that was used is asked before it is left.
      session.post('Runtime.evaluate', { expression: '0', contextId: context.id, userGesture: true });
      this.#on.worldEntered();
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      if (this.#preloadContext?.id === executionContextId) this.#preloadContext = undefined;
    });
    session.on('Runtime.executionContextsCleared', () => (this.#preloadContext = undefined));
    session.on('Runtime.bindingCalled', (call) => this.#take(call));
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== this.#mainFrame) return;
      this.#on.navigated(frame.url + (frame.urlFragment ?? ''), frame.unreachableUrl);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.#mainFrame) this.#on.navigatedInPage(url);
    });
    session.on('Page.domContentEventFired', () => this.#on.domReady());
    session.on('Page.loadEventFired', () => this.#on.loaded());
    session.on('Page.frameStartedLoading', ({ frameId }) => {
      if (frameId === this.#mainFrame) this.#on.startedLoading();
    });
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.#mainFrame) this.#on.stoppedLoading();
    });
    session.on('Runtime.consoleAPICalled', (call) => this.#on.console(consoleMessage(call)));
    session.on('Runtime.exceptionThrown', ({ exceptionDetails }) =>
      this.#on.console(exceptionMessage(exceptionDetails)),
    );
    session.on('Inspector.targetCrashed', () => this.#on.crashed());
    // A page stopped in a dialog of the browser would stop the app: Electron shows its own, and no user is here to
    // answer.
    session.on('Page.javascriptDialogOpening', ({ type }) =>
      this.#on.javascriptDialog(type === 'beforeunload' ? (this.#leaving ? 'leave' : 'close') : type),
    );
    // Navigating away and closing the window raise the same question; only navigation is announced before.
    for (const begun of ['frameStartedNavigating', 'frameScheduledNavigation', 'frameRequestedNavigation']) {
      session.on(`Page.${begun}`, ({ frameId }) => {
        if (frameId === this.#mainFrame) this.#leaving = true;
      });
    }
    for (const over of [
      'frameNavigated',
      'navigatedWithinDocument',
      'frameStoppedLoading',
      'frameClearedScheduledNavigation',
    ])
      session.on(`Page.${over}`, () => (this.#leaving = false));
    session.on('Page.lifecycleEvent', ({ frameId, name }) => {
      if (name === 'firstContentfulPaint' && frameId === this.#mainFrame) this.#on.painted();
    });
  }

  #take({ name, payload, executionContextId }) {
    if (name !== this.#names.binding) return;
    const message = JSON.parse(payload);
    const context = this.#preloadContext;
    const fromMainFrame = context !== undefined && context.id === executionContextId;
    // Only the main frame runs a preload; a subframe may only report an attempt to open a window.
    if (!fromMainFrame) {
      if (message.kind === 'ask' && message.url !== undefined) this.#on.message(message, () => {});
      return;
    }
    // The address the page names must have the origin the browser reports; otherwise the message is forged.
    if (context.origin !== '://' && new URL(message.at).origin !== context.origin) return;
    this.#fromPage.pass(() =>
      this.#on.message(message, (reply) =>
        this.#deliver(context.id, { kind: 'reply', id: message.id, ...reply }),
      ),
    );
  }

  #deliver(executionContextId, message) {
    const value = JSON.stringify(message);
    this.#toPage.pass(() =>
      this.#session.post('Runtime.callFunctionOn', {
        executionContextId,
        functionDeclaration: `function(text) { ${this.#names.deliver}(text); }`,
        arguments: [{ value }],
        returnByValue: true,
      }),
    );
  }

  /**
   * Sends a message to the preload's world. The page may be replaced at any moment: one without such a world (not
   * loaded yet, about:blank, gone) misses it, which is no error.
   */
  sendToPreload(message) {
    if (this.#preloadContext) this.#deliver(this.#preloadContext.id, message);
  }

  /**
   * Evaluates an expression in the preload's world, hidden from the page. Rejects with a ProtocolError when the
   * page is gone, with the page's own error when it threw.
   */
  async evaluate(expression, { userGesture = false, mainWorld = false } = {}) {
    if (!mainWorld && !this.#preloadContext) throw new ProtocolError('evaluate', 'the page is gone');
    const place = mainWorld ? {} : { contextId: this.#preloadContext?.id };
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression,
      userGesture,
      awaitPromise: true,
      returnByValue: true,
      ...place,
    });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }
}

const LEVELS = { warning: 'warning', error: 'error', assert: 'error', debug: 'debug' };

function consoleMessage({ type, args, stackTrace }) {
  const frame = stackTrace?.callFrames[0];
  const message = args
    .map((arg) =>
      'value' in arg ? String(arg.value) : (arg.unserializableValue ?? arg.description ?? arg.type),
    )
    .join(' ');
  return {
    level: LEVELS[type] ?? 'info',
    message,
    lineNumber: (frame?.lineNumber ?? -1) + 1,
    sourceId: toElectron(frame?.url ?? ''),
  };
}

function exceptionMessage(details) {
  const described = details.exception?.description?.split('\n')[0] ?? details.exception?.value ?? '';
  return {
    level: 'error',
    message: `${details.text} ${described}`.trim(),
    lineNumber: details.lineNumber + 1,
    sourceId: toElectron(details.url ?? ''),
  };
}
