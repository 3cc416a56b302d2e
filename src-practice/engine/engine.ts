/**
 * The exchange as a pure state machine: a seed, a start and timed requests go in, replies come out. It reads no
 * clock and does no I/O, so the same inputs give the same bytes. Every method takes its time (milliseconds since
 * 1970 of the exchange's clock); times never run back.
 */
import { accountRecord } from './account-record.ts';
import { Clock } from './clock.ts';
import { configText } from './config-text.ts';
import { contractTable } from './contract-list.ts';
import { parseShare } from './contracts.ts';
import { ACCOUNT } from './ledger.ts';
import { fireTriggers } from './fire-triggers.ts';
import { fallDue } from './fall-due.ts';
import { openOrderRecord, orderHistoryRecord, tradeRecord } from './order-records.ts';
import { CANCEL_USER, orderId, orderSeq, type PositionMode } from './orders.ts';
import { place, placeBatch } from './place.ts';
import { shockProcess } from './process.ts';
import {
  findOrders,
  findTrades,
  openOrders,
  type OrderFilter,
  type Ordering,
  type TradeFilter,
} from './queries.ts';
import type { Recorder, Timed } from './recording.ts';
import { accept, orderRequest, reject, type Checked, type OrderRequest } from './request.ts';
import { pastBegins, seedAccount } from './seed-account.ts';
import { pastOf, type Past } from './saved-account.ts';
import { restoreWorld, saveWorld, type SavedWorld } from './saved-world.ts';
import { cancelOrder } from './settle.ts';
import { showPrices } from './steps.ts';
import { quote } from './traders.ts';
import type { Account, Market, TierConvention, World } from './world.ts';
import { startWorld } from './world-start.ts';
import type { MarginMode } from '../../src-shared/exchange-api/enums.ts';

export interface EngineOptions {
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Trades of the account's past; with 0 there are only deposits, positions and resting orders. */
  readonly history: number;
  readonly convention: TierConvention;
  /** At least 1; contracts beyond the standard table are generated. */
  readonly contracts: number;
  /** Order of rows in lists; `tradeOrder` is that of trades where it differs. */
  readonly order: Ordering;
  readonly tradeOrder?: Ordering;
  /** One-way by default. */
  readonly positionMode?: PositionMode;
  /** Open orders an account may have; 1,000 by default. */
  readonly restingLimit?: number;
  /** Whether the list of open orders also has the newest of those that ended. */
  readonly listsEnded?: boolean;
}

export interface SavedEngine {
  readonly steppedAt: number;
  readonly world: SavedWorld;
}

export const DEFAULT_HISTORY = 120;
const DEFAULT_RESTING_LIMIT = 1000;
/** Raise it whenever the same inputs would give different replies: stored exchanges then start anew. */
export const ENGINE_VERSION = 5;

export class Engine {
  readonly world: World;
  private readonly clock: Clock;
  private readonly ordering: Ordering;
  private readonly tradeOrdering: Ordering;
  private readonly listsEnded: boolean;
  private readonly config: string;
  private readonly past: Past;
  private recorder: Recorder | null = null;

  constructor(options: EngineOptions) {
    const { seed, start, history, convention, positionMode, restingLimit } = options;
    const contracts = contractTable(options.contracts, start);
    this.ordering = options.order;
    this.tradeOrdering = options.tradeOrder ?? options.order;
    this.listsEnded = options.listsEnded ?? false;
    this.config = configText(contracts);
    this.world = startWorld({
      contracts,
      seed,
      convention,
      now: pastBegins(start, history),
      positionMode: positionMode ?? 'ONEWAY',
      restingLimit: restingLimit ?? DEFAULT_RESTING_LIMIT,
    });
    seedAccount(this.world, start, history, seed);
    this.world.now = Math.max(this.world.now, start);
    this.clock = new Clock(this.world);
    this.past = pastOf(this.world.account);
  }

  /** The complete state after the inputs so far. */
  save(): SavedEngine {
    return { steppedAt: this.clock.at, world: saveWorld(this.world, this.past) };
  }

  /** Restores a saved state. Requires a new engine with the same options. */
  restore(saved: SavedEngine): void {
    restoreWorld(this.world, this.past, saved.world);
    this.clock.resume(saved.steppedAt);
  }

  get now(): number {
    return this.world.now;
  }

  /** Calls `recorder` with every later input before acting on it. */
  recordWith(recorder: Recorder): void {
    this.recorder = recorder;
  }

  /** Steps to `at` without a leap, as recorded time between two inputs passed (`replay.ts`). */
  stepTo(at: number): void {
    this.clock.stepTo(at);
  }

  leapTo(from: number, at: number): void {
    this.clock.stepTo(from);
    this.clock.leapTo(at);
  }

  advanceTo(at: number): void {
    const from = this.clock.leapFrom(at);
    if (from === null) {
      this.clock.stepTo(at);
      return;
    }
    this.recorder?.({ at, do: 'leap', from });
    this.clock.leapTo(at);
  }

  /** Lets base coins that lag behind the clock catch up: `one` of them when idle. */
  catchUp(which: 'one' | 'all'): void {
    if (which === 'one') this.clock.catchUpOne();
    else this.clock.catchUp(this.world.underlyings);
  }

  private take(input: Timed): void {
    this.advanceTo(input.at);
    this.recorder?.(input);
  }

  /** Records the exchange's time as an input, where nothing else would give it after a restart. */
  notePassed(at: number): void {
    this.take({ at, do: 'pass' });
  }

  /** Returns the order's id, or one of the API's codes. */
  placeOrder(at: number, request: OrderRequest): Checked<string> {
    this.take({ at, do: 'order', request });
    this.catchUpMarket(request.symbolId);
    const placed = place(this.world, request);
    fireTriggers(this.world);
    return placed.ok ? accept(orderId(placed.value.seq)) : placed;
  }

  placeBatch(at: number, requests: readonly OrderRequest[]): Checked<true> {
    this.take({ at, do: 'batch', requests });
    for (const { symbolId } of requests) this.catchUpMarket(symbolId);
    const placed = placeBatch(this.world, requests);
    fireTriggers(this.world);
    return placed;
  }

  /** Controls: buys the smallest quantity for the account, as from another window while a client reads pages. */
  tradeALittle(at: number): Checked<string> {
    const market = this.world.markets.find(({ trading }) => trading);
    if (!market) return reject('700041', 'nothing is open');
    return this.placeOrder(at, orderRequest(market, 1, market.contract.minLots));
  }

  /** Lets the contract's base coin catch up: the next call reads its prices or gives the account a position in it. */
  private catchUpMarket(symbolId: string): Market | undefined {
    const market = this.world.bySymbol.get(symbolId);
    if (market) this.clock.catchUp([market.underlying]);
    return market;
  }

  /** JSON text of `data` of account/info. */
  account(at: number): string {
    this.advanceTo(at);
    for (const coin of this.world.ledger.coinNames()) this.catchUpMarket(`${coin}-USDT-M`);
    return JSON.stringify(accountRecord(this.world));
  }

  openOrders(at: number, filter: OrderFilter): string {
    this.advanceTo(at);
    const found = findOrders(openOrders(this.world, this.listsEnded), filter, this.ordering);
    return JSON.stringify(found.map((order) => openOrderRecord(this.world, order)));
  }

  orderHistory(at: number, filter: OrderFilter): string {
    this.advanceTo(at);
    const found = findOrders(this.world.account.orders, filter, this.ordering);
    return JSON.stringify(found.map((order) => orderHistoryRecord(this.world, order)));
  }

  symbolConfig(at: number): string {
    this.advanceTo(at);
    return this.config;
  }

  trades(at: number, filter: TradeFilter): string {
    this.advanceTo(at);
    const { rows, total, pageCount } = findTrades(this.world, filter, this.tradeOrdering);
    return JSON.stringify({ data: rows.map(tradeRecord), pageCount, total });
  }

  tradePages(at: number, filter: TradeFilter): number {
    this.advanceTo(at);
    return findTrades(this.world, filter, this.tradeOrdering).pageCount;
  }

  /** Controls: moves the base coin's price to a share of the old one (`0.9`: down by a tenth), at most 100. */
  shock(at: number, symbolId: string, share: string): Checked<true> {
    this.take({ at, do: 'shock', symbolId, share });
    const market = this.catchUpMarket(symbolId);
    if (!market) return reject('700009', 'symbolId');
    const perMillion = parseShare(share);
    if (perMillion === null) return reject('700009', 'share');
    shockProcess(market.process, perMillion);
    for (const moved of market.underlying.markets) {
      if (moved.contract.expiry !== null && !moved.trading) continue;
      showPrices(moved, this.world.now);
      if (moved.trading) quote(this.world, moved);
    }
    fallDue(this.world);
    return accept(true);
  }

  /** Controls: cancels an order, as a user would on the exchange's own page. */
  cancel(at: number, id: string): Checked<true> {
    this.take({ at, do: 'cancel', id });
    const order = this.world.account.open.get(orderSeq(id));
    if (!order) return reject('700048', 'no such resting order');
    cancelOrder(this.world, order, CANCEL_USER);
    return accept(true);
  }

  /** Controls: sets leverage; rejected while the symbol has a position or resting orders. */
  setLeverage(at: number, symbolId: string, leverage: number, marginMode: MarginMode): Checked<true> {
    this.take({ at, do: 'leverage', symbolId, leverage, marginMode });
    const market = this.world.bySymbol.get(symbolId);
    if (!market) return reject('700009', 'symbolId');
    const { positions, open, settings } = this.world.account;
    const used =
      positions.some((position) => position.contract === market.contract) ||
      [...open.values()].some((order) => order.contract === market.contract);
    if (used) return reject('700048', 'the symbol has a position or resting orders');
    const most = market.contract.steps[0]?.leverage ?? 1;
    if (!Number.isInteger(leverage) || leverage < 1 || leverage > most)
      return reject('700019', `1 to ${most}`);
    settings.set(symbolId, { leverage, marginMode });
    return accept(true);
  }

  /** Controls: one-way or hedge; rejected while there is a position or a resting order. */
  setPositionMode(at: number, mode: PositionMode): Checked<true> {
    this.take({ at, do: 'mode', mode });
    const { account } = this.world;
    if (account.positions.length > 0 || account.open.size > 0) {
      return reject('700048', 'the account has positions or resting orders');
    }
    account.positionMode = mode;
    return accept(true);
  }

  /** Controls: grants trial funds (atoms), which are part of the balance and spent before it. */
  grant(at: number, coin: string, atoms: bigint): Checked<true> {
    this.take({ at, do: 'grant', coin, atoms: atoms.toString() });
    const { account, ledger } = this.world;
    if (atoms <= 0n || !ledger.coinNames().includes(coin)) return reject('700009', 'coin or amount');
    const before = account.trial.get(coin) ?? { left: 0n, granted: 0n };
    account.trial.set(coin, { left: before.left + atoms, granted: before.granted + atoms });
    ledger.payIn(ACCOUNT, coin, atoms);
    return accept(true);
  }

  /** Controls: bars the account from some actions. */
  bar(at: number, from: Account['barred']): Checked<true> {
    this.take({ at, do: 'bar', from });
    this.world.account.barred = from;
    return accept(true);
  }
}
