// One end of the bridge between the page's world and the preload's. The worlds share a window but no objects, so
// they exchange synchronous CustomEvents under a name no page script can learn; the browser clones each `detail`.
// Functions and promises travel as numbers. Runs in both worlds as source text, so it uses nothing outside itself.

/**
 * @param {{ outgoing: string, incoming: string, onExpose?: (key: string, api: unknown) => void }} options
 *   Everything used later is captured now, before any script of the page could replace it.
 */
export function createBridge({ outgoing, incoming, onExpose }) {
  const FUNCTION = '\u0000function';
  const PROMISE = '\u0000promise';
  const Event = CustomEvent;
  const OriginalError = Error;
  const OriginalTypeError = TypeError;
  const OriginalPromise = Promise;
  const { apply, getPrototypeOf, ownKeys } = Reflect;
  const { freeze, keys } = Object;
  const { isArray } = Array;
  const DEEPEST = 1000;
  const clone = structuredClone;
  const { dispatchEvent, addEventListener } = EventTarget.prototype;
  const { then } = Promise.prototype;
  const readDetail = Object.getOwnPropertyDescriptor(CustomEvent.prototype, 'detail').get;
  const here = window;

  const functions = new Map();
  const numbers = new WeakMap();
  const waiting = new Map();
  const answers = new Map();
  let last = 0;
  // Notifies the other side that a function of its table can no longer be called from here.
  const forgotten = new FinalizationRegistry((id) => send({ kind: 'forget', id }));

  const send = (detail) => apply(dispatchEvent, here, [new Event(outgoing, { detail })]);

  function numberOf(value) {
    let id = numbers.get(value);
    if (id === undefined || !functions.has(id)) {
      id = ++last;
      numbers.set(value, id);
      functions.set(id, value);
    }
    return id;
  }

  const isPlain = (value) => {
    const prototype = getPrototypeOf(value);
    return prototype === null || getPrototypeOf(prototype) === null;
  };

  // Electron counts an object as two levels, an array as one.
  const deeper = (value, depth) => depth + (isArray(value) ? 1 : 2);
  const tooDeep = () =>
    new OriginalTypeError(
      'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
    );

  /** Reports whether a value must be rewritten before it is cloned; most are cloned as they are. */
  function needsWrapping(value, met, depth) {
    if (depth >= DEEPEST) throw tooDeep();
    if (typeof value === 'function') return true;
    if (typeof value !== 'object' || value === null || met.has(value)) return false;
    if (value instanceof OriginalPromise || value instanceof OriginalError) return true;
    met.add(value);
    const inner = deeper(value, depth);
    if (isArray(value)) {
      for (const item of value) if (needsWrapping(item, met, inner)) return true;
      return false;
    }
    if (!isPlain(value)) return false;
    for (const key of keys(value)) if (needsWrapping(value[key], met, inner)) return true;
    return false;
  }

  /**
   * Reports whether a Proxy comes before any other uncloneable value. Scripts cannot detect a Proxy, but the clone
   * algorithm's error names what it stopped at: only for a Proxy that is a plain object or an array.
   */
  function hidesProxy(value) {
    try {
      clone(value);
      return false;
    } catch (error) {
      return /(#<Object>|\[object (Array|Object)\]) could not be cloned/.test(error.message);
    }
  }

  function rewrite(value, copies, depth) {
    if (depth >= DEEPEST) throw tooDeep();
    if (typeof value === 'function') return { [FUNCTION]: numberOf(value) };
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof OriginalPromise) return { [PROMISE]: follow(value) };
    // Only an error's message crosses.
    if (value instanceof OriginalError) return new OriginalError(value.message);
    if (!isArray(value) && !isPlain(value)) return value;
    const known = copies.get(value);
    if (known) return known;
    if (hidesProxy(value)) throw new OriginalError(NOT_CLONED);
    const copy = isArray(value) ? [] : {};
    copies.set(value, copy);
    const inner = deeper(value, depth);
    for (const key of keys(value)) copy[key] = rewrite(value[key], copies, inner);
    return copy;
  }

  const wrap = (value) => (needsWrapping(value, new Set(), 0) ? rewrite(value, new Map(), 0) : value);

  function follow(promise) {
    const id = ++last;
    const settle = (ok) => (value) => {
      const answer = { kind: 'settle', id, ok, value: undefined };
      try {
        answer.value = wrap(value);
      } catch (error) {
        answer.ok = false;
        answer.value = new OriginalError(`Uncaught ${String(error)}`);
      }
      if (!sendCloned(answer))
        send({ kind: 'settle', id, ok: false, value: new OriginalError(`Uncaught Error: ${NOT_CLONED}`) });
    };
    apply(then, promise, [settle(true), settle(false)]);
    return id;
  }

  function unwrap(value, met = new Set()) {
    if (typeof value !== 'object' || value === null || met.has(value)) return value;
    if (!isArray(value) && !isPlain(value)) return value;
    met.add(value);
    if (FUNCTION in value) return proxyOf(value[FUNCTION]);
    if (PROMISE in value) {
      const id = value[PROMISE];
      return new OriginalPromise((resolve, reject) => waiting.set(id, { resolve, reject }));
    }
    for (const key of keys(value)) value[key] = unwrap(value[key], met);
    return value;
  }

  function proxyOf(id) {
    const proxy = (...args) => call(id, args);
    forgotten.register(proxy, id);
    return proxy;
  }

  const NOT_CLONED = 'An object could not be cloned.';
  let received = false;
  /** Sends a value and reports whether the other side could read it: an uncloneable one arrives as null. */
  function sendCloned(detail) {
    // The other side's handler may call back here, so the outer reply is restored afterwards.
    const outer = received;
    received = false;
    send(detail);
    const arrived = received;
    received = outer;
    return arrived;
  }

  function call(id, args) {
    const number = ++last;
    if (!sendCloned({ kind: 'call', number, id, args: wrap(args) })) throw new OriginalError(NOT_CLONED);
    const answer = answers.get(number);
    answers.delete(number);
    // No reply: the result could not be cloned.
    if (!answer) throw new OriginalError(`Uncaught Error: ${NOT_CLONED}`);
    if (answer.ok) return unwrap(answer.value);
    throw new OriginalError(answer.value);
  }

  /** The message of what a bridged function threw; Electron passes on nothing else. */
  const messageOf = (error) =>
    typeof error === 'object' && error !== null && typeof error.message === 'string'
      ? error.message
      : 'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.';

  function answerCall({ number, id, args }) {
    const target = functions.get(id);
    const refuse = (value) => send({ kind: 'answer', number, ok: false, value });
    let result;
    try {
      result = target(...unwrap(args));
    } catch (error) {
      return refuse(messageOf(error));
    }
    try {
      send({ kind: 'answer', number, ok: true, value: wrap(result) });
    } catch (error) {
      refuse(`Uncaught ${String(error)}`);
    }
  }

  function take(message) {
    switch (message.kind) {
      case 'received':
        received = true;
        return;
      case 'call':
        return answerCall(message);
      case 'answer':
        answers.set(message.number, message);
        return;
      case 'settle': {
        const promise = waiting.get(message.id);
        waiting.delete(message.id);
        const value = unwrap(message.value);
        if (message.ok) promise?.resolve(value);
        else promise?.reject(value);
        return;
      }
      case 'forget':
        functions.delete(message.id);
        return;
      case 'expose':
        onExpose?.(message.key, deepFreeze(unwrap(message.api)));
    }
  }

  function deepFreeze(value) {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
    if (ArrayBuffer.isView(value)) return value;
    for (const key of ownKeys(value)) deepFreeze(value[key]);
    return freeze(value);
  }

  const RECEIVED = { kind: 'received' };
  const NEEDS_RECEIPT = new Set(['call', 'settle', 'expose']);
  apply(addEventListener, here, [
    incoming,
    (event) => {
      const message = apply(readDetail, event, []);
      if (message === null) return;
      if (NEEDS_RECEIPT.has(message.kind)) send(RECEIVED);
      take(message);
    },
  ]);

  return {
    expose(key, api) {
      if (!sendCloned({ kind: 'expose', key, api: wrap(api) })) throw new OriginalError(NOT_CLONED);
    },
  };
}
