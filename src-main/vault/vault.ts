/**
 * Stores credentials in the system keychain, or in memory for this run if it is unavailable. Secrets enter by `write`
 * and leave by `read` to the signer. No message, state or failure contains any part of one.
 */
import type { KeychainState, SecretInput, SecretState } from '../../src-shared/ipc/connections.ts';
import { blockedFailure, done, failed, type Result } from '../../src-shared/ipc/failures.ts';
import { SerialQueue } from '../../src-shared/serial-queue.ts';
import type { Keychain } from './keychain.ts';
import type { SecretIndex } from './secret-index.ts';
import {
  bindSecret,
  type BoundSecret,
  fromItem,
  isFor,
  isId,
  keychainAccount,
  type SecretAddress,
  toItem,
} from './secret-item.ts';

export interface SecretRead {
  readonly state: SecretState;
  readonly secret: SecretInput | null;
  /** Message for the user; empty when all is well, or where the keychain's own says it. */
  readonly message: string;
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
const WITHHELD =
  'This connection was restored from a backup, or its base URL was changed. Enter its secret: the stored one may be for another base URL.';
const FOR_ANOTHER =
  'The stored secret was entered for another base URL, and is not sent to this one. Enter it again.';
const UNCONFIRMED =
  'Your keychain did not confirm that the old entry was removed: it is locked, or the entry was already gone.';
const NOT_LISTED = `The list of stored secrets could not be written to the profile folder, so the keychain was not given this one. ${IN_MEMORY}`;
const NOT_STORED = 'Your keychain stored the secret but returned something else.';

const UNKNOWN_ID = blockedFailure('This is not a connection ID.', 'Select a connection.', 'connectionId');

export class Vault {
  readonly #keychain: Keychain;
  readonly #index: SecretIndex;
  /** Secrets that the keychain cannot store, for this run. */
  readonly #memory = new Map<string, BoundSecret>();
  readonly #listeners: ((state: KeychainState) => void)[] = [];
  /** A write is several calls that must not interleave. */
  readonly #calls = new SerialQueue();
  #queued = 0;
  #keepsProcess = true;
  /** A message to show although the keychain responds. */
  #notice = '';

  constructor({ keychain, index }: { readonly keychain: Keychain; readonly index: SecretIndex }) {
    this.#keychain = keychain;
    this.#index = index;
    keychain.onState(() => this.#notify());
  }

  /** Returns the secret if it may be sent to this address. */
  async read(id: string, address: SecretAddress): Promise<SecretRead> {
    if (!isId(id)) return { state: 'missing', secret: null, message: UNKNOWN_ID.message };
    // A secret in memory does not wait for a keychain that may be frozen.
    return this.#fromMemory(id, address) ?? this.#run(() => this.#read(id, address));
  }
  /** Stores the secret for this address and returns where it is. Denies only what no keychain can hold. */
  write(id: string, secret: SecretInput, address: SecretAddress): Promise<Result<SecretState>> {
    return isId(id)
      ? this.#run(() => this.#write(id, bindSecret(secret, address)))
      : Promise.resolve(failed(UNKNOWN_ID));
  }
  /**
   * Removes the secret. If the keychain refuses, it fails and nothing is changed; with `leaveStored` only what the keychain
   * has is left.
   */
  forget(id: string, leaveStored: boolean): Promise<Result<null>> {
    return isId(id) ? this.#run(() => this.#forget(id, leaveStored)) : Promise.resolve(failed(UNKNOWN_ID));
  }
  /** Returns the ids whose secrets may be in the keychain. */
  listed(): readonly string[] {
    return this.#index.ids();
  }
  /**
   * Uses nothing that the keychain has for these connections until a secret is stored there, also after a restart. The
   * keychain is not changed, and a secret in memory goes on. Returns the function that takes it back.
   */
  withhold(ids: readonly string[]): Promise<() => Promise<void>> {
    return this.#calls.run(async () => {
      const takeBack = await this.#index.withhold(ids);
      return () => this.#calls.run(takeBack);
    });
  }
  state(): KeychainState {
    const { state, message } = this.#keychain.state();
    if (state === 'unavailable') return { state, message: `${message} ${WITHOUT}` };
    return { state, message: message === '' ? this.#notice : message };
  }
  onState(listener: (state: KeychainState) => void): void {
    this.#listeners.push(listener);
  }
  /** Sets whether the keychain process, which may still hold the last item, goes on while nothing needs it. */
  keepProcess(keep: boolean): void {
    this.#keepsProcess = keep;
    this.#suspendIfUnused();
  }
  /** Clears memory and ends the keychain process. */
  drop(): void {
    this.#memory.clear();
    this.#keychain.stop();
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#queued++;
    try {
      return await this.#calls.run(work);
    } finally {
      this.#queued--;
      this.#suspendIfUnused();
    }
  }
  #suspendIfUnused(): void {
    if (!this.#keepsProcess && this.#queued === 0) this.#keychain.suspend();
  }

  #fromMemory(id: string, address: SecretAddress): SecretRead | null {
    const bound = this.#memory.get(id);
    if (bound === undefined || !isFor(bound, address)) return null;
    return { state: 'memory', secret: bound.secret, message: IN_MEMORY };
  }
  async #read(id: string, address: SecretAddress): Promise<SecretRead> {
    const inMemory = this.#fromMemory(id, address);
    if (inMemory !== null) return inMemory;
    if (this.#index.isWithheld(id)) return { state: 'missing', secret: null, message: WITHHELD };
    const result = await this.#keychain.get(keychainAccount(id));
    if (!result.ok) return { state: 'unavailable', secret: null, message: result.message };
    if (typeof result.value !== 'string')
      return { state: 'missing', secret: null, message: this.#index.has(id) ? LOCKED_OR_MISSING : NONE };
    const bound = fromItem(result.value);
    if (bound === null) return { state: 'missing', secret: null, message: CHANGED };
    if (!isFor(bound, address)) return { state: 'missing', secret: null, message: FOR_ANOTHER };
    // The list may have been damaged. What is not listed would stay in the keychain when the connection is removed.
    await this.#index.add(id).catch(() => undefined); // on a full disk at the next read
    return { state: 'stored', secret: bound.secret, message: '' };
  }

  async #write(id: string, bound: BoundSecret): Promise<Result<SecretState>> {
    const item = toItem(bound);
    if (!item.ok) return item;
    const account = keychainAccount(id);
    const before = await this.#keychain.get(account);
    if (!before.ok) return this.#storeInMemory(id, bound, `${before.message} ${IN_MEMORY}`);
    const known = this.#index.has(id);
    if (known && before.value === null) return this.#storeInMemory(id, bound, NOT_OVERWRITTEN);
    if (typeof before.value === 'string' && fromItem(before.value) === null)
      return this.#storeInMemory(id, bound, NOT_REPLACED);
    // Listed before it is stored, so that after a crash in between the app reports it as missing.
    try {
      await this.#index.add(id);
    } catch {
      return this.#storeInMemory(id, bound, NOT_LISTED);
    }
    const stored = await this.#keychain.set(account, item.data);
    const after = stored.ok ? await this.#keychain.get(account) : stored;
    if (after.ok && after.value === item.data) {
      this.#memory.delete(id);
      await this.#index.admit(id).catch(() => undefined); // on a full disk to be entered again after the next start
      this.#setNotice('');
      return done('stored');
    }
    if (!known && !stored.ok) await this.#unlist(id);
    return this.#storeInMemory(id, bound, `${after.ok ? NOT_STORED : after.message} ${IN_MEMORY}`);
  }
  #storeInMemory(id: string, bound: BoundSecret, why: string): Result<SecretState> {
    this.#memory.set(id, bound);
    this.#setNotice(why);
    return done('memory');
  }

  async #forget(id: string, leaveStored: boolean): Promise<Result<null>> {
    const removed = this.#index.has(id) ? await this.#delete(id) : done(null);
    if (removed.ok || leaveStored) this.#memory.delete(id);
    return removed;
  }
  async #delete(id: string): Promise<Result<null>> {
    const result = await this.#keychain.delete(keychainAccount(id));
    if (!result.ok)
      return failed({
        kind: 'keychain',
        message: `${result.message} The stored secret was not removed.`,
        next: 'Unlock or start your keychain, then remove it again.',
        field: 'secret',
      });
    await this.#unlist(id);
    this.#setNotice(result.value === true ? '' : UNCONFIRMED);
    return done(null);
  }

  /** What stays listed on a full disk is missing after the next start, and removing it again clears the list. */
  async #unlist(id: string): Promise<void> {
    await this.#index.remove(id).catch(() => undefined);
  }

  #setNotice(text: string): void {
    if (this.#notice === text) return;
    this.#notice = text;
    this.#notify();
  }
  #notify(): void {
    const state = this.state();
    for (const listener of this.#listeners) listener(state);
  }
}
