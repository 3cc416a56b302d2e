import type { Calls } from '../../bridge.ts';
import type { SecretUse, SessionState, TradingLock } from '../../../src-shared/ipc/calls.ts';
import type { ConnectionSummary, KeychainState } from '../../../src-shared/ipc/connections.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';

/** The connections, which one is open, and whether it can trade. */
export class Session {
  /** Replaced as a whole by main; null until it is loaded. */
  state = $state.raw<SessionState | null>(null);
  /** Why loading failed. */
  failure = $state.raw<Failure | null>(null);
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  readonly connections: readonly ConnectionSummary[] = $derived(this.state?.connections ?? []);
  readonly activeId: string | null = $derived(this.state?.activeId ?? null);
  /** Identifies the account that the open connection reads; null while none is open. */
  readonly account: string | null = $derived(this.state?.account ?? null);
  /** Identifies the open connection and its account: what is found out about one is never shown of another. */
  readonly opened: string = $derived(`${this.activeId ?? ''} ${this.account ?? ''}`);
  readonly active: ConnectionSummary | null = $derived(
    this.connections.find((one) => one.id === this.activeId) ?? null,
  );
  readonly kind: 'practice' | 'live' | null = $derived(this.active?.kind ?? null);
  /** The key of shortcuts, as it is named on this system. */
  readonly control: string = $derived(this.state?.app.platform === 'darwin' ? '⌘' : 'Ctrl');
  /** LIVE or PRACTICE, as the badge shows it. */
  readonly badge: string = $derived(this.kind === 'practice' ? 'PRACTICE' : 'LIVE');
  readonly name: string = $derived(this.active?.settings.name ?? '');
  /** Returns a connection's name; null for one that was removed. */
  nameOf(id: string): string | null {
    return this.connections.find((one) => one.id === id)?.settings.name ?? null;
  }
  /** Returns a text about a connection, or about none, with its name in front unless it is the open one. */
  named(id: string | null, text: string): string {
    return id === null || id === this.activeId ? text : `${this.nameOf(id) ?? 'Removed connection'}: ${text}`;
  }
  /** The exchange's page, to be opened in the browser; null if none is set. */
  readonly pageUrl: string | null = $derived(this.active?.settings.pageUrl ?? null);
  /** Where a resting order can be cancelled: the exchange API has no request for it, the practice exchange has. */
  readonly cancelPlace: string = $derived(
    this.kind === 'practice' ? 'in Open orders' : 'on the exchange’s website',
  );
  /** How leverage and margin mode are set: the exchange API has no request for it. */
  readonly leverageRule: string = $derived(
    this.kind === 'practice' ? 'fixed on the practice exchange' : 'set on the exchange’s website',
  );
  /** Returns the look of a button that sends: on practice it is never that of real money. */
  sendVariant<V extends string | undefined>(live: V): V | 'practice' {
    return this.kind === 'practice' ? 'practice' : live;
  }
  readonly locked: boolean = $derived(this.state?.locked ?? false);
  /** Whether orders are blocked only because trading was never unlocked on this live connection. */
  readonly neverUnlocked: boolean = $derived(
    this.state?.neverUnlocked === true && this.active?.settings.readOnly === false && this.active.verified,
  );
  /** Whether the open connection's API secret is loaded, and if not, why. */
  readonly secretUse: SecretUse = $derived(this.state?.secretUse ?? 'in-use');
  readonly keychain: KeychainState | null = $derived(this.state?.keychain ?? null);

  /** Whether the banner of an unavailable keychain was closed for this run; the status bar then keeps a mark. */
  hidesKeychain = $state(false);
  readonly keychainHidden: boolean = $derived(this.hidesKeychain && this.keychain?.state === 'unavailable');

  /** Why nothing could be sent on this connection even without the lock; null when it could. */
  readonly offUnlocked: string | null = $derived.by(() => {
    const one = this.active;
    if (one === null) return 'No connection is open';
    if (one.settings.readOnly) return 'This connection is read-only';
    if (one.secret === 'missing') return 'The secret is missing from the keychain';
    if (one.secret === 'waiting')
      return 'The keychain has not responded yet. It may be asking for a password';
    if (one.secret === 'unavailable') return 'The keychain is unavailable';
    return one.verified ? null : 'Trading is off until a test of this connection succeeds';
  });
  /** Why nothing can be sent on this connection; null when it can. Does not include the feeds. */
  readonly tradingOff: string | null = $derived.by(() => {
    const other = this.offUnlocked;
    // The lock of a new connection comes last: unlocking it does not help while anything else is missing.
    const first = this.active?.settings.readOnly === false && this.state?.neverUnlocked !== true;
    return this.locked && (other === null || first) ? 'Trading is locked' : other;
  });

  replace(state: SessionState): void {
    this.state = state;
    this.failure = null;
  }

  async load(): Promise<void> {
    const result = await this.#calls.call('session.get', undefined);
    if (result.ok) this.replace(result.data);
    else this.failure = result.failure;
  }

  async select(connectionId: string): Promise<Result<SessionState>> {
    return this.#take(await this.#calls.call('connections.select', { connectionId }));
  }

  /** May wait for the keychain; a later call overtakes it. */
  async setLock(lock: TradingLock): Promise<Result<SessionState>> {
    return this.#take(await this.#calls.call('trading.setLock', { lock }));
  }
  /** Withdraws an unlocking that may be waiting for the keychain. */
  async stayLocked(): Promise<Result<SessionState>> {
    return this.#take(await this.#calls.call('trading.stayLocked', undefined));
  }

  #take(result: Result<SessionState>): Result<SessionState> {
    if (result.ok) this.replace(result.data);
    return result;
  }
}
