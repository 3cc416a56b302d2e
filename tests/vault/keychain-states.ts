/**
 * Six states of a real keychain × get, set, delete: each is reported in time, the main process keeps running, and
 * the stored secret stays unchanged.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { SecretInput } from '../../src-shared/ipc/connections.ts';
import { Keychain } from '../../src-main/vault/keychain.ts';
import { openSecretIndex } from '../../src-main/vault/secret-index.ts';
import { keychainAccount } from '../../src-main/vault/secret-item.ts';
import { Vault } from '../../src-main/vault/vault.ts';
import { forkKeychain } from './fork-keychain.ts';
import { openKeyring, type PrivateKeyring } from './private-keyring.ts';

export const STATES = [
  'no bus',
  'no service',
  'locked',
  'prompt unanswered',
  'frozen',
  'wrong content',
] as const;
export type State = (typeof STATES)[number];
export const ACTIONS = ['get', 'set', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

export interface Case {
  readonly state: State;
  readonly action: Action;
  /** From the request to the first message a user can read, ms. */
  readonly messageMs: number;
  readonly message: string;
  /** Longest time the requesting process was blocked, ms. */
  readonly blockedMs: number;
  readonly overwritten: boolean;
}

/** The connection whose secret exists before. */
export const ID = 'live-1';
const ADDRESS = 'https://api.exchange.example';
const OLD: SecretInput = { secret: 'the old secret', headers: {} };
const NEW: SecretInput = { secret: 'the new secret', headers: {} };
const FOREIGN = 'something another program put here';
const PROMPTER = '/usr/libexec/gcr-prompter';

/** Why a state cannot be made here; null when it can. */
export function missingFor(state: State): string | null {
  if (state !== 'prompt unanswered') return null;
  if (!existsSync(PROMPTER)) return 'needs gcr-prompter';
  return spawnSync('sh', ['-c', 'command -v Xvfb']).status === 0 ? null : 'needs Xvfb';
}

/** Puts a keyring that holds the old secret into a state. Returns how to end it, so that its content can be checked. */
async function bring(state: State, keyring: PrivateKeyring): Promise<() => Promise<void>> {
  switch (state) {
    case 'locked':
      await keyring.lock();
      break;
    case 'frozen':
      await keyring.freeze();
      return () => keyring.thaw();
    case 'prompt unanswered': {
      // A real prompter, on a screen without a user.
      const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '800x600x24'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      });
      const DISPLAY = await displayOf(screen);
      const prompter = spawn(PROMPTER, [], { env: { ...keyring.env, DISPLAY }, stdio: 'ignore' });
      await keyring.named('org.gnome.keyring.SystemPrompter');
      await keyring.lock();
      return () => ended(prompter, screen);
    }
    case 'no bus':
    case 'no service':
    case 'wrong content':
  }
  return () => Promise.resolve();
}

async function ended(...children: ChildProcess[]): Promise<void> {
  for (const child of children) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}
/** Xvfb takes a free display and writes its number when it is ready: a fixed one may belong to another program. */
async function displayOf(screen: ChildProcess): Promise<string> {
  const [number] = (await once(screen.stdio[3] as NodeJS.EventEmitter, 'data')) as [Buffer];
  return `:${number.toString().trim()}`;
}

const stored = (ids: string[]) => ({
  read: () => Promise.resolve({ version: 1 as const, ids }),
  write: () => Promise.resolve(),
});
const withoutBus = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: '/nonexistent' });

export interface Prepared {
  /** Environment in which the keychain is in this state. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends the state; reports whether something was overwritten or lost, read again from disk. */
  overwritten(mayBeGone: boolean): Promise<boolean>;
}

/** A real keychain in a state, with an existing secret. */
export async function prepare(state: State): Promise<Prepared> {
  const keyring = state === 'no bus' ? null : await openKeyring(state === 'no service' ? 'none' : 'unlocked');
  const env = keyring?.env ?? withoutBus();
  const holds = keyring !== null && state !== 'no service';
  const item = state === 'wrong content' ? FOREIGN : JSON.stringify(OLD);
  if (holds) await directly(env, (keychain) => keychain.set(keychainAccount(ID), item));
  const end = keyring === null ? () => Promise.resolve() : await bring(state, keyring);
  return {
    env,
    async overwritten(mayBeGone) {
      await end();
      if (holds) await keyring.reopen();
      const found = holds ? await directly(env, (one) => one.get(keychainAccount(ID))) : null;
      const after = found?.ok === true ? found.value : null;
      await keyring?.end();
      return holds && after !== item && !(mayBeGone && after === null);
    },
  };
}

/** Removing another program's entry is what the user requested; a frozen keychain may do it later. */
export const mayRemove = (state: State, action: Action): boolean =>
  action === 'delete' && (state === 'wrong content' || state === 'frozen');

/** Runs one state × one action, with the app's own timeouts. */
export async function keychainCase(state: State, action: Action): Promise<Case> {
  const prepared = await prepare(state);
  const keychain = new Keychain({ spawn: forkKeychain(prepared.env) });
  const vault = new Vault({ keychain, index: await openSecretIndex(stored([ID])) });
  const { promise: shown, resolve: show } = Promise.withResolvers<string>();
  vault.onState(({ message }) => message !== '' && show(message));
  let blockedMs = 0;
  let last = performance.now();
  const pulse = setInterval(() => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last - 20);
    last = now;
  }, 20);

  const startedAt = performance.now();
  const asked =
    action === 'get'
      ? vault.read(ID, ADDRESS).then(({ message }) => message !== '' && show(message))
      : action === 'set'
        ? vault.write(ID, NEW, ADDRESS).then((result) => !result.ok && show(result.failure.message))
        : vault.forget(ID, false).then((result) => {
            if (!result.ok) show(result.failure.message);
            else if (vault.state().message === '') show('The secret was removed.');
          });
  const message = await shown;
  const messageMs = performance.now() - startedAt;
  clearInterval(pulse);
  vault.drop();
  await asked;

  const overwritten = await prepared.overwritten(mayRemove(state, action));
  return { state, action, messageMs, message, blockedMs, overwritten };
}

async function directly<T>(env: NodeJS.ProcessEnv, work: (keychain: Keychain) => Promise<T>): Promise<T> {
  const keychain = new Keychain({ spawn: forkKeychain(env) });
  try {
    return await work(keychain);
  } finally {
    keychain.stop();
  }
}
