// Notifications by notify-send, which uses the desktop's own service as Electron does.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PreventableEvent, supportedClass } from './supported.mjs';
import { available } from './programs.mjs';
import { assertReady, runtime } from './runtime.mjs';

/** Imitates an unsigned app on macOS: supported, yet none is ever shown. */
const madeToFail = () => process.env.BALLAST_STANDIN_NOTIFICATIONS === 'fail';

/** Those that may still be clicked; they end with the app. */
const shown = new Set();

export class Notification extends supportedClass('Notification', [
  'show',
  'click',
  'close',
  'failed',
  'reply',
  'action',
]) {
  #sender;
  constructor({ title = '', body = '' } = {}) {
    super();
    assertReady(new Error('Cannot create Notification before app is ready'));
    this.title = title;
    this.body = body;
  }
  static isSupported = () => madeToFail() || (!runtime.headless && available('notify-send'));

  /** Reports by 'show' or 'failed', later and never by an exception. */
  show() {
    this.close();
    if (madeToFail()) setImmediate(() => this.#raise('failed', 'Notifications are not allowed for this app'));
    else if (!Notification.isSupported())
      setImmediate(() => this.#raise('failed', 'notify-send is not there, or there is no display'));
    else this.#send();
  }

  #send() {
    const name = runtime.manifest.productName ?? runtime.manifest.name ?? 'Electron';
    // It prints the notification's id once shown, and the action's name when clicked.
    const flags = ['--wait', '--print-id', '--action=default=Show', `--app-name=${name}`];
    const sender = spawn('notify-send', [...flags, '--', this.title, this.body]);
    this.#sender = sender;
    shown.add(sender);
    let failure;
    createInterface({ input: sender.stdout }).on('line', (line) =>
      this.#raise(line === 'default' ? 'click' : 'show'),
    );
    sender.stderr.setEncoding('utf8').on('data', (text) => {
      // Without a service on the bus it prints an error and then never exits.
      failure ??= text.trim();
      sender.kill('SIGTERM');
    });
    sender.once('error', (error) => (failure = error.message));
    sender.once('close', () => {
      shown.delete(sender);
      if (failure === undefined) this.#raise('close');
      else this.#raise('failed', failure);
    });
  }
  #raise(event, ...args) {
    this.emit(event, new PreventableEvent(), ...args);
  }

  /** notify-send removes its notification when interrupted. */
  close() {
    this.#sender?.kill('SIGINT');
    this.#sender = undefined;
  }
}

export function endNotifications() {
  for (const sender of shown) sender.kill('SIGINT');
}
