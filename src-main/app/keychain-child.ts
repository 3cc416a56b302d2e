/** Runs the keychain in an Electron utility process, which may hang or crash without affecting the app. */
import { utilityProcess } from 'electron';
import type { KeychainChild } from '../vault/keychain.ts';
import { utilityChild } from './utility-child.ts';

/** The environment the keychain needs. Ballast's own variables are removed: one can hold a practice secret. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BALLAST_')));

/** Starts the keychain process; `entry` is its built script. */
export const spawnKeychain = (entry: string): KeychainChild =>
  utilityChild(
    utilityProcess.fork(entry, [], {
      serviceName: 'Ballast keychain',
      stdio: 'ignore',
      env: environment(),
    }),
  );
