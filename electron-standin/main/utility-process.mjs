// utilityProcess: a real child process. What runs there may hang or crash (a keychain's native code does both)
// and must not take the app along.
import { fork as forkNode } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { carried, carriedModule, notCarried } from './carried.mjs';

const CHILD = fileURLToPath(new URL('../utility/child.mjs', import.meta.url));
const living = new Set();

class UtilityProcess extends carried('UtilityProcess', ['spawn', 'exit', 'message']) {
  #child;
  #running = true;

  constructor(modulePath, args, { env = process.env, execArgv = [], cwd, stdio = 'inherit', serviceName }) {
    super();
    const [, out, err] = typeof stdio === 'string' ? [stdio, stdio, stdio] : stdio;
    this.#child = forkNode(CHILD, [modulePath, ...args], {
      env,
      cwd,
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', out ?? 'inherit', err ?? 'inherit', 'ipc'],
    });
    this.serviceName = serviceName ?? 'Node Utility Process';
    living.add(this.#child);
    this.#child.once('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('error', (error) => {
      process.stderr.write(`electron-standin: utility process: ${error.message}\n`);
      this.#ended(1);
    });
    this.#child.once('exit', (code, signal) => this.#ended(code ?? 128 + (SIGNALS[signal] ?? 0)));
  }

  #ended(code) {
    if (!this.#running) return;
    this.#running = false;
    living.delete(this.#child);
    this.emit('exit', code);
  }

  get pid() {
    return this.#running ? this.#child.pid : undefined;
  }
  get stdout() {
    return this.#child.stdout;
  }
  get stderr() {
    return this.#child.stderr;
  }

  postMessage(message, transfer = []) {
    if (transfer.length > 0) throw notCarried('MessagePorts in UtilityProcess.postMessage');
    // Sending to a child that just ended is no error in Electron either: its 'exit' tells.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  kill() {
    return this.#running && this.#child.kill('SIGTERM');
  }
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 };

export const utilityProcess = carriedModule('utilityProcess', {
  fork(modulePath, args = [], options = {}) {
    if (!Array.isArray(args)) return utilityProcess.fork(modulePath, [], args);
    return new UtilityProcess(modulePath, args, options);
  },
});

/** With the app its children end, even those that ignore a polite word. */
export function endUtilityProcesses() {
  for (const child of living) child.kill('SIGKILL');
}
