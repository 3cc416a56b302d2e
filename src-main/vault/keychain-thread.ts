/**
 * Runs the keychain in a thread, for a command: the app's own keychain process needs Electron to be ready, and that a
 * display. Should keytar crash, it ends the command, which has nothing else to do.
 */
import { Worker } from 'node:worker_threads';
import { workerEntry } from '../worker-entry.ts';
import type { KeychainChild } from './keychain.ts';

export function keychainThread(): KeychainChild {
  const thread = new Worker(workerEntry('keychain-process'));
  // The exit event follows, which ends the pending call.
  thread.on('error', () => undefined);
  return {
    postMessage: (message) => thread.postMessage(message),
    onMessage: (listener) => thread.on('message', listener),
    onExit: (listener) => thread.on('exit', listener),
    kill: () => void thread.terminate(),
  };
}
