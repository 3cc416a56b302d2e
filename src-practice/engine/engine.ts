/**
 * The exchange as a value: a seed, a start and timed requests go in, replies come out. It reads no clock and does
 * no input or output, so the same seed, times and requests give the same bytes. Every method takes the time it
 * happens at (milliseconds since 1970 of the exchange's clock); times never run back.
 */
import { accountRecord } from './account-record.ts';
import { Clock, showPrices } from './clock.ts';
import { configText } from './config-text.ts';
import { contractTable } from './contract-table.ts';
import { parseShare } from './contracts.ts';
import type { MarginMode } from './contracts.ts';
import { ACCOUNT } from './ledger.ts';
import { liquidate } from './liquidation.ts';
import { openOrderRecord, orderHistoryRecord, tradeRecord } from './order-records.ts';
import { CANCEL_USER, orderId, orderSeq } from './orders.ts';
import type { PositionMode } from './orders.ts';
import { place, placeBatch } from './place.ts';
import { shockProcess } from './process.ts';
import { findOrders, findTrades, openOrders } from './queries.ts';
import type { OrderFilter, Ordering, TradeFilter } from './queries.ts';
import { accept, refuse } from './request.ts';
import type { Checked, OrderRequest } from './request.ts';
import { pastBegins, seedAccount } from './seed-account.ts';
import { cancelOrder } from './settle.ts';
import { quote } from './traders.ts';
import { underlyingOf } from './world.ts';
import type { TierConvention, World } from './world.ts';
import { startWorld } from './world-start.ts';

export interface EngineOptions {
  readonly seed: number;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Trades of the account's past; 0 starts it with deposits, positions and resting orders only. */
  readonly history: number;
  readonly convention: TierConvention;
  /** At least 1; beyond the standard table they are generated. */
  readonly contracts: number;
  readonly order: Ordering;
}

export const DEFAULT_HISTORY = 120;

export class Engine {
  readonly world: World;
  private readonly clock: Clock;
  private readonly ordering: Ordering;
  private readonly config: string;

  constructor(options: EngineOptions) {
    const contracts = contractTable(options.contracts);
    this.ordering = options.order;
    this.config = configText(contracts);
    const { seed, start, history, convention } = options;
    this.world = startWorld({ contracts, seed, now: pastBegins(start, history), convention });
    seedAccount(this.world, start, history, seed);
    this.world.now = Math.max(this.world.now, start);
    this.clock = new Clock(this.world);
  }

  get now(): number {
    return this.world.now;
  }

  advanceTo(at: number): void {
    this.clock.advanceTo(at);
  }

  /** The id of the order, or one of the interface's codes. */
  placeOrder(at: number, request: OrderRequest): Checked<string> {
    this.advanceTo(at);
    const placed = place(this.world, request);
    return placed.ok ? accept(orderId(placed.value.seq)) : placed;
  }

  placeBatch(at: number, requests: readonly OrderRequest[]): Checked<true> {
    this.advanceTo(at);
    return placeBatch(this.world, requests);
  }

  /** JSON text of `data` of account/info. */
  account(at: number): string {
    this.advanceTo(at);
    return JSON.stringify(accountRecord(this.world));
  }

  openOrders(at: number, filter: OrderFilter): string {
    this.advanceTo(at);
    const found = findOrders(openOrders(this.world), filter, this.ordering);
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
    const { rows, total, pageCount } = findTrades(this.world, filter, this.ordering);
    return JSON.stringify({ data: rows.map(tradeRecord), pageCount, total });
  }

  /** Controls: the base coin's new price as a share of the old one (`0.9`: a fall by a tenth), at most 100. */
  shock(at: number, symbolId: string, share: string): Checked<true> {
    this.advanceTo(at);
    const market = this.world.bySymbol.get(symbolId);
    if (!market) return refuse('700009', 'symbolId');
    const perMillion = parseShare(share);
    if (perMillion === null) return refuse('700009', 'share');
    shockProcess(market.process, perMillion);
    for (const moved of underlyingOf(this.world, market).markets) {
      showPrices(moved);
      quote(this.world, moved);
    }
    liquidate(this.world);
    return accept(true);
  }

  /** Controls: the cancel a person would do on an exchange's own page. */
  cancel(at: number, id: string): Checked<true> {
    this.advanceTo(at);
    const order = this.world.account.open.get(orderSeq(id));
    if (!order) return refuse('700048', 'no such resting order');
    cancelOrder(this.world, order, CANCEL_USER);
    return accept(true);
  }

  /** Controls: refused while the symbol has a position or resting orders. */
  setLeverage(at: number, symbolId: string, leverage: number, marginMode: MarginMode): Checked<true> {
    this.advanceTo(at);
    const market = this.world.bySymbol.get(symbolId);
    if (!market) return refuse('700009', 'symbolId');
    const { positions, open, settings } = this.world.account;
    const used =
      positions.some((position) => position.contract === market.contract) ||
      [...open.values()].some((order) => order.contract === market.contract);
    if (used) return refuse('700048', 'the symbol has a position or resting orders');
    const most = market.contract.steps[0]?.leverage ?? 1;
    if (!Number.isInteger(leverage) || leverage < 1 || leverage > most)
      return refuse('700019', `1 to ${most}`);
    settings.set(symbolId, { leverage, marginMode });
    return accept(true);
  }

  /** Controls: one-way or hedge; refused while there is a position or a resting order. */
  setPositionMode(at: number, mode: PositionMode): Checked<true> {
    this.advanceTo(at);
    const { account } = this.world;
    if (account.positions.length > 0 || account.open.size > 0) {
      return refuse('700048', 'the account has positions or resting orders');
    }
    account.positionMode = mode;
    return accept(true);
  }

  /** Controls: trial funds, part of the balance and spent before it. Atoms. */
  grant(at: number, coin: string, atoms: bigint): Checked<true> {
    this.advanceTo(at);
    const { account, ledger } = this.world;
    if (atoms <= 0n || !ledger.coinNames().includes(coin)) return refuse('700009', 'coin or amount');
    const before = account.trial.get(coin) ?? { left: 0n, granted: 0n };
    account.trial.set(coin, { left: before.left + atoms, granted: before.granted + atoms });
    ledger.payIn(ACCOUNT, coin, atoms);
    return accept(true);
  }
}
