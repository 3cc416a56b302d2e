/** The keychain's process under Electron: a utility process, which may hang or crash without taking the app along. */
import { utilityProcess } from 'electron';
import type { KeychainChild } from '../vault/keychain.ts';

/** `entry` is the built keychain process. It gets no environment but what a keychain is found by. */
export function spawnKeychain(entry: string): KeychainChild {
  const child = utilityProcess.fork(entry, [], { serviceName: 'Ballast keychain', stdio: 'ignore' });
  return {
    postMessage: (message) => child.postMessage(message),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.on('exit', listener),
    kill: () => child.kill(),
  };
}
