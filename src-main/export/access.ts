/** Reads the secret of an export from the environment, or from the keychain through its own process. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SecretInput } from '../../src-shared/ipc/connections.ts';
import { denied, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { Keychain, type KeychainChild } from '../../src-main/vault/keychain.ts';
import { accountOf, fromItem } from '../../src-main/vault/secret-item.ts';
import type { ExportOptions } from './options.ts';

const PROGRAM = fileURLToPath(new URL('../../src-main/vault/keychain-process.ts', import.meta.url));

export async function secretOf({ secret, headers }: ExportOptions): Promise<Result<SecretInput>> {
  if (secret.from === 'environment') return done({ secret: secret.value, headers: { ...headers } });
  const keychain = new Keychain({ spawn: forkKeychain });
  try {
    const answer = await keychain.get(accountOf(secret.id));
    const next = `Open Ballast, choose the connection and enter its secret, or use --secret-env.`;
    if (!answer.ok) return failed({ kind: 'keychain', message: answer.message, next });
    const found = typeof answer.value === 'string' ? fromItem(answer.value) : null;
    if (found === null)
      return failed(
        denied(`The keychain has no secret for the connection ${secret.id}, or is locked.`, next),
      );
    return done({ secret: found.secret, headers: { ...found.headers, ...headers } });
  } finally {
    keychain.stop();
  }
}

function forkKeychain(): KeychainChild {
  const child = fork(PROGRAM, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return {
    postMessage: (message) => child.send(message),
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => child.on('exit', listener),
    kill: () => child.kill(),
  };
}
