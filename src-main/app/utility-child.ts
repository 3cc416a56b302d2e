/** Adapts Electron's utility process to the vault's child process. */
import type { KeychainChild } from '../vault/keychain.ts';

/** The used part of Electron's UtilityProcess. */
interface UtilityChild {
  postMessage(message: unknown): void;
  on(event: 'message' | 'error', listener: (message: unknown) => void): unknown;
  on(event: 'exit' | 'spawn', listener: () => void): unknown;
  kill(): boolean;
}

export function utilityChild(child: UtilityChild): KeychainChild {
  let unwanted = false;
  // `kill` has no effect before the process has spawned.
  child.on('spawn', () => {
    if (unwanted) child.kill();
  });
  // V8 ran out of memory. The exit event follows; an unhandled error event would crash the app.
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
