// One end of the bridge between the page's own world and the preload's. Both worlds see the same window but no
// object of each other: they talk by synchronous CustomEvents with a name no page script can learn, and the
// browser clones an event's `detail` on its way from world to world. Functions and promises travel as numbers.
// Sent to both worlds as source text: it may use nothing outside itself.

/**
 * @param {{ outgoing: string, incoming: string, onExpose?: (key: string, api: unknown) => void }} options
 * Everything it needs later is captured now, before any script of the page could replace it.
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
  // Tells the other side that a function of its table can no longer be called from here.
  const forgotten = new FinalizationRegistry((id) => tell({ kind: 'forget', id }));

  const tell = (detail) => apply(dispatchEvent, here, [new Event(outgoing, { detail })]);

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

  // Electron counts an object as two steps, an array as one.
  const deeper = (value, depth) => depth + (isArray(value) ? 1 : 2);
  const tooDeep = () =>
    new OriginalTypeError(
      'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
    );

  /** Whether a value must be rewritten before it is cloned; most don't, and are cloned as they are. */
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
   * Whether a Proxy is met before anything else that can't be cloned. No script can ask what is one, but the clone
   * algorithm names what it stopped at: only of a Proxy it says that a plain object or an array can't be cloned.
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
    // Of an error only its words cross.
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
      if (!tellCloned(answer))
        tell({ kind: 'settle', id, ok: false, value: new OriginalError(`Uncaught Error: ${NOT_CLONED}`) });
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
  /** Whether the other side could read the detail: what can't be cloned arrives there as null. */
  function tellCloned(detail) {
    // What the other side does on receipt may call back here: the outer answer is put back afterwards.
    const outer = received;
    received = false;
    tell(detail);
    const arrived = received;
    received = outer;
    return arrived;
  }

  function call(id, args) {
    const number = ++last;
    if (!tellCloned({ kind: 'call', number, id, args: wrap(args) })) throw new OriginalError(NOT_CLONED);
    const answer = answers.get(number);
    answers.delete(number);
    // No answer: its result could not be cloned.
    if (!answer) throw new OriginalError(`Uncaught Error: ${NOT_CLONED}`);
    if (answer.ok) return unwrap(answer.value);
    throw new OriginalError(answer.value);
  }

  /** Of what a bridged function throws Electron passes on the message alone. */
  const wordsOf = (error) =>
    typeof error === 'object' && error !== null && typeof error.message === 'string'
      ? error.message
      : 'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.';

  function answerCall({ number, id, args }) {
    const target = functions.get(id);
    const refuse = (value) => tell({ kind: 'answer', number, ok: false, value });
    let result;
    try {
      result = target(...unwrap(args));
    } catch (error) {
      return refuse(wordsOf(error));
    }
    try {
      tell({ kind: 'answer', number, ok: true, value: wrap(result) });
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
      if (NEEDS_RECEIPT.has(message.kind)) tell(RECEIVED);
      take(message);
    },
  ]);

  return {
    expose(key, api) {
      if (!tellCloned({ kind: 'expose', key, api: wrap(api) })) throw new OriginalError(NOT_CLONED);
    },
  };
}
