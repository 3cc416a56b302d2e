/**
 * Accesses the system keychain through a separate process (docs/safety.md), one call at a time. After 10 s a call is
 * reported as waiting, since the user may be typing a password. After 2 minutes the process is killed and the next call
 * restarts it. Never rejects and never hangs.
 */
import type { KeychainState } from '../../src-shared/ipc/connections.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { isReply, type KeychainReply, type KeychainRequest } from './keychain-protocol.ts';

/** A started keychain process: Electron's utility process, or a forked Node in tests. */
export interface KeychainChild {
  postMessage(message: KeychainRequest): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: () => void): void;
  kill(): void;
}

export interface KeychainOptions {
  readonly spawn: () => KeychainChild;
  /** In ms, below the documented 10 s, so the text is shown by then. */
  readonly waitingAfterMs?: number;
  /** In ms. */
  readonly killAfterMs?: number;
}

/** The item's text, whether an item was deleted, or null: missing or locked. */
export type KeychainResult =
  | { readonly ok: true; readonly value: string | boolean | null }
  | { readonly ok: false; readonly message: string };

const FINE: KeychainState = { state: 'available', message: '' };
const WAITING: KeychainState = {
  state: 'waiting',
  message: 'Waiting for your keychain. It may be asking for a password in another window.',
};
const GAVE_UP = 'Your keychain did not respond.';
const DIED = 'The keychain process stopped unexpectedly.';
const STOPPED = 'Ballast is closing.';

type Question = KeychainRequest extends infer R ? (R extends KeychainRequest ? Omit<R, 'id'> : never) : never;

export class Keychain {
  readonly #spawn: () => KeychainChild;
  readonly #waitingAfterMs: number;
  readonly #killAfterMs: number;
  readonly #calls = new SerialQueue();
  readonly #listeners: ((state: KeychainState) => void)[] = [];
  #state = FINE;
  #running: KeychainProcess | null = null;
  #nextId = 1;
  /** Number of the current queue: abandoning a call cancels those behind it, or each would wait 2 more minutes. */
  #generation = 0;
  #stopped = false;

  constructor({ spawn, waitingAfterMs = 9500, killAfterMs = 120_000 }: KeychainOptions) {
    this.#spawn = spawn;
    this.#waitingAfterMs = waitingAfterMs;
    this.#killAfterMs = killAfterMs;
  }

  get(account: string): Promise<KeychainResult> {
    return this.#call({ action: 'get', account });
  }
  set(account: string, value: string): Promise<KeychainResult> {
    return this.#call({ action: 'set', account, value });
  }
  delete(account: string): Promise<KeychainResult> {
    return this.#call({ action: 'delete', account });
  }
  state(): KeychainState {
    return this.#state;
  }
  onState(listener: (state: KeychainState) => void): void {
    this.#listeners.push(listener);
  }
  /** Ends an idle process, which may still hold the last item. The next call starts another. */
  suspend(): void {
    if (this.#running?.isIdle() === true) this.#end(null);
  }
  /** Ends the process for good; current and later calls fail. */
  stop(): void {
    this.#stopped = true;
    this.#end(STOPPED);
  }

  #call(question: Question): Promise<KeychainResult> {
    const born = this.#generation;
    return this.#calls.run(async () => {
      const why = this.#stopped ? STOPPED : born === this.#generation ? null : GAVE_UP;
      const result: KeychainResult =
        why === null ? await this.#answer(question) : { ok: false, message: why };
      this.#setState(result.ok ? FINE : { state: 'unavailable', message: result.message });
      return result;
    });
  }
  /**
   * Asks once more in a new process where one that ran before fails with an unknown error: it cannot reach a keychain that
   * was restarted since.
   */
  async #answer(question: Question): Promise<KeychainResult> {
    const hasRun = this.#running !== null;
    const result = await this.#ask(question);
    if (result.ok || result.message !== GENERAL || !hasRun || this.#stopped) return result;
    this.#end(null);
    return this.#ask(question);
  }
  async #ask(question: Question): Promise<KeychainResult> {
    const running = this.#started();
    if (running === null) return { ok: false, message: DIED };
    const waiting = setTimeout(() => this.#setState(WAITING), this.#waitingAfterMs);
    const giveUp = setTimeout(() => {
      this.#generation++;
      this.#end(GAVE_UP);
    }, this.#killAfterMs);
    const reply = await running.ask({ ...question, id: this.#nextId++ });
    clearTimeout(waiting);
    clearTimeout(giveUp);
    return reply;
  }
  /** The running process, or a new one; null if it cannot start. */
  #started(): KeychainProcess | null {
    if (this.#running !== null) return this.#running;
    let child: KeychainChild;
    try {
      child = this.#spawn();
    } catch {
      return null; // the caller reports it; the error could only name paths
    }
    const started = new KeychainProcess(child, () => {
      if (this.#running === started) this.#running = null;
    });
    return (this.#running = started);
  }
  /** Kills the process; a call in progress fails with the message. */
  #end(message: string | null): void {
    const gone = this.#running;
    this.#running = null;
    gone?.kill();
    if (message !== null) gone?.settle({ ok: false, message });
  }
  #setState(next: KeychainState): void {
    if (next.state === this.#state.state && next.message === this.#state.message) return;
    this.#state = next;
    for (const listener of this.#listeners) listener(next);
  }
}

/** A started process and the call it is working on. */
class KeychainProcess {
  readonly #child: KeychainChild;
  #pending: { readonly id: number; readonly resolve: (result: KeychainResult) => void } | null = null;

  constructor(child: KeychainChild, onGone: () => void) {
    this.#child = child;
    child.onMessage((message) => {
      if (isReply(message) && message.id === this.#pending?.id) this.settle(resultOf(message));
    });
    child.onExit(() => {
      onGone();
      this.settle({ ok: false, message: DIED });
    });
  }

  ask(request: KeychainRequest): Promise<KeychainResult> {
    return new Promise((resolve) => {
      this.#pending = { id: request.id, resolve };
      this.#child.postMessage(request);
    });
  }
  settle(result: KeychainResult): void {
    this.#pending?.resolve(result);
    this.#pending = null;
  }
  isIdle(): boolean {
    return this.#pending === null;
  }
  kill(): void {
    this.#child.kill();
  }
}

const resultOf = (reply: KeychainReply): KeychainResult =>
  reply.ok ? { ok: true, value: reply.value } : { ok: false, message: userText(reply.message) };

/** The keychain library's messages and their user texts. Each pattern was observed (docs/safety.md). */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [
    /Cannot autolaunch D-Bus|Could not connect|DBUS_SESSION_BUS_ADDRESS|dbus-launch/i,
    'This session has no message bus (D-Bus), so no keychain can be reached.',
  ],
  [
    /org\.freedesktop\.secrets was not provided|ServiceUnknown/i,
    'No keychain service is installed (GNOME Keyring, KWallet or KeePassXC provide one).',
  ],
  [
    /Object does not exist at path|No such secret collection/i,
    'Your keychain has never been set up. Open your system’s password program once and create the login keyring.',
  ],
  [/locked collection|is locked/i, 'Your keychain is locked. Unlock it with your system’s password program.'],
  [/prompt.*dismissed|dismissed|cancel/i, 'The keychain prompt was dismissed.'],
  [
    /cannot open shared object|libsecret|dlopen|Cannot find module|\.node/i,
    'The keychain library is not installed.',
  ],
];

const GENERAL = 'Your keychain rejected the request.';

/** Returns one sentence without any of the library's own text, which could name an item. */
const userText = (message: string): string =>
  KNOWN.find(([pattern]) => pattern.test(message))?.[1] ?? GENERAL;
