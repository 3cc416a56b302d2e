// Enforces the stand-in's guarantee: using an unsupported member throws an error that names it. It is never
// undefined, a listener that never fires, or an option that is ignored.
import { EventEmitter } from 'node:events';

export function unsupported(name) {
  return new Error(`electron-standin does not support ${name}`);
}

// Read by the language, Node's inspector and test tools on any object; not part of Electron's API.
const READ_ON_ANY = new Set([
  'then',
  'toJSON',
  'constructor',
  'inspect',
  'nodeType',
  'tagName',
  'asymmetricMatch',
]);

function rejectUnknown(name, known) {
  return new Proxy(known, {
    get(target, property, receiver) {
      if (property in target || typeof property === 'symbol' || READ_ON_ANY.has(property)) {
        return Reflect.get(target, property, receiver);
      }
      throw unsupported(`${name}.${property}`);
    },
  });
}

/**
 * Returns a base class named `name` whose prototype chain ends in a proxy that throws, so that members of the class
 * itself cost nothing extra and may use private fields. `events` lists the events it can raise or that never happen
 * here (electron-standin/FIDELITY.md); listening to any other throws.
 */
export function supportedClass(name, events) {
  const known = new Set([...events, 'error', 'newListener', 'removeListener']);
  const check = (event) => {
    if (typeof event === 'string' && !known.has(event)) throw unsupported(`the event '${event}' of ${name}`);
  };
  class Supported extends EventEmitter {
    constructor() {
      super();
      this.setMaxListeners(0);
    }
    on(event, listener) {
      check(event);
      return super.on(event, listener);
    }
    addListener(event, listener) {
      return this.on(event, listener);
    }
    once(event, listener) {
      check(event);
      return super.once(event, listener);
    }
    prependListener(event, listener) {
      check(event);
      return super.prependListener(event, listener);
    }
  }
  Object.setPrototypeOf(Supported.prototype, rejectUnknown(name, EventEmitter.prototype));
  return Supported;
}

/** Wraps a module of plain functions (dialog, shell …). The result is mutable: tests replace its functions. */
export function supportedModule(name, members) {
  return Object.setPrototypeOf(members, rejectUnknown(name, Object.prototype));
}

/** Wraps static members of a class (`BrowserWindow.addExtension` …). */
export function supportedStatics(name, Class) {
  Object.setPrototypeOf(Class, rejectUnknown(name, Object.getPrototypeOf(Class)));
  return Class;
}

/** An event whose default the listeners may prevent. */
export class PreventableEvent {
  #prevented = false;
  constructor(members = {}) {
    Object.assign(this, members);
  }
  preventDefault() {
    this.#prevented = true;
  }
  get defaultPrevented() {
    return this.#prevented;
  }
}
