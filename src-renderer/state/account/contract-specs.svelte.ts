import type { Calls } from '../../bridge.ts';
import type { Result } from '../../../src-shared/ipc/failures.ts';
import {
  contractKey,
  inferSpecs,
  type ContractSpecs,
  type MultiplierOf,
  type SpecsOverride,
} from '../../../src-shared/domain/instrument/specs.ts';
import { inferMultiplier } from '../../../src-shared/domain/instrument/multiplier.ts';
import { coinsBy, type ContractCoins } from '../../../src-shared/domain/instrument/currencies.ts';
import { NEWEST_FIRST, NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import {
  type Reference,
  referencesOf,
  type DatedPrice,
} from '../../../src-shared/domain/instrument/reference-prices.ts';
import { newestFill } from '../../../src-shared/domain/history/newest-fill.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import type { Feeds } from './feeds.svelte.ts';
import type { Settings } from '../session/settings.svelte.ts';

const NEWEST = 50;

/** Contract specs the exchange API does not publish, inferred from records, and reference prices. */
export class SpecsStore {
  #trades = $state.raw<ReadonlyMap<string, readonly Trade[]>>(new Map());
  /** Typed reference prices, with the time they were typed at (steady clock). */
  #typed = $state.raw<ReadonlyMap<string, DatedPrice>>(new Map());
  readonly #requested = new Set<string>();
  /** Memoised: each is inferred from up to a thousand records, and read many times between two polls. */
  readonly #known = new Map<string, { readonly inputs: readonly unknown[]; readonly specs: ContractSpecs }>();
  #connectionId: string | null = null;
  readonly #calls: Calls;
  readonly #clock: Clock;
  readonly #feeds: Feeds;
  readonly #settings: Settings;

  constructor(calls: Calls, clock: Clock, feeds: Feeds, settings: Settings) {
    this.#settings = settings;
    this.#calls = calls;
    this.#clock = clock;
    this.#feeds = feeds;
  }

  follow(connectionId: string): void {
    this.#connectionId = connectionId;
    this.#trades = new Map();
    this.#typed = new Map();
    this.#requested.clear();
    this.#known.clear();
  }

  /** Reads the newest own trades of a contract from the archive, once; call it when a contract is chosen. */
  async loadTrades(symbolId: string): Promise<void> {
    const connectionId = this.#connectionId;
    if (connectionId === null || this.#requested.has(symbolId)) return;
    this.#requested.add(symbolId);
    const filter = { ...NO_FILTER, symbols: [symbolId] };
    const result = await this.#calls.call('trades.page', {
      connectionId,
      filter,
      sort: NEWEST_FIRST,
      offset: 0,
      limit: NEWEST,
    });
    if (connectionId !== this.#connectionId) return;
    // Retried on the next call: the archive may not exist yet.
    if (!result.ok || result.data.rows.length === 0) this.#requested.delete(symbolId);
    else this.#trades = new Map(this.#trades).set(symbolId, result.data.rows);
  }

  /** Sets the user's reference price, valid for 60 s. */
  setPrice(symbolId: string, price: string): void {
    this.#typed = new Map(this.#typed).set(symbolId, { price, at: this.#clock.steadyNow() });
  }

  /** The user's override on the open connection or another one; null when there is none. */
  override(symbolId: string, connectionId = this.#connectionId ?? ''): SpecsOverride | null {
    return this.#settings.value.contracts[contractKey(connectionId, symbolId)] ?? null;
  }

  /** Returns a contract's coins, with the unit of a quantity; null if it is not in the configuration. */
  coinsOf(symbolId: string): ContractCoins | null {
    const config = this.#feeds.contractBySymbol.get(symbolId);
    return config === undefined ? null : coinsBy(config, this.of(symbolId).multiplier);
  }

  /** Returns the multiplier of `of` without the rest of the specs: each poll asks for that of every position. */
  readonly multiplier: MultiplierOf = (symbolId) =>
    this.override(symbolId)?.multiplier ??
    inferMultiplier(
      this.#feeds.contractBySymbol.get(symbolId),
      this.#feeds.positionsBySymbol.get(symbolId) ?? [],
      this.#feeds.historyBySymbol.get(symbolId) ?? [],
    );
  /** Returns the multipliers the user typed on a connection, whether or not it is the open one. */
  ownMultiplierOn(connectionId: string): MultiplierOf {
    return (symbolId) => this.override(symbolId, connectionId)?.multiplier;
  }

  /** Stores the user's override; null removes it, so the inferred specs apply again. */
  async setOverride(symbolId: string, override: SpecsOverride | null): Promise<Result<unknown>> {
    const key = contractKey(this.#connectionId ?? '', symbolId);
    const { [key]: _, ...others } = this.#settings.value.contracts;
    return this.#settings.change({ contracts: override === null ? others : { ...others, [key]: override } });
  }

  /** Returns the specs inferred from records, without the override. */
  inferred(symbolId: string): ContractSpecs {
    return this.#specs(symbolId, null);
  }

  /** Returns the specs in force; null fields are unknown. Reads state: use it inside `$derived`. */
  of(symbolId: string): ContractSpecs {
    return this.#specs(symbolId, this.override(symbolId));
  }

  /**
   * Returns `of` for one calculation, which reads the same contract many times: memoised as long as it runs. Reads all
   * records, so that a `$derived` that keeps it is calculated again when one of them changes.
   */
  reader(): (symbolId: string) => ContractSpecs {
    const { positionsBySymbol, openOrdersBySymbol, historyBySymbol, contractBySymbol } = this.#feeds;
    void [positionsBySymbol, openOrdersBySymbol, historyBySymbol, contractBySymbol];
    void [this.#trades, this.#settings.value.contracts];
    const seen = new Map<string, ContractSpecs>();
    return (symbolId) => {
      const known = seen.get(symbolId) ?? this.of(symbolId);
      seen.set(symbolId, known);
      return known;
    };
  }

  #specs(symbolId: string, own: SpecsOverride | null): ContractSpecs {
    const records = {
      positions: this.#feeds.positionsBySymbol.get(symbolId) ?? null,
      openOrders: this.#feeds.openOrdersBySymbol.get(symbolId) ?? null,
      history: this.#feeds.historyBySymbol.get(symbolId) ?? null,
      trades: this.#trades.get(symbolId) ?? null,
    };
    const contract = this.#feeds.contractBySymbol.get(symbolId);
    const inputs = [...Object.values(records), contract, own];
    const before = this.#known.get(symbolId);
    if (before?.inputs.every((one, index) => one === inputs[index]) === true) return before.specs;
    const specs = inferSpecs(symbolId, contract, records, own);
    this.#known.set(symbolId, { inputs, specs });
    return specs;
  }

  /** Returns the reference prices, best first. Reads the clock: use it inside `$derived`. */
  references(symbolId: string): readonly Reference[] {
    return referencesOf({
      symbolId,
      positions: this.#feeds.listed,
      positionsAt: this.#feeds.account.readAt,
      ownTrade: this.#ownTrade(symbolId),
      typed: this.#typedPrice(symbolId),
      now: this.#clock.now,
    });
  }

  #typedPrice(symbolId: string): DatedPrice | null {
    const typed = this.#typed.get(symbolId);
    if (typed === undefined) return null;
    return { price: typed.price, at: this.#clock.now - Math.max(0, this.#clock.steady - typed.at) };
  }

  #ownTrade(symbolId: string): DatedPrice | null {
    const orders = this.#feeds.historyBySymbol.get(symbolId) ?? [];
    const fill = newestFill(this.#trades.get(symbolId) ?? [], orders);
    return fill && { ...fill, at: this.#feeds.here(fill.at) };
  }
}
