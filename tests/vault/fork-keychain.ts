/** Forks the real keychain process by plain Node, with an environment of the test's own. */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { KeychainChild } from '../../src-main/vault/keychain.ts';

const PROGRAM = fileURLToPath(new URL('../../src-main/vault/keychain-process.ts', import.meta.url));

/** @param started gets each process, for a test that kills it */
export const forkKeychain =
  (env: NodeJS.ProcessEnv, started: (child: ChildProcess) => void = () => undefined) =>
  (): KeychainChild => {
    const child = fork(PROGRAM, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    started(child);
    return {
      postMessage: (message) => void child.send(message, () => undefined),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.on('exit', listener),
      kill: () => void child.kill(),
    };
  };
