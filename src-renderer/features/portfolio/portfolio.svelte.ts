/**
 * State of the Portfolio screen: a row for each live account. The open connection's row uses its own feeds; the others
 * come from the main process, which reads them at a slow interval by clients that cannot send.
 */
import { type Amount, calculated, greater, less, ZERO } from '../../../src-shared/amount.ts';
import type { AccountInfo } from '../../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../../src-shared/exchange-api/symbol-config.ts';
import type { ConnectionSummary } from '../../../src-shared/ipc/connections.ts';
import type { PortfolioState } from '../../../src-shared/ipc/portfolio.ts';
import {
  type AccountIdentity,
  compareAccounts,
  uidOf,
} from '../../../src-shared/domain/reconcile/account-identity.ts';
import type { MultiplierOf } from '../../../src-shared/domain/instrument/specs.ts';
import { sharedContracts } from '../../../src-shared/domain/portfolio/shared-contracts.ts';
import {
  coinSums,
  lacksBalance,
  type PortfolioAccount,
  shareOfTotal,
  totalIn,
  convertedTo,
  accountTotal,
  type TypedRate,
} from '../../../src-shared/domain/portfolio/sums.ts';
import { type WorstRatio, worstRatio } from '../../../src-shared/domain/portfolio/worst-ratio.ts';
import { headroomOf } from '../../../src-shared/domain/margin/severity.ts';
import { nearestLiquidation } from '../../../src-shared/domain/position/metrics.ts';
import { FeedState } from '../../state/account/feeds.svelte.ts';
import type { AppState } from '../../state/app/app-state.svelte.ts';
import { addressOf } from '../../state/session/base-address.ts';
import { statusOf, type AccountStatus } from './account-status.ts';

type Nearest = NonNullable<ReturnType<typeof nearestLiquidation>>;

export interface AccountRow extends PortfolioAccount {
  readonly connection: ConnectionSummary;
  readonly isOpen: boolean;
  readonly included: boolean;
  readonly status: AccountStatus;
  /** Name of the row that is counted instead: two connections may have keys of the same account. */
  readonly duplicateOf: string | null;
  readonly feed: FeedState<'account'> | null;
  /** As last read; null unless its status allows it to be valued. */
  readonly account: AccountInfo | null;
  /** Whether its figures are stale. */
  readonly old: boolean;
  /** Value of its coins in the total’s unit; null if unknown. `estimate`: it depends on typed rates. */
  readonly total: string | null;
  readonly estimate: boolean;
  /** Whether a coin or a figure is missing from `total`. */
  readonly partial: boolean;
  /** Unrealised PnL in the coin the total is in. */
  readonly unrealised: string | null;
  readonly ratio: WorstRatio | null;
  readonly nearest: Nearest | null;
}

export class PortfolioView {
  readonly #app: AppState;
  /** Null until loaded. */
  #state = $state.raw<PortfolioState | null>(null);
  /** Changed only together with the state. */
  readonly #feeds = new Map<string, FeedState<'account'>>();

  constructor(app: AppState) {
    this.#app = app;
  }

  /** Loads the readings and follows them. Returns the function that stops it. */
  start(): () => void {
    const end = this.#app.calls.on('portfolio', (state) => this.#receive(state));
    void this.#app.calls.call('portfolio.get', undefined).then((result) => {
      if (result.ok) this.#receive(result.data);
      else this.#app.notices.fail(result.failure);
    });
    return end;
  }

  readonly unit: string = $derived.by(() => this.#app.settings.value.portfolio.unit);
  /** Coins in which the total can be shown. */
  readonly units: readonly string[] = $derived.by(() => [
    ...new Set([this.unit, ...this.sums.map(({ coin }) => coin)]),
  ]);
  readonly rows: readonly AccountRow[] = $derived.by(() =>
    markDuplicates(
      this.#app.session.connections.filter(({ kind }) => kind === 'live').map((one) => this.#row(one)),
    ),
  );
  readonly included: readonly AccountRow[] = $derived(
    this.rows.filter((one) => one.included && one.duplicateOf === null),
  );
  readonly read: readonly AccountRow[] = $derived(this.included.filter((one) => one.account !== null));

  readonly sums = $derived(coinSums(this.included));
  readonly total = $derived.by(() => totalIn(this.unit, this.included, this.sums, this.#rates));
  /** What the total lacks: accounts that are not read, balances that cannot be read, coins without a rate. */
  readonly notIncluded: readonly string[] = $derived.by(() => [
    ...this.included.flatMap((one, at) =>
      one.account === null
        ? [one.name]
        : [
            ...this.sums.flatMap(({ coin, parts }) => (parts[at] === null ? [`${coin} of ${one.name}`] : [])),
            ...(lacksBalance(one) ? [`a balance of ${one.name}`] : []),
          ],
    ),
    ...this.total.leftOut,
  ]);
  /** Unrealised PnL in the total's coin only; null if no account is read, or none says it. */
  readonly unrealised: string | null = $derived.by(() =>
    this.read.length === 0 ? null : this.#unrealised === undefined ? '0' : this.#unrealised.sum,
  );
  readonly #unrealised = $derived.by(() =>
    coinSums(this.included, 'profitUnreal').find(({ coin }) => coin === this.unit),
  );
  /** Accounts that it lacks: not read, or without a figure that can be read. */
  readonly unrealisedWithout: readonly string[] = $derived.by(() =>
    this.included
      .filter((one, at) => one.account === null || this.#unrealised?.parts[at] === null || lacksBalance(one))
      .map(({ name }) => name),
  );
  /** Contracts of the live connections, the open one's first; never of practice: the two are not mixed. */
  readonly #contracts: ReadonlyMap<string, SymbolConfig> = $derived.by(() => {
    const beside = this.#state?.readings.flatMap(({ contracts }) => contracts) ?? [];
    const open = this.#app.session.kind === 'live' ? this.#app.feeds.contractBySymbol : [];
    return new Map([...beside.map((one) => [one.symbolId, one] as const), ...open]);
  });
  /** Returns the multipliers on an account: the user's, else what its records show. */
  #multiplierOn(id: string): MultiplierOf {
    const { specs, session } = this.#app;
    if (id === session.activeId) return specs.multiplier;
    const own = specs.ownMultiplierOn(id);
    const shown = this.#state?.readings.find(({ connectionId }) => connectionId === id)?.multipliers;
    return (symbolId) => own(symbolId) ?? shown?.[symbolId];
  }
  readonly shared = $derived.by(() =>
    sharedContracts(
      this.included,
      (symbolId) => this.#contracts.get(symbolId),
      ({ id }) => this.#multiplierOn(id),
    ),
  );

  /** Whether an account has a ratio that is not known, which may be worse. */
  readonly hasUnrated: boolean = $derived(
    this.read.some(({ ratio }) => ratio !== null && ratio.unrated.length > 0),
  );
  /** The worst of the known ratios. */
  readonly worst: AccountRow | null = $derived(
    best(
      this.read,
      (a, b) => greater(shareIn(a.ratio), shareIn(b.ratio)),
      ({ ratio }) => ratio?.share ?? null,
    ),
  );
  readonly nearest: AccountRow | null = $derived(
    best(
      this.read,
      (a, b) => less(distanceOf(a), distanceOf(b)),
      ({ nearest }) => nearest?.share ?? null,
    ),
  );
  readonly oldest: AccountRow | null = $derived.by(() =>
    best(
      this.read,
      (a, b) => (a.feed?.age ?? 0) > (b.feed?.age ?? 0),
      ({ id }) => id,
    ),
  );

  shareOf(row: AccountRow): string | null {
    return row.included && row.duplicateOf === null ? shareOfTotal(row.total, this.total.value) : null;
  }
  converted(coin: string, held: string | null): string | null {
    return convertedTo(this.unit, coin, held, this.#rates);
  }
  /** Returns the rate the user typed for a coin, or null. */
  rateOf(coin: string): TypedRate | null {
    return Object.hasOwn(this.#rates, coin) ? (this.#rates[coin] ?? null) : null;
  }

  /** Stores a rate with its time; an empty text removes it. */
  async setRate(coin: string, rate: string): Promise<void> {
    const { [coin]: _, ...others } = this.#rates;
    const at = Math.floor(this.#app.clock.now);
    const rates = rate === '' ? others : { ...others, [coin]: { rate, at } };
    await this.#app.changeSettings({ portfolio: { unit: this.unit, rates } });
  }
  /** Changes the unit and drops the typed rates, which are prices in the old one. */
  async setUnit(unit: string): Promise<void> {
    if (unit !== this.unit) await this.#app.changeSettings({ portfolio: { unit, rates: {} } });
  }

  async include(connectionId: string, included: boolean): Promise<void> {
    await this.#app.run('portfolio.include', { connectionId, included });
  }
  async retry(row: AccountRow): Promise<void> {
    if (row.isOpen) await this.#app.feeds.refresh('account');
    else await this.#app.calls.call('portfolio.retry', { connectionId: row.id });
  }
  /** Opens the connection, then the given position. */
  async open(row: AccountRow, position: Nearest['position'] | null = null): Promise<void> {
    if (!row.isOpen) await this.#app.selectConnection(row.id);
    if (position !== null && this.#app.session.activeId === row.id)
      this.#app.navigation.go('positions', position);
  }

  get #rates() {
    return this.#app.settings.value.portfolio.rates;
  }

  #receive(state: PortfolioState): void {
    const ids = new Set(state.readings.map((one) => one.connectionId));
    for (const id of this.#feeds.keys()) if (!ids.has(id)) this.#feeds.delete(id);
    for (const { connectionId, account } of state.readings) {
      let feed = this.#feeds.get(connectionId);
      // A new reader starts at serial 0, and may read another account under the same id.
      if (feed === undefined || account.serial === 0) {
        feed = new FeedState('account', this.#app.clock);
        this.#feeds.set(connectionId, feed);
      }
      feed.replace(account);
    }
    this.#state = state;
  }

  #row(connection: ConnectionSummary): AccountRow {
    const { id, settings } = connection;
    const isOpen = id === this.#app.session.activeId;
    const included = settings.portfolio === true;
    const reading = this.#state?.readings.find((one) => one.connectionId === id);
    const feed = isOpen ? this.#app.feeds.account : (this.#feeds.get(id) ?? null);
    const status = statusOf({
      isOpen,
      included,
      locked: this.#state?.locked ?? false,
      secret: reading?.secret ?? 'waiting',
      failure: feed?.failure ?? null,
      isRead: feed !== null && feed.value !== null,
      freshness: feed?.freshness ?? 'loading',
    });
    const account = status === 'polling' || status === 'stale' ? (feed?.value ?? null) : null;
    const unreadable = feed?.feed.unreadable;
    const own = { connection, id, name: settings.name, isOpen, included, status, feed, account, unreadable };
    const total = accountTotal(this.unit, own, this.#rates);
    return {
      ...own,
      duplicateOf: null,
      old: status === 'stale',
      total: total.value,
      estimate: total.estimate,
      partial: account !== null && !total.complete,
      ...(account === null
        ? { unrealised: null, ratio: null, nearest: null }
        : {
            unrealised: unrealisedIn(this.unit, account),
            ratio: worstRatio(account, settings.ratioUnit),
            nearest: nearestLiquidation(account.positions),
          }),
    };
  }
}

/** Marks rows whose account an earlier row has, so that it is counted once. */
function markDuplicates(rows: readonly AccountRow[]): AccountRow[] {
  const counted: AccountRow[] = [];
  return rows.map((row) => {
    if (!row.included) return row;
    const first = counted.find((one) => compareAccounts(identityOf(one), identityOf(row)) === 'same');
    if (first === undefined) counted.push(row);
    return first === undefined ? row : { ...row, duplicateOf: first.name };
  });
}
const identityOf = ({ connection: { settings }, account }: AccountRow): AccountIdentity => ({
  address: addressOf(settings.baseUrl),
  key: settings.apiKey,
  uid: uidOf(account?.positions ?? []),
});

/** Returns the row that isBetter all others, of those that have a value. */
function best(
  rows: readonly AccountRow[],
  isBetter: (a: AccountRow, b: AccountRow) => boolean,
  value: (row: AccountRow) => string | null,
): AccountRow | null {
  let found: AccountRow | null = null;
  for (const row of rows) if (value(row) !== null && (found === null || isBetter(row, found))) found = row;
  return found;
}
const shareIn = (ratio: WorstRatio | null): Amount => calculated(ratio?.share ?? '0');
const distanceOf = ({ nearest }: AccountRow): Amount =>
  nearest === null ? ZERO : headroomOf(calculated(nearest.share), nearest.position.side);

function unrealisedIn(unit: string, account: AccountInfo): string | null {
  const [held] = coinSums([{ id: '', name: '', account }], 'profitUnreal').filter(
    ({ coin }) => coin === unit,
  );
  return held === undefined ? '0' : (held.parts[0] ?? null);
}
