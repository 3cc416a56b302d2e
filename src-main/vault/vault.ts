/**
 * Stores credentials in the system keychain, or in memory for this run if it is unavailable. Secrets enter by `write`
 * and leave by `read` to the signer. No message, state or failure contains any part of one.
 */
import type { KeychainState, SecretInput, SecretState } from '../../src-shared/ipc/connections.ts';
import { denied, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import type { Keychain } from './keychain.ts';
import { createSecretMemory } from './memory.ts';
import type { SecretIndex } from './secret-index.ts';
import { accountOf, fromItem, isId, toItem } from './secret-item.ts';

export interface SecretRead {
  readonly state: SecretState;
  readonly secret: SecretInput | null;
  /** Message for the user; empty when all is well. */
  readonly message: string;
}

export interface Vault {
  read(id: string): Promise<SecretRead>;
  /** Stores the secret and returns where it is. Denies only what no keychain can hold. */
  write(id: string, secret: SecretInput): Promise<Result<SecretState>>;
  forget(id: string): Promise<Result<null>>;
  /** Checks whether the keychain responds, so the user knows before typing a secret. */
  probe(): Promise<KeychainState>;
  state(): KeychainState;
  onState(listener: (state: KeychainState) => void): void;
  /** Suspends the keychain process, which may still hold the last item. */
  suspend(): void;
  /** Clears memory and ends the keychain process. */
  drop(): void;
}

const IN_MEMORY = 'The secret is in memory only. Enter it again after the next start.';
const WITHOUT = 'Without it, secrets are only kept in memory until Ballast quits.';
const LOCKED_OR_MISSING =
  'The stored secret of this connection is not available: your keychain is locked, or the entry was removed.';
const NOT_OVERWRITTEN = `${LOCKED_OR_MISSING} It was not overwritten. ${IN_MEMORY} To store it, unlock the keychain, or remove the old one first.`;
const CHANGED =
  'The keychain entry of this connection was changed by another program and cannot be read. Remove it, then enter the secret again.';
const NOT_REPLACED = `The keychain entry of this connection was written by another program. It was not overwritten. ${IN_MEMORY} To store it, remove the old one first.`;
const NONE = 'This connection has no secret yet.';
const UNCONFIRMED =
  'Your keychain did not confirm that the old entry was removed: it is locked, or the entry was already gone.';
const NOT_STORED = 'Your keychain stored the secret but returned something else.';

export function createVault({ keychain, index }: { keychain: Keychain; index: SecretIndex }): Vault {
  const memory = createSecretMemory();
  const listeners: ((state: KeychainState) => void)[] = [];
  /** A message to show although the keychain responds. */
  let notice = '';
  /** A write is several calls that must not interleave. */
  const calls = new SerialQueue();

  const state = (): KeychainState => {
    const own = keychain.state();
    if (own.state === 'unavailable') return { state: own.state, message: `${own.message} ${WITHOUT}` };
    return own.message === '' ? { state: own.state, message: notice } : own;
  };
  const notify = (): void => listeners.forEach((listener) => listener(state()));
  const setNotice = (text: string): void => {
    if (notice === text) return;
    notice = text;
    notify();
  };
  keychain.onState(notify);

  function storeInMemory(id: string, secret: SecretInput, why: string): Result<SecretState> {
    memory.set(id, secret);
    setNotice(why);
    return done('memory');
  }

  const fromMemory = (id: string): SecretRead | null => {
    const secret = memory.get(id);
    return secret === null ? null : { state: 'memory', secret, message: IN_MEMORY };
  };

  async function read(id: string): Promise<SecretRead> {
    const inMemory = fromMemory(id);
    if (inMemory !== null) return inMemory;
    const answer = await keychain.get(accountOf(id));
    if (!answer.ok) return { state: 'unavailable', secret: null, message: answer.message };
    if (typeof answer.value !== 'string')
      return { state: 'missing', secret: null, message: index.has(id) ? LOCKED_OR_MISSING : NONE };
    const secret = fromItem(answer.value);
    return secret === null
      ? { state: 'missing', secret, message: CHANGED }
      : { state: 'stored', secret, message: '' };
  }

  async function write(id: string, secret: SecretInput): Promise<Result<SecretState>> {
    const item = toItem(secret);
    if (!item.ok) return item;
    const account = accountOf(id);
    const before = await keychain.get(account);
    if (!before.ok) return storeInMemory(id, secret, `${before.message} ${IN_MEMORY}`);
    const known = index.has(id);
    if (known && before.value === null) return storeInMemory(id, secret, NOT_OVERWRITTEN);
    if (typeof before.value === 'string' && fromItem(before.value) === null)
      return storeInMemory(id, secret, NOT_REPLACED);
    // Listed before it is stored, so that after a crash in between the app reports it as missing.
    await index.add(id);
    const stored = await keychain.set(account, item.data);
    const after = stored.ok ? await keychain.get(account) : stored;
    if (after.ok && after.value === item.data) {
      memory.forget(id);
      setNotice('');
      return done('stored');
    }
    if (!known && !stored.ok) await index.remove(id);
    return storeInMemory(id, secret, `${after.ok ? NOT_STORED : after.message} ${IN_MEMORY}`);
  }

  async function forget(id: string): Promise<Result<null>> {
    memory.forget(id);
    const listed = index.has(id);
    if (!listed) return done(null);
    const answer = await keychain.delete(accountOf(id));
    if (!answer.ok)
      return failed({
        kind: 'keychain',
        message: `${answer.message} The stored secret was not removed.`,
        next: 'Unlock or start your keychain, then remove it again.',
        field: 'secret',
      });
    await index.remove(id);
    setNotice(answer.value === true ? '' : UNCONFIRMED);
    return done(null);
  }

  const unknownId = denied('This is not a connection id.', 'Select a connection.', 'connectionId');
  return {
    async read(id) {
      if (!isId(id)) return { state: 'missing', secret: null, message: unknownId.message };
      // A secret in memory does not wait for a keychain that may be frozen.
      return fromMemory(id) ?? calls.run(() => read(id));
    },
    write: (id, secret) =>
      isId(id) ? calls.run(() => write(id, secret)) : Promise.resolve(failed(unknownId)),
    forget: (id) => (isId(id) ? calls.run(() => forget(id)) : Promise.resolve(failed(unknownId))),
    probe: () =>
      calls.run(async () => {
        await keychain.get(accountOf('probe'));
        return state();
      }),
    state,
    onState: (listener) => void listeners.push(listener),
    suspend: () => keychain.suspend(),
    drop() {
      memory.clear();
      keychain.stop();
    },
  };
}
