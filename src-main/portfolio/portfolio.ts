/**
 * Decides which accounts are read beside the open connection: included live ones, unless the lock has unloaded the
 * secrets. A reader is closed before its connection is opened, and when that is changed, excluded or removed.
 */
import type { ConnectionSummary, KeychainState, SecretState } from '../../src-shared/ipc/connections.ts';
import type { PortfolioState } from '../../src-shared/ipc/portfolio.ts';
import { EMPTY_FEED } from '../../src-shared/ipc/feeds.ts';
import { addressOf } from '../session/account.ts';
import type { SecretStore } from '../session/session-types.ts';
import { AccountReader, type ReaderServices } from './account-reader.ts';

interface PortfolioPorts {
  readonly session: {
    state(): { readonly connections: readonly ConnectionSummary[]; readonly keychain: KeychainState };
    isInUse(id: string): boolean;
    unloadsSecrets(): boolean;
  };
  readonly connection: ReaderServices;
  /** Resolves once secrets can be read. */
  readonly ready: () => Promise<unknown>;
  readonly secrets: Pick<SecretStore, 'read'>;
  readonly changed: (state: PortfolioState) => void;
  /** Called after each read of any feed. */
  readonly read: () => void;
}

/** An account to be read. `reader` is null until its secret is loaded. */
interface Included {
  readonly summary: ConnectionSummary;
  reader: AccountReader | null;
  secret: SecretState;
}

export class Portfolio {
  readonly #ports: PortfolioPorts;
  readonly #included = new Map<string, Included>();
  /** Readers being closed, whose archives are still open. */
  readonly #closing = new Map<string, Promise<void>>();
  #stopped = false;
  /** What was last pushed of the connections and the lock, as text. */
  #pushed = '';
  /** What the session last showed of the keychain and of the secrets in it, as text. */
  #secretsSeen = '';

  constructor(ports: PortfolioPorts) {
    this.#ports = ports;
  }

  state(): PortfolioState {
    return {
      locked: this.#isLocked(),
      readings: [...this.#included].map(([connectionId, { reader, secret }]) => ({
        connectionId,
        secret,
        account: reader?.feeds.get('account') ?? EMPTY_FEED,
        contracts: reader?.contracts() ?? [],
        multipliers: reader?.multipliers() ?? {},
      })),
    };
  }

  /** The accounts that are being read, for the alerts. */
  readers(): readonly AccountReader[] {
    return [...this.#included.values()].flatMap(({ reader }) => (reader === null ? [] : [reader]));
  }

  /** Starts and closes readers so that they match the session. Call it after each change of the session. */
  follow(): void {
    const wanted = this.#wanted();
    for (const id of this.#included.keys()) if (!wanted.has(id)) void this.release(id);
    for (const summary of wanted.values()) if (!this.#included.has(summary.id)) this.#start(summary);
    this.#retrySecrets();
    // Readers push their own changes; the lock and the list change without one.
    const now = JSON.stringify([this.#isLocked(), [...this.#included.keys()]]);
    if (now === this.#pushed) return;
    this.#pushed = now;
    this.#ports.changed(this.state());
  }

  /** Closes a connection's reader. Resolves when its archive is closed. */
  async release(id: string): Promise<void> {
    const reader = this.#included.get(id)?.reader ?? null;
    this.#included.delete(id);
    if (reader !== null) {
      const closed = Promise.all([this.#closing.get(id), reader.close()]).then(() => {
        if (this.#closing.get(id) === closed) this.#closing.delete(id);
      });
      this.#closing.set(id, closed);
    }
    await this.#closing.get(id);
  }

  /** Loads the secret again if there was none, and reads now. */
  retry(id: string): void {
    const one = this.#included.get(id);
    if (one === undefined) return;
    one.reader?.retry();
    this.#retrySecret(one);
  }

  /** Returns the equity samples of an account that is read; null for any other. */
  async samples(
    id: string,
    ...query: Parameters<AccountReader['samples']>
  ): ReturnType<AccountReader['samples']> {
    return (await this.#included.get(id)?.reader?.samples(...query)) ?? null;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#included.keys(), ...this.#closing.keys()].map((id) => this.release(id)));
  }

  #wanted(): ReadonlyMap<string, ConnectionSummary> {
    if (this.#isLocked() || this.#stopped) return new Map();
    const { session } = this.#ports;
    const included = session
      .state()
      .connections.filter(
        ({ id, kind, settings }) => kind === 'live' && settings.portfolio === true && !session.isInUse(id),
      );
    return new Map(included.map((one) => [one.id, one]));
  }

  /** Whether the lock keeps secrets unloaded. */
  #isLocked(): boolean {
    return this.#ports.session.unloadsSecrets();
  }

  #start(summary: ConnectionSummary): void {
    const one: Included = { summary, reader: null, secret: 'waiting' };
    this.#included.set(summary.id, one);
    void this.#open(one);
  }

  /** Loads the secrets that could not be loaded once the keychain, or another secret in it, shows that it is back. */
  #retrySecrets(): void {
    const { keychain, connections } = this.#ports.session.state();
    // A prompt that ends may have been dismissed: another read would open the next one.
    if (keychain.state === 'waiting') return;
    const stored = connections.filter(({ secret }) => secret === 'stored').map(({ id }) => id);
    const seen = JSON.stringify([keychain.state, stored]);
    if (seen === this.#secretsSeen) return;
    this.#secretsSeen = seen;
    if (keychain.state === 'available') for (const one of this.#included.values()) this.#retrySecret(one);
  }

  #retrySecret(one: Included): void {
    if (one.reader !== null || one.secret === 'waiting') return;
    one.secret = 'waiting';
    void this.#open(one);
  }

  /** Loads the secret, which may wait for the user, and passes it to the reader only. */
  async #open(one: Included): Promise<void> {
    const { id, settings } = one.summary;
    await this.#ports.ready();
    await this.#closing.get(id);
    if (!this.#isCurrent(one)) return;
    const { state, secret } = await this.#ports.secrets.read(id, addressOf(settings));
    if (!this.#isCurrent(one)) return;
    one.secret = state;
    if (secret !== null)
      one.reader = new AccountReader(one.summary, secret, this.#ports.connection, (name) => {
        if (name !== 'openOrders') this.#ports.changed(this.state());
        this.#ports.read();
      });
    this.#ports.changed(this.state());
  }

  #isCurrent(one: Included): boolean {
    return this.#included.get(one.summary.id) === one;
  }
}
