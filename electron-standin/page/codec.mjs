// Encodes values between the main process and a page as tagged JSON: everything structured clone supports and JSON
// does not. `createCodec` also runs in the page as source text, so it uses nothing outside itself.

/** @param {{ toBase64(bytes: Uint8Array): string, fromBase64(text: string): Uint8Array }} base64 */
export function createCodec({ toBase64, fromBase64 }) {
  const VIEWS = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView,
  };
  const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const refuse = () => new Error('An object could not be cloned.');
  // Realm-independent: the page's and the preload's arrays and dates have different constructors.
  const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
  const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

  function put(target, key, value) {
    if (key === '__proto__') {
      Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    } else target[key] = value;
  }

  function packObject(value, seen) {
    const known = seen.get(value);
    // A value seen before, or one that contains itself: its index in order of appearance.
    if (known !== undefined) return { $: 'ref', v: known };
    seen.set(value, seen.size);
    if (Array.isArray(value)) return packList(value, seen);
    if (ArrayBuffer.isView(value)) {
      const kind = kindOf(value);
      return { $: 'view', k: kind in VIEWS ? kind : 'Uint8Array', v: toBase64(bytesOf(value)) };
    }
    const kind = kindOf(value);
    switch (kind) {
      case 'Date':
        return { $: 'date', v: pack(Number(value), seen) };
      case 'Map':
        return { $: 'map', v: Array.from(value, ([key, item]) => [pack(key, seen), pack(item, seen)]) };
      case 'Set':
        return { $: 'set', v: Array.from(value, (item) => pack(item, seen)) };
      case 'RegExp':
        return { $: 'regexp', v: value.source, f: value.flags };
      case 'ArrayBuffer':
        return { $: 'buffer', v: toBase64(new Uint8Array(value)) };
      case 'Error':
        return {
          $: 'error',
          k: value.name in ERRORS ? value.name : 'Error',
          v: String(value.message),
          s: typeof value.stack === 'string' ? value.stack : '',
          ...(Object.hasOwn(value, 'cause') ? { c: pack(value.cause, seen) } : {}),
        };
      case 'Number':
      case 'String':
      case 'Boolean':
      case 'BigInt':
        return { $: 'boxed', v: pack(value.valueOf(), seen) };
      case 'Promise':
      case 'WeakMap':
      case 'WeakSet':
      case 'WeakRef':
      case 'Generator':
      case 'Window':
        throw refuse();
    }
    if (typeof Node === 'function' && value instanceof Node) throw refuse();
    return packPlain(value, seen);
  }

  // Most values are plain JSON: a copy is made only from the first one that isn't.
  function packList(list, seen) {
    let copy;
    for (let i = 0; i < list.length; i++) {
      const item = list[i];
      const packed = pack(item, seen);
      if (copy) copy.push(packed);
      else if (packed !== item) copy = [...list.slice(0, i), packed];
    }
    return copy ?? list;
  }

  function packPlain(value, seen) {
    const keys = Object.keys(value);
    // An inherited toJSON would change what JSON writes; a copy has none.
    let copy = 'toJSON' in value ? {} : undefined;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      const item = value[key];
      const packed = pack(item, seen);
      if (!copy && packed !== item) {
        copy = {};
        for (const before of keys.slice(0, i)) put(copy, before, value[before]);
      }
      if (copy) put(copy, key, packed);
    }
    return Object.hasOwn(value, '$') ? { $: 'object', v: copy ?? value } : (copy ?? value);
  }

  function pack(value, seen) {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : { $: 'number', v: Object.is(value, -0) ? '-0' : String(value) };
      case 'undefined':
        return { $: 'undefined' };
      case 'bigint':
        return { $: 'bigint', v: String(value) };
      case 'object':
        return value === null ? null : packObject(value, seen);
      default:
        throw refuse();
    }
  }

  // In place: the tree is fresh from JSON.parse and not shared.
  function fill(target, met) {
    for (const key of Object.keys(target)) {
      const item = target[key];
      if (typeof item === 'object' && item !== null) put(target, key, unpack(item, met));
    }
    return target;
  }

  function unpackTagged(packed, met) {
    const meet = (value) => (met.push(value), value);
    switch (packed.$) {
      case 'ref':
        return met[packed.v];
      case 'undefined':
        return undefined;
      case 'number':
        return Number(packed.v);
      case 'bigint':
        return BigInt(packed.v);
      case 'object':
        return fill(meet(packed.v), met);
      case 'date':
        return meet(new Date(unpack(packed.v, met)));
      case 'regexp':
        return meet(new RegExp(packed.v, packed.f));
      case 'boxed':
        return meet(Object(unpack(packed.v, met)));
      case 'buffer':
        return meet(fromBase64(packed.v).slice().buffer);
      case 'view': {
        const View = VIEWS[packed.k];
        return meet(new View(fromBase64(packed.v).slice().buffer));
      }
      case 'map': {
        const map = meet(new Map());
        for (const [key, item] of packed.v) map.set(unpack(key, met), unpack(item, met));
        return map;
      }
      case 'set': {
        const set = meet(new Set());
        for (const item of packed.v) set.add(unpack(item, met));
        return set;
      }
      case 'error': {
        const error = meet(new ERRORS[packed.k](packed.v));
        Object.defineProperty(error, 'stack', { value: packed.s, configurable: true, writable: true });
        if ('c' in packed) {
          const cause = unpack(packed.c, met);
          Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true });
        }
        return error;
      }
      default:
        throw new Error(`unknown tag ${String(packed.$)} from the other side`);
    }
  }

  function unpack(packed, met) {
    if (typeof packed !== 'object' || packed === null) return packed;
    if (!Array.isArray(packed) && Object.hasOwn(packed, '$')) return unpackTagged(packed, met);
    met.push(packed);
    return fill(packed, met);
  }

  return {
    /**
     * Returns a tree for JSON.stringify, to be written before `value` changes. Throws Electron's "could not be
     * cloned".
     */
    pack: (value) => pack(value, new Map()),
    /** @param tree fresh from JSON.parse; it is modified */
    unpack: (tree) => unpack(tree, []),
  };
}

/** The main process's own codec. */
export const codec = createCodec({
  toBase64: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  fromBase64: (text) => new Uint8Array(Buffer.from(text, 'base64')),
});
