/** Electron's utility process as the vault's child process. */
import type { KeychainChild } from '../vault/keychain.ts';

/** What is used of Electron's UtilityProcess. */
interface UtilityChild {
  postMessage(message: unknown): void;
  on(event: 'message' | 'error', listener: (message: unknown) => void): unknown;
  on(event: 'exit' | 'spawn', listener: () => void): unknown;
  kill(): boolean;
}

export function utilityChild(child: UtilityChild): KeychainChild {
  let unwanted = false;
  // Electron's `kill` does nothing before the process has spawned: it would stay and go on asking the keychain.
  child.on('spawn', () => {
    if (unwanted) child.kill();
  });
  // V8 gave up in it. Its end follows, and is answered there; unheard, this event would be an error of the app.
  child.on('error', () => undefined);
  return {
    postMessage: (message) => child.postMessage(message),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.on('exit', listener),
    kill() {
      unwanted = true;
      child.kill();
    },
  };
}
