// Runs in the preload's isolated world: provides `require('electron')`, transports its messages to the main
// process, and reports what only the page can see. Sent as source text: it uses nothing outside itself.

/**
 * @param {{ outgoing: string, incoming: string, ask: string, binding: string, deliver: string }} names
 * @param parts createBridge (bridge.mjs), createCodec (codec.mjs), `facts`: what `process` shows to a preload,
 *   `hasUser`: a user can close the window, which then asks the app first
 * @returns the arguments of the preload's wrapper, or null where no preload runs
 */
export function enterPreloadWorld(names, { createBridge, createCodec, facts, hasUser }) {
  const binding = window[names.binding];
  delete window[names.binding];
  const codec = createCodec({
    toBase64: (bytes) => bytes.toBase64(),
    fromBase64: (text) => Uint8Array.fromBase64(text),
  });
  // The address is sent along: `senderFrame.url` must be the page's at the moment of sending.
  const post = (message) => binding(JSON.stringify({ ...message, at: window.location.href }));
  const rejectUnknown = (name, members) =>
    new Proxy(members, {
      get(target, key) {
        if (key in target || typeof key === 'symbol' || key === 'then') return target[key];
        throw new Error(`electron-standin does not support ${name}.${key}`);
      },
    });

  window.addEventListener(names.ask, (event) => post({ kind: 'ask', ...event.detail }));
  // Electron shows no context menu of its own.
  window.addEventListener('contextmenu', (event) => event.preventDefault());
  // The wheel with Ctrl zooms in Chromium, and in Electron only where the app does it.
  const keepZoom = (event) => event.ctrlKey && event.preventDefault();
  if (hasUser) window.addEventListener('wheel', keepZoom, { passive: false });
  if (window !== window.top) return null;

  let last = '';
  const reportWindow = (type) => {
    const { innerWidth: width, innerHeight: height, screenX: x, screenY: y } = window;
    last = `${x} ${y}`;
    post({ kind: 'window', type, width, height, x, y });
  };
  for (const type of ['focus', 'blur']) {
    window.addEventListener(type, (event) => event.target === window && reportWindow(type));
  }
  window.addEventListener('resize', (event) => event.target === window && reportWindow('place'));
  document.addEventListener('visibilitychange', () => reportWindow('place'));
  // No event reports a move of the window: the next input in it does.
  for (const type of ['pointerover', 'keydown']) {
    const look = () => `${window.screenX} ${window.screenY}` !== last && reportWindow('place');
    window.addEventListener(type, look, true);
  }
  if (hasUser) window.addEventListener('beforeunload', (event) => event.preventDefault());

  // Electron's menu gets the keys the page did not prevent, even when their propagation was stopped.
  const toTask = new MessageChannel();
  const pressed = [];
  const keptFromChromium = new WeakSet();
  toTask.port1.onmessage = () => {
    const event = pressed.shift();
    if (event.defaultPrevented && !keptFromChromium.has(event)) return;
    const { keyCode, ctrlKey, shiftKey, altKey, metaKey } = event;
    post({ kind: 'key', keyCode, ctrlKey, shiftKey, altKey, metaKey });
  };
  // Other keys have no meaning in Electron, while Chromium's windows open tabs, print, go back or close.
  const EDITING = new Set(['a', 'c', 'v', 'x', 'y', 'z']);
  const MOVING = new Set(['Tab', 'PageUp', 'PageDown', 'Home', 'ArrowLeft', 'ArrowRight']);
  const isChromiums = ({ key, ctrlKey, altKey, metaKey }) => {
    if (/^F\d+$/.test(key)) return true;
    if (key.length === 1 && key !== ' ')
      return altKey || metaKey || (ctrlKey && !EDITING.has(key.toLowerCase()));
    return MOVING.has(key) && (altKey || (ctrlKey && (key === 'Tab' || key.startsWith('Page'))));
  };
  const keep = (event) => {
    if (event.defaultPrevented || !isChromiums(event)) return;
    keptFromChromium.add(event);
    event.preventDefault();
  };
  const { apply } = Reflect;
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  window.addEventListener(
    'keydown',
    (event) => {
      pressed.push(event);
      toTask.port2.postMessage(null);
      // The last listener of all, so that the page never finds a key prevented by us.
      apply(removeEventListener, window, ['keydown', keep]);
      apply(addEventListener, window, ['keydown', keep]);
    },
    true,
  );

  const listeners = new Map();
  const pending = new Map();
  let lastCall = 0;
  const ipcRenderer = rejectUnknown('ipcRenderer', {
    invoke(channel, ...args) {
      let payload;
      try {
        payload = codec.pack(args);
      } catch (error) {
        return Promise.reject(error);
      }
      const id = ++lastCall;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject, channel });
        post({ kind: 'invoke', id, channel: String(channel), payload });
      });
    },
    send(channel, ...args) {
      post({ kind: 'send', channel: String(channel), payload: codec.pack(args) });
    },
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, once: false }]);
      return ipcRenderer;
    },
    once(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, once: true }]);
      return ipcRenderer;
    },
    removeListener(channel, listener) {
      const kept = [...(listeners.get(channel) ?? [])];
      const index = kept.findLastIndex((entry) => entry.listener === listener);
      if (index !== -1) kept.splice(index, 1);
      listeners.set(channel, kept);
      return ipcRenderer;
    },
    removeAllListeners(channel) {
      if (channel === undefined) listeners.clear();
      else listeners.delete(channel);
      return ipcRenderer;
    },
    listenerCount: (channel) => listeners.get(channel)?.length ?? 0,
  });
  ipcRenderer.addListener = ipcRenderer.on;
  ipcRenderer.off = ipcRenderer.removeListener;

  function zoom(factor) {
    // At the very start of a document no element exists yet.
    if (document.documentElement) document.documentElement.style.zoom = factor === 1 ? '' : factor;
    else document.addEventListener('readystatechange', () => zoom(factor), { once: true });
  }

  function deliver(text) {
    const message = JSON.parse(text);
    if (message.kind === 'reply') {
      const call = pending.get(message.id);
      pending.delete(message.id);
      if (!call) return;
      if (message.ok) call.resolve(codec.unpack(message.payload));
      else call.reject(new Error(`Error invoking remote method '${call.channel}': ${message.error}`));
      return;
    }
    if (message.kind === 'zoom') return zoom(message.factor);
    if (message.kind === 'edit') return void document.execCommand(message.command);
    const args = codec.unpack(message.payload);
    for (const entry of listeners.get(message.channel) ?? []) {
      if (entry.once) ipcRenderer.removeListener(message.channel, entry.listener);
      try {
        entry.listener({ sender: ipcRenderer, ports: [] }, ...args);
      } catch (error) {
        // One listener's error does not keep the event from the next; it shows up like any uncaught error.
        reportError(error);
      }
    }
  }
  Object.defineProperty(window, names.deliver, { value: deliver });

  const bridge = createBridge({ outgoing: names.outgoing, incoming: names.incoming });
  const exposed = new Set();
  const contextBridge = rejectUnknown('contextBridge', {
    exposeInMainWorld(key, api) {
      if (exposed.has(key))
        throw new Error(`Cannot bind an API on top of an existing property on the window object`);
      exposed.add(key);
      bridge.expose(key, api);
    },
  });
  const electron = rejectUnknown('(in a preload) electron', { contextBridge, ipcRenderer });
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const process = rejectUnknown('(in a preload) process', { ...facts, type: 'renderer', env: {} });
  const failed = (error) => post({ kind: 'preload-error', message: error?.stack ?? String(error) });
  return { require, process, failed };
}
