/**
 * Reads one account beside the open connection, at a slow interval, by a client that cannot send. Records equity samples
 * in the connection's archive, which it owns: the file may be open only once.
 */
import type { ConnectionSummary, SecretInput } from '../../src-shared/ipc/connections.ts';
import type { Result } from '../../src-shared/ipc/failures.ts';
import type { FeedName } from '../../src-shared/ipc/feeds.ts';
import { PORTFOLIO_INTERVAL_FACTOR } from '../../src-shared/ipc/portfolio.ts';
import type { AccountInfo } from '../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../src-shared/exchange-api/symbol-config.ts';
import { inferMultiplier } from '../../src-shared/domain/instrument/multiplier.ts';
import { exchangeTime } from '../../src-shared/time.ts';
import type { Archive } from '../archive/archive.ts';
import type { ConnectionServices } from '../session/live-connection.ts';
import { EquityRecorder } from '../sync/equity-recorder.ts';
import { FeedSet, intervalFactorOf } from '../sync/feeds.ts';
import { newestOrders } from '../sync/newest-orders.ts';
import { RequestLimiter } from '../sync/request-limiter.ts';
import { type ReadClient, readsOf } from './read-client.ts';

/** The part of an archive that stores equity. */
export type EquityArchive = Pick<
  Archive,
  'movedAside' | 'lastSample' | 'addSample' | 'samples' | 'bindUser' | 'close'
>;

/** What a reader uses of the services of connections. */
export interface ReaderServices extends Pick<ConnectionServices, 'limitOf' | 'clock' | 'timers' | 'notice'> {
  readonly client: (summary: ConnectionSummary, secret: SecretInput, onDrift: () => void) => ReadClient;
  readonly openArchive: (summary: ConnectionSummary) => Promise<Result<EquityArchive>>;
}

export class AccountReader {
  readonly id: string;
  readonly feeds: FeedSet;
  readonly #services: ReaderServices;
  readonly #client: ReadClient;
  readonly #limiter: RequestLimiter;
  readonly #archive: Promise<EquityArchive | null>;
  #recorder: EquityRecorder | null = null;
  /** Whether the archive is this account's or another's; null until a record shows the user id. */
  #owner: 'same' | 'other' | null = null;
  #closed = false;
  /** The positions as last read, as text, to find changes; null before the first read. */
  #positions: string | null = null;

  constructor(
    summary: ConnectionSummary,
    secret: SecretInput,
    services: ReaderServices,
    changed: (name: FeedName) => void,
  ) {
    this.id = summary.id;
    this.#services = services;
    const { clock, timers } = services;
    const client = readsOf(services.client(summary, secret, () => undefined));
    this.#client = client;
    this.#limiter = new RequestLimiter(services.limitOf(summary.settings.baseUrl), clock);
    this.feeds = new FeedSet({
      intervalFactor: () => PORTFOLIO_INTERVAL_FACTOR * intervalFactorOf(summary.settings),
      reads: {
        account: () => client.account(),
        openOrders: () => client.openOrders({}),
        history: newestOrders(client, clock),
        contracts: () => client.symbolConfig(),
      },
      limiter: this.#limiter,
      clock,
      timers,
      changed: (name) => {
        if (name === 'account') this.#accountRead();
        changed(name);
      },
    });
    this.#archive = this.#openArchive(summary);
    this.feeds.start();
  }

  /** The configuration of the contracts that the account lists. */
  contracts(): readonly SymbolConfig[] {
    const listed = new Set(this.feeds.get('account').value?.positions.map(({ symbolId }) => symbolId));
    return (this.feeds.get('contracts').value ?? []).filter(({ symbolId }) => listed.has(symbolId));
  }

  multipliers(): Readonly<Record<string, string>> {
    const { account, history } = this.feeds.all();
    const shown = this.contracts().flatMap((config) => {
      const isOf = (one: { readonly symbolId: string }): boolean => one.symbolId === config.symbolId;
      const positions = (account.value?.positions ?? []).filter(isOf);
      const found = inferMultiplier(config, positions, (history.value ?? []).filter(isOf));
      return found === null ? [] : [[config.symbolId, found] as const];
    });
    return Object.fromEntries(shown);
  }

  /** Reads now at the user's request, ignoring the backoff. */
  retry(): void {
    this.#limiter.resume();
    this.feeds.refresh('account');
  }

  /** Returns equity samples; null without an archive of this account. */
  async samples(
    ...query: Parameters<EquityArchive['samples']>
  ): Promise<Awaited<ReturnType<EquityArchive['samples']>> | null> {
    const archive = await this.#archive;
    return archive === null || this.#owner === 'other' ? null : archive.samples(...query);
  }

  /** Stops reading, wipes the secret and closes the archive. */
  async close(): Promise<void> {
    this.#closed = true;
    this.feeds.stop();
    await this.#client.close();
    const archive = await this.#archive;
    await this.#recorder?.stop();
    await archive?.close();
  }

  /** Opens the connection's archive; null if it cannot be opened. */
  async #openArchive(summary: ConnectionSummary): Promise<EquityArchive | null> {
    try {
      const opened = await this.#services.openArchive(summary);
      if (!opened.ok) return null;
      const { movedAside } = opened.data;
      if (movedAside !== null)
        this.#services.notice(movedAside, 'Open the connection to download a new one from the exchange.');
      return opened.data;
    } catch {
      // The account is read without an archive. Opening the connection shows why.
      return null;
    }
  }

  #accountRead(): void {
    const account = this.feeds.current('account');
    if (account === null) return;
    const positions = JSON.stringify(
      account.positions.map((one) => [one.positionId, one.quantity, one.side]),
    );
    // A fill or a liquidation shows in positions first; alerts take its details from the order history.
    if (this.#positions !== null && positions !== this.#positions) this.feeds.refresh('history');
    this.#positions = positions;
    void this.#record(account, exchangeTime(this.#services.clock, this.#client));
  }

  async #record(account: AccountInfo, at: number): Promise<void> {
    const archive = await this.#archive;
    if (archive === null || !(await this.#isOwn(archive)) || this.#closed) return;
    this.#recorder ??= new EquityRecorder(archive);
    this.#recorder.record(account, at);
  }

  /** Reports whether the archive is this account's, as far as records show. Opening the connection moves another's aside. */
  async #isOwn(archive: EquityArchive): Promise<boolean> {
    if (this.#owner !== null) return this.#owner === 'same';
    const uid = this.feeds.userId();
    if (uid === null) return true;
    const bound = await archive.bindUser(uid);
    if (bound.ok) this.#owner = bound.data;
    return this.#owner === 'same';
  }
}
