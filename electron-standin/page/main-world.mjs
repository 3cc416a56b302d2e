// Runs in the page's own world before any script of the page: receives what the preload exposes, and applies the
// denials Electron makes in the browser. Sent as source text: it uses nothing outside itself.

/** @param {{ outgoing: string, incoming: string, ask: string }} names @param createBridge see bridge.mjs */
export function enterMainWorld(names, createBridge) {
  const { defineProperty } = Object;
  const { apply } = Reflect;
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const { preventDefault, stopImmediatePropagation } = Event.prototype;
  const Custom = CustomEvent;
  const closest = Element.prototype.closest;

  if (window === window.top) {
    createBridge({
      outgoing: names.outgoing,
      incoming: names.incoming,
      onExpose(key, api) {
        defineProperty(window, key, { value: api, enumerable: true, writable: false, configurable: false });
      },
    });
  }

  // A page of a custom scheme has no cookies: reading gives none, writing does nothing.
  defineProperty(Document.prototype, 'cookie', {
    get: () => '',
    set: () => undefined,
    enumerable: true,
    configurable: true,
  });
  for (const name of window.CookieStore ? ['get', 'getAll', 'set', 'delete'] : []) {
    const value = () =>
      Promise.reject(
        new DOMException('Access to the CookieStore API is denied in this context.', 'SecurityError'),
      );
    defineProperty(window.CookieStore.prototype, name, { value, writable: true, configurable: true });
  }

  const refuse = (url, frameName) =>
    apply(dispatchEvent, window, [new Custom(names.ask, { detail: { what: 'open', url, frameName } })]);
  const absolute = (url) => {
    try {
      return new URL(url, document.baseURI).href;
    } catch {
      return String(url);
    }
  };

  // Closing a popup that a debugger holds paused hung 2 of 8 runs, so a popup must never be created.
  const open = (url = 'about:blank', frameName = '') => {
    refuse(absolute(url), String(frameName));
    return null;
  };
  defineProperty(window, 'open', { value: open, writable: false, configurable: false });

  const elsewhere = (target) => target && !['_self', '_top', '_parent'].includes(target.toLowerCase());
  const onLink = (event) => {
    const path = event.composedPath();
    const link = path.find(
      (node) => node instanceof Element && apply(closest, node, ['a[href], area[href]']) === node,
    );
    if (!link) return;
    const newWindow = event.ctrlKey || event.metaKey || event.shiftKey || event.button === 1;
    if (!newWindow && !elsewhere(link.target)) return;
    apply(preventDefault, event, []);
    apply(stopImmediatePropagation, event, []);
    refuse(link.href, link.target);
  };
  const onSubmit = (event) => {
    const form = event.target;
    const target = event.submitter?.getAttribute('formtarget') ?? form.getAttribute('target');
    if (!elsewhere(target)) return;
    apply(preventDefault, event, []);
    refuse(form.action, target);
  };
  const listen = (type, listener) => apply(addEventListener, window, [type, listener, true]);
  listen('click', onLink);
  listen('auxclick', onLink);
  listen('submit', onSubmit);

  // Requests are judged in the main process (network.mjs); addresses that make no request are rejected here.
  if (window === window.top && 'navigation' in window) {
    apply(addEventListener, window.navigation, [
      'navigate',
      (event) => {
        const to = event.destination.url;
        if (event.hashChange || event.destination.sameDocument || /^https?:/.test(to)) return;
        apply(preventDefault, event, []);
        apply(stopImmediatePropagation, event, []);
        apply(dispatchEvent, window, [new Custom(names.ask, { detail: { what: 'navigate', url: to } })]);
      },
    ]);
  }
}
