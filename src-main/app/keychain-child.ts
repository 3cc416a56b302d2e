/** The keychain's process under Electron: a utility process, which may hang or crash without taking the app along. */
import { utilityProcess } from 'electron';
import type { KeychainChild } from '../vault/keychain.ts';
import { utilityChild } from './utility-child.ts';

/** The person's environment, by which a keychain is found; not Ballast's own part: a practice line has a secret in it. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BALLAST_')));

/** `entry` is the built keychain process. */
export const spawnKeychain = (entry: string): KeychainChild =>
  utilityChild(
    utilityProcess.fork(entry, [], {
      serviceName: 'Ballast keychain',
      stdio: 'ignore',
      env: environment(),
    }),
  );
