/** The real bridge without Electron: handlers that return their input, called like from the window's page. */
import { done, type Result } from '../../src-shared/ipc/failures.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { CALL_NAMES, callChannel, type CallName } from '../../src-shared/ipc/names.ts';

type Listener = (event: unknown, input: unknown) => Promise<Result<unknown>>;

/** Stands for Electron's `ipcMain` and records listeners. Mocked before serve.ts is loaded. */
export function fakeIpcMain(): {
  handle(channel: string, listener: Listener): void;
  of(name: CallName): Listener;
} {
  const listeners = new Map<string, Listener>();
  return {
    handle: (channel, listener) => void listeners.set(channel, listener),
    of(name) {
      const listener = listeners.get(callChannel(name));
      if (listener === undefined) throw new Error(`no handler for ${name}`);
      return listener;
    },
  };
}

export const ECHO = Object.fromEntries(
  CALL_NAMES.map((name) => [name, (input: unknown) => Promise.resolve(done(input))]),
) as Handlers;

export const PAGE_ADDRESS = 'app://bundle/index.html';
/** An event as the app's own page, in its main frame, would cause it. */
export const ownEvent = (page: object): { sender: object; senderFrame: { parent: null; url: string } } => ({
  sender: page,
  senderFrame: { parent: null, url: PAGE_ADDRESS },
});
