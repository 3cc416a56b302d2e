/**
 * Accesses the system keychain through a separate process (docs/safety.md), one call at a time. After 10 s a call is
 * reported as waiting, since the user may be typing a password. After 2 minutes the process is killed and the next call
 * restarts it. Never rejects and never hangs.
 */
import type { KeychainState } from '../../src-shared/ipc/connections.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import { isReply, type KeychainReply, type KeychainRequest } from './keychain-protocol.ts';
import { userText } from './keychain-text.ts';

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
export type KeychainAnswer =
  | { readonly ok: true; readonly value: string | boolean | null }
  | { readonly ok: false; readonly message: string };

export interface Keychain {
  get(account: string): Promise<KeychainAnswer>;
  set(account: string, value: string): Promise<KeychainAnswer>;
  delete(account: string): Promise<KeychainAnswer>;
  state(): KeychainState;
  onState(listener: (state: KeychainState) => void): void;
  /** Ends an idle process, which may still hold the last item. The next call starts another. */
  suspend(): void;
  /** Ends the process for good; current and later calls fail. */
  stop(): void;
}

const FINE: KeychainState = { state: 'available', message: '' };
const WAITING: KeychainState = {
  state: 'waiting',
  message: 'Waiting for your keychain. It may be asking for its password in another window.',
};
const GAVE_UP = 'Your keychain did not respond.';
const DIED = 'The keychain process stopped unexpectedly.';
const STOPPED = 'Ballast is closing.';

type Question = KeychainRequest extends infer R ? (R extends KeychainRequest ? Omit<R, 'id'> : never) : never;

export function createKeychain({
  spawn,
  waitingAfterMs = 9500,
  killAfterMs = 120_000,
}: KeychainOptions): Keychain {
  let current: KeychainState = FINE;
  let running: Running | null = null;
  const calls = new SerialQueue();
  let nextId = 1;
  /** Generation of queued calls: one that is given up cancels those behind it, or each would wait 2 more minutes. */
  let generation = 0;
  let stopped = false;
  const listeners: ((state: KeychainState) => void)[] = [];

  const setState = (next: KeychainState): void => {
    if (next.state === current.state && next.message === current.message) return;
    current = next;
    for (const listener of listeners) listener(next);
  };
  const settle = (answer: KeychainAnswer): KeychainAnswer => {
    setState(answer.ok ? FINE : { state: 'unavailable', message: answer.message });
    return answer;
  };
  const end = (): void => {
    running?.child.kill();
    running = null;
  };

  async function ask(question: Question): Promise<KeychainAnswer> {
    running ??= start(spawn, (gone) => {
      if (running === gone) running = null;
    });
    if (running === null) return { ok: false, message: DIED };
    const waiting = setTimeout(() => setState(WAITING), waitingAfterMs);
    const giveUp = setTimeout(() => {
      generation++;
      const gone = running;
      end();
      gone?.settle({ ok: false, message: GAVE_UP });
    }, killAfterMs);
    const reply = await running.ask({ ...question, id: nextId++ });
    clearTimeout(waiting);
    clearTimeout(giveUp);
    return reply;
  }

  function queue(question: Question): Promise<KeychainAnswer> {
    const born = generation;
    return calls.run(async () => {
      const why = stopped ? STOPPED : born === generation ? null : GAVE_UP;
      return settle(why === null ? await ask(question) : { ok: false, message: why });
    });
  }

  return {
    get: (account) => queue({ action: 'get', account }),
    set: (account, value) => queue({ action: 'set', account, value }),
    delete: (account) => queue({ action: 'delete', account }),
    state: () => current,
    onState: (listener) => void listeners.push(listener),
    suspend() {
      if (running?.isIdle() === true) end();
    },
    stop() {
      stopped = true;
      const gone = running;
      end();
      gone?.settle({ ok: false, message: STOPPED });
    },
  };
}

interface Running {
  readonly child: KeychainChild;
  ask(request: KeychainRequest): Promise<KeychainAnswer>;
  settle(answer: KeychainAnswer): void;
  isIdle(): boolean;
}

/** Starts the process; null if it cannot start. */
function start(spawn: () => KeychainChild, onGone: (running: Running) => void): Running | null {
  let pending: { readonly id: number; readonly resolve: (answer: KeychainAnswer) => void } | null = null;
  let child: KeychainChild;
  try {
    child = spawn();
  } catch {
    return null; // the caller reports it; the error could only name paths
  }
  const running: Running = {
    child,
    ask: (request) =>
      new Promise((resolve) => {
        pending = { id: request.id, resolve };
        child.postMessage(request);
      }),
    settle(answer) {
      pending?.resolve(answer);
      pending = null;
    },
    isIdle: () => pending === null,
  };
  child.onMessage((message) => {
    if (!isReply(message) || message.id !== pending?.id) return;
    running.settle(spoken(message));
  });
  child.onExit(() => {
    onGone(running);
    running.settle({ ok: false, message: DIED });
  });
  return running;
}

const spoken = (reply: KeychainReply): KeychainAnswer =>
  reply.ok ? { ok: true, value: reply.value } : { ok: false, message: userText(reply.message) };
