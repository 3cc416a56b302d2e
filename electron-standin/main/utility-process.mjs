// utilityProcess: a real child process. Code there may hang or crash (a keychain's native code does both) without
// affecting the app.
import { fork as forkNode } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { supportedClass, supportedModule, unsupported } from './supported.mjs';
import { assertReady } from './runtime.mjs';

const CHILD = fileURLToPath(new URL('../utility/child.mjs', import.meta.url));
const living = new Set();

class UtilityProcess extends supportedClass('UtilityProcess', ['spawn', 'exit', 'message']) {
  #child;
  #running = false;
  #ended = false;
  #killed = false;

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
    this.#child.once('spawn', () => {
      this.#running = true;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('error', (error) => {
      process.stderr.write(`electron-standin: utility process: ${error.message}\n`);
      this.#end(1);
    });
    this.#child.once('exit', (code, signal) => this.#end(code ?? this.#codeOf(signal)));
  }

  /** Electron's exit code from waitpid: the signal's number, but 0 where the app itself ended it. */
  #codeOf(signal) {
    if (this.#killed && (signal === 'SIGTERM' || signal === 'SIGKILL')) return 0;
    return constants.signals[signal] ?? 0;
  }
  #end(code) {
    if (this.#ended) return;
    this.#ended = true;
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
    if (transfer.length > 0) throw unsupported('MessagePorts in UtilityProcess.postMessage');
    // Sending to a child that just ended is no error in Electron either: its 'exit' event reports it.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** @returns whether there was a process to end: before 'spawn' there is none, and nothing happens */
  kill() {
    if (!this.#running) return false;
    this.#killed = this.#child.kill('SIGTERM');
    return this.#killed;
  }
}

export const utilityProcess = supportedModule('utilityProcess', {
  fork(modulePath, args = [], options = {}) {
    assertReady(new TypeError('utilityProcess cannot be created before app is ready.'));
    if (!Array.isArray(args)) return utilityProcess.fork(modulePath, [], args);
    return new UtilityProcess(modulePath, args, options);
  },
});

/** Ends the children with the app, including those that ignore a first signal. */
export function endUtilityProcesses() {
  for (const child of living) child.kill('SIGKILL');
}
