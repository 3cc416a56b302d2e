// Electron's `ipcMain`: messages and requests of the pages.
import { supportedClass } from './supported.mjs';
import { EventEmitter } from 'node:events';
import { codec } from '../page/codec.mjs';

class IpcMain extends EventEmitter {
  #handlers = new Map();

  handle(channel, listener) {
    if (this.#handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    if (typeof listener !== 'function') throw new TypeError(`Expected handler to be a function`);
    this.#handlers.set(channel, listener);
  }
  handleOnce(channel, listener) {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel);
      return listener(event, ...args);
    });
  }
  removeHandler(channel) {
    this.#handlers.delete(channel);
  }

  /** Replies, at once when there is a result, so that it is written before anyone can change it. */
  async answer(channel, event, payload, reply) {
    try {
      const handler = this.#handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      reply({ ok: true, payload: codec.pack(await handler(event, ...codec.unpack(payload))) });
    } catch (error) {
      // Electron logs it too: a handler's error must not be known to the page alone.
      console.error(`Error occurred in handler for '${channel}':`, error);
      reply({ ok: false, error: String(error) });
    }
  }
}
// Channels are the app's own names, so there is no list of events to check them against.
Object.setPrototypeOf(IpcMain.prototype, Object.getPrototypeOf(supportedClass('ipcMain', []).prototype));

export const ipcMain = new IpcMain();
