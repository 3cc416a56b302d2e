import { type ContractCoins, coinsOf } from '../../../src-shared/domain/instrument/currencies.ts';
import { isHeld } from '../../../src-shared/exchange-api/values.ts';
import {
  marksOf,
  nearestLiquidation,
  type NearestLiquidation,
} from '../../../src-shared/domain/position/metrics.ts';
import type { Calls } from '../../bridge.ts';
import type { Asset, Position } from '../../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../../src-shared/exchange-api/symbol-config.ts';
import {
  EMPTY_FEED,
  freshness,
  isTooOld,
  type Feed,
  type FeedName,
  type Feeds as AllFeeds,
  type FeedUpdate,
  type LastAccount,
  type FeedValues,
  type Pause,
  type Freshness,
} from '../../../src-shared/ipc/feeds.ts';
import { isOn, isResting } from '../../../src-shared/exchange-api/enums.ts';
import { mayBeLimited } from '../../../src-shared/exchange-api/endpoints.ts';
import type { OpenOrder } from '../../../src-shared/exchange-api/open-order.ts';
import type { Failure, Result } from '../../../src-shared/ipc/failures.ts';
import type { Clock } from '../runtime/clock.svelte.ts';
import { byText } from '../../../src-shared/by-text.ts';
import { shareStructure } from '../runtime/structural-sharing.ts';

/** Every feed of main is newer. */
const UNREAD = { ...EMPTY_FEED, serial: -1 };

/** One polled resource: the last good reply and how old it is. */
export class FeedState<K extends FeedName> {
  feed = $state.raw<Feed<FeedValues[K]>>(UNREAD);
  readonly name: K;
  readonly #clock: Clock;

  constructor(name: K, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  readonly value: FeedValues[K] | null = $derived(this.feed.value);
  readonly failure: Failure | null = $derived(this.feed.failure);
  /** Time of the reply, by the steady clock. */
  #repliedAt = $state.raw(0);
  /** ms since the last good reply; null before the first. */
  readonly age: number | null = $derived.by(() => {
    const { age } = this.feed;
    return age === null ? null : age + Math.max(0, this.#clock.steady - this.#repliedAt);
  });
  /** Time of the last good reply, by the window's clock. */
  readonly readAt: number | null = $derived.by(() => (this.age === null ? null : this.#clock.now - this.age));
  readonly freshness: Freshness = $derived.by(() => freshness(this.feed, this.name, this.age));
  /** Values are stale: shown with a mark, never hidden. */
  readonly old: boolean = $derived(this.freshness !== 'fresh' && this.freshness !== 'loading');
  /** The data is too old to send orders on. */
  readonly blocksOrders: boolean = $derived.by(() => isTooOld(this.feed, this.name, this.age));

  replace(feed: Feed<FeedValues[K]>): void {
    // A late reply never replaces a newer one.
    if (feed.serial < this.feed.serial) return;
    const { value, receivedAt } = this.feed;
    // Where the first read fails, what was read before the connection was opened stays.
    const isKept = feed.value === null && value !== null;
    const kept = isKept ? { value, receivedAt, age: this.age, stored: true as const } : null;
    this.#repliedAt = this.#clock.steadyNow();
    this.feed = { ...feed, value: shareStructure(value, feed.value), ...kept };
  }
  /** Shows what an earlier run read at `readAt`, by the wall clock, until this run has read it. */
  showStored(value: FeedValues[K], readAt: number): void {
    if (this.feed.value !== null) return;
    this.#repliedAt = this.#clock.steadyNow();
    const age = Math.max(0, this.#clock.time.now() - readAt);
    this.feed = { ...this.feed, value, receivedAt: readAt, age, stored: true };
  }
  forget(): void {
    this.feed = UNREAD;
  }
}

const stateOf = <K extends FeedName>(
  feeds: { readonly [N in FeedName]: FeedState<N> },
  name: K,
): FeedState<K> => feeds[name];

/** The feeds of the open connection, and the active connection's account from an earlier run. */
export type FeedReplies = readonly [Promise<Result<AllFeeds>>, Promise<Result<LastAccount | null>>];
export const feedReplies = (calls: Calls): FeedReplies => [
  calls.call('feeds.get', undefined),
  calls.call('feeds.last', undefined),
];

const bySymbol = <R extends { readonly symbolId: string }>(
  rows: readonly R[] | null,
): ReadonlyMap<string, readonly R[]> => Map.groupBy(rows ?? [], (one) => one.symbolId);

/** All polled resources of the open connection. */
export class Feeds {
  readonly account: FeedState<'account'>;
  readonly openOrders: FeedState<'openOrders'>;
  readonly history: FeedState<'history'>;
  readonly contracts: FeedState<'contracts'>;
  clockOffsetMs = $state.raw<number | null>(null);
  /** The last pause main reported; one whose end has passed no longer applies. */
  #pause = $state.raw<Pause>(null);
  drift = $state.raw<AllFeeds['drift']>([]);
  #connectionId: string | null = null;
  readonly #calls: Calls;
  readonly #clock: Clock;

  constructor(calls: Calls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
    this.account = new FeedState('account', clock);
    this.openOrders = new FeedState('openOrders', clock);
    this.history = new FeedState('history', clock);
    this.contracts = new FeedState('contracts', clock);
  }

  /** The exchange asked Ballast to wait: nothing is requested or sent until then. */
  readonly pause: Pause = $derived.by(() =>
    typeof this.#pause === 'number' && this.#pause <= this.#clock.now ? null : this.#pause,
  );
  /** All records, also those of quantity 0, which have a mark. */
  readonly listed: readonly Position[] = $derived.by(() => this.account.value?.positions ?? []);
  /** Positions that are held; the same list as `listed` if all are, so that equal lists of two polls stay equal. */
  readonly positions: readonly Position[] = $derived.by(() =>
    this.listed.every(isHeld) ? this.listed : this.listed.filter(isHeld),
  );
  readonly nearest: NearestLiquidation | null = $derived.by(() => nearestLiquidation(this.positions));
  readonly assets: readonly Asset[] = $derived.by(() => this.account.value?.assets ?? []);
  /** Returns how many records of the account cannot be read: they are in no list, so an empty one claims nothing. */
  unread(kind?: 'asset' | 'position'): number {
    return (this.account.feed.unreadable ?? []).filter(({ record }) => kind === undefined || record === kind)
      .length;
  }
  readonly contractBySymbol: ReadonlyMap<string, SymbolConfig> = $derived.by(
    () => new Map((this.contracts.value ?? []).map((one) => [one.symbolId, one])),
  );

  /** The contracts to choose from: those with a position first, then by name. */
  readonly choosable: readonly SymbolConfig[] = $derived.by(() => {
    const isFree = ({ symbolId }: SymbolConfig): boolean => !this.positionsBySymbol.has(symbolId);
    return (this.contracts.value ?? []).toSorted(byText((one) => `${isFree(one)} ${one.symbolId}`));
  });

  /** Returns a contract's coins; null if it is not in the configuration. */
  coinsOf(symbolId: string): ContractCoins | null {
    const config = this.contractBySymbol.get(symbolId);
    return config === undefined ? null : coinsOf(config);
  }

  /** Returns a contract's base coin; of one that is not in the configuration, what its symbol begins with. */
  baseOf(symbolId: string): string {
    return this.coinsOf(symbolId)?.base ?? symbolId.split('-')[0] ?? symbolId;
  }

  /** Converts a time of the exchange's clock to this computer's, which ages are based on. */
  here(time: number): number {
    return time - (this.clockOffsetMs ?? 0);
  }

  /** Whether the reply has as many open orders as one reply may hold; there may be more. */
  readonly openOrdersFull: boolean = $derived.by(() => {
    const { value, feed } = this.openOrders;
    return mayBeLimited((value?.length ?? 0) + (feed.unreadable?.length ?? 0));
  });

  /** The listed orders that were neither filled nor cancelled. */
  readonly resting: readonly OpenOrder[] = $derived.by(() => (this.openOrders.value ?? []).filter(isResting));
  /** Changes when a resting order comes, goes or fills further. */
  readonly restingDue: string = $derived.by(() =>
    JSON.stringify(this.resting.map((one) => [one.orderId, one.tradeQuantity])),
  );
  /** Resting orders that can open a position or increase one. */
  readonly openingOrders = $derived.by(() =>
    this.resting.filter(({ reduceOnly }) => reduceOnly === null || !isOn(reduceOnly)),
  );

  /** Marks by contract: of those that the account lists. */
  readonly marks: ReadonlyMap<string, string> = $derived.by(() => marksOf(this.listed));

  /** Grouped once, so that a lookup does not scan all records. */
  readonly positionsBySymbol = $derived.by(() => bySymbol(this.positions));
  readonly openOrdersBySymbol = $derived.by(() => bySymbol(this.openOrders.value));
  readonly historyBySymbol = $derived.by(() => bySymbol(this.history.value));

  /** Drops all data of the previous connection, so that it is never shown under another name. */
  async follow(connectionId: string, [reply, last]: FeedReplies = feedReplies(this.#calls)): Promise<void> {
    this.#connectionId = connectionId;
    for (const one of [this.account, this.openOrders, this.history, this.contracts]) one.forget();
    this.clockOffsetMs = null;
    this.#pause = null;
    this.drift = [];
    const isFollowed = (id: string): boolean => id === connectionId && id === this.#connectionId;
    // Each as it arrives: a push that comes between the two is newer than the first.
    await Promise.all([
      reply.then((result) => {
        if (result.ok && isFollowed(result.data.connectionId)) this.#take(result.data);
      }),
      last.then((stored) => {
        if (!stored.ok || stored.data === null || !isFollowed(stored.data.connectionId)) return;
        this.account.showStored(stored.data.value, stored.data.readAt);
      }),
    ]);
  }

  #take({ account, openOrders, history, contracts, ...more }: AllFeeds): void {
    this.account.replace(account);
    this.openOrders.replace(openOrders);
    this.history.replace(history);
    this.contracts.replace(contracts);
    this.clockOffsetMs = more.clockOffsetMs;
    this.#pause = more.pausedUntil;
    this.drift = more.drift;
  }

  receive<K extends FeedName>({ connectionId, name, feed }: FeedUpdate<K>): void {
    if (connectionId === this.#connectionId) stateOf(this, name).replace(feed);
  }

  receiveClock(connectionId: string, offsetMs: number): void {
    if (connectionId === this.#connectionId) this.clockOffsetMs = offsetMs;
  }

  receivePause(connectionId: string, until: Pause): void {
    if (connectionId === this.#connectionId) this.#pause = until;
  }

  /** Requests a read from main; the result arrives as a push. */
  async refresh(name: FeedName): Promise<void> {
    await this.#calls.call('feeds.refresh', { name });
  }
}
