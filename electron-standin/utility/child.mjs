// First code of a utility process: sets up `process.parentPort` and runs its module.
import '../main/node-of-electron.mjs';
import { EventEmitter } from 'node:events';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const [, , modulePath, ...args] = process.argv;
process.argv = [process.argv[0], modulePath, ...args];
process.type = 'utility';

class ParentPort extends EventEmitter {
  #waiting = [];
  #started = false;

  constructor() {
    super();
    process.on('message', (data) => {
      if (this.#started) this.emit('message', { data, ports: [] });
      else this.#waiting.push(data);
    });
    // Messages sent before anyone listens wait, as those of a message port do.
    this.on('newListener', (event) => {
      if (event === 'message') queueMicrotask(() => this.start());
    });
  }
  start() {
    this.#started = true;
    for (const data of this.#waiting.splice(0)) this.emit('message', { data, ports: [] });
  }
  pause() {
    this.#started = false;
  }
  postMessage(message, transfer = []) {
    if (transfer.length > 0)
      throw new Error('electron-standin does not support MessagePorts in parentPort.postMessage');
    if (process.connected) process.send(message);
  }
}
process.parentPort = new ParentPort();
// The app is gone, perhaps killed: this process must not outlive it.
process.on('disconnect', () => process.exit(0));

registerHooks({
  resolve(specifier, context, next) {
    if (/^electron(\/|$)/.test(specifier)) {
      throw new Error(`electron-standin does not support '${specifier}' in a utility process`);
    }
    return next(specifier, context);
  },
});

import(pathToFileURL(modulePath).href).catch((error) => {
  console.error(error);
  process.exit(1);
});
