// Chromium's DevTools protocol over its debugging pipe: JSON messages ended by a NUL byte, on two file descriptors.
// It opens no port, so no other program can reach the pages this way.
import { EventEmitter } from 'node:events';

/** Message of commands that Chromium can no longer answer. */
export const GONE = 'Chromium is gone';

/** A failed or cut-off command; `code` is the protocol's own number where given. */
export class ProtocolError extends Error {
  constructor(method, message, code) {
    super(`${method}: ${message}`);
    this.name = 'ProtocolError';
    this.code = code;
  }
}

/** One flat session of the connection (the browser itself, or one page). Events carry their params. */
export class Session extends EventEmitter {
  #connection;
  constructor(connection, id) {
    super();
    this.setMaxListeners(0);
    this.#connection = connection;
    this.id = id;
  }

  send(method, params = {}) {
    return this.#connection.send(this.id, method, params);
  }

  /** Sends a command that fails only when the page is gone, and then needs no handling. */
  post(method, params = {}) {
    this.send(method, params).catch((error) => {
      if (!(error instanceof ProtocolError)) throw error;
    });
  }
}

export class Connection extends EventEmitter {
  #out;
  #lastId = 0;
  #pending = new Map();
  #sessions = new Map();
  #chunks = [];
  #closed = false;

  constructor(input, output) {
    super();
    this.#out = output;
    this.root = new Session(this, undefined);
    input.on('data', (chunk) => this.#read(chunk));
    input.on('close', () => this.#close());
    // The browser can die between two writes; 'close' of the other pipe then reports it.
    input.on('error', () => this.#close());
    output.on('error', () => this.#close());
  }

  session(id) {
    let session = this.#sessions.get(id);
    if (!session) this.#sessions.set(id, (session = new Session(this, id)));
    return session;
  }

  send(sessionId, method, params) {
    if (this.#closed) return Promise.reject(new ProtocolError(method, GONE));
    const id = ++this.#lastId;
    this.#out.write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, method, sessionId }));
  }

  #read(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      this.#chunks.push(chunk.subarray(start, end));
      const whole = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [];
      start = end + 1;
      this.#dispatch(JSON.parse(whole.toString('utf8')));
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start));
  }

  #dispatch(message) {
    if (message.id !== undefined) {
      const waiting = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (!waiting) return;
      if (message.error) {
        waiting.reject(new ProtocolError(waiting.method, message.error.message, message.error.code));
      } else waiting.resolve(message.result);
      return;
    }
    if (message.method === 'Target.detachedFromTarget') this.#drop(message.params.sessionId);
    const session = message.sessionId ? this.#sessions.get(message.sessionId) : this.root;
    session?.emit(message.method, message.params);
  }

  /** Rejects the pending commands of a session that ended. */
  #drop(sessionId) {
    for (const [id, waiting] of this.#pending) {
      if (waiting.sessionId !== sessionId) continue;
      this.#pending.delete(id);
      waiting.reject(new ProtocolError(waiting.method, 'the page is gone'));
    }
    this.#sessions.get(sessionId)?.emit('detached');
    this.#sessions.delete(sessionId);
  }

  #close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const waiting of this.#pending.values()) {
      waiting.reject(new ProtocolError(waiting.method, GONE));
    }
    this.#pending.clear();
    this.emit('close');
  }
}
