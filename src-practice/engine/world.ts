/** The whole state of the exchange. The engine's modules are functions over it and hold no state of their own. */
import type { Book, Resting } from './book.ts';
import type { Contract } from './contracts.ts';
import type { Holding } from './holding.ts';
import type { Bot, Ledger } from './ledger.ts';
import type { Log } from './log.ts';
import type { Order, PositionMode, Trade, Trigger } from './orders.ts';
import type { PriceProcess } from './process.ts';
import type { Rng } from './rng.ts';
import type { MarginMode } from '../../src-shared/exchange-api/enums.ts';

export type TierConvention = 'flat' | 'marginal';

export interface Market {
  readonly contract: Contract;
  readonly book: Book;
  readonly process: PriceProcess;
  readonly underlying: Underlying;
  /** False for a contract closed to trading, and for a delivery contract after settlement. */
  trading: boolean;
  /** Random stream of the makers and noise traders. */
  readonly rng: Rng;
  readonly holdings: Readonly<Record<Bot, Holding>>;
  /** Last trade price in ticks. */
  last: number;
  mark: number;
  index: number;
  /** Ticks a delivery contract trades above its index; 0 for perpetuals. */
  basis: number;
  quotes: Resting[];
  quotedAt: number;
  /** A maker's quote was filled since the makers last quoted. */
  hit: boolean;
}

/** A base coin. Its contracts follow one price, so that BTC costs the same everywhere. */
export interface Underlying {
  readonly process: PriceProcess;
  readonly markets: readonly Market[];
  /** Time of its last step. An unused base coin may lag behind the clock (clock.ts). */
  steppedAt: number;
}

export interface Position extends Holding {
  readonly seq: number;
  readonly contract: Contract;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly positionMode: PositionMode;
  readonly openedAt: number;
  changedAt: number;
  /** Atoms: posted margin; gross closing profit, fees and funding since it was opened. */
  margin: bigint;
  pnl: bigint;
  fee: bigint;
  funding: bigint;
  /** Parts paid from trial funds. */
  deductFee: bigint;
  deductFunding: bigint;
  deductLoss: bigint;
}

export interface ContractSetting {
  leverage: number;
  marginMode: MarginMode;
}

export interface Account {
  readonly uid: string;
  positionMode: PositionMode;
  /** By symbol; a symbol without an entry has its contract's defaults. */
  readonly settings: Map<string, ContractSetting>;
  positions: Position[];
  /** By sequence number − 1. */
  readonly orders: Log<Order>;
  readonly open: Map<number, Order>;
  /** In the order of their times. */
  readonly trades: Log<Trade>;
  /** Trial funds per coin: the remainder, and the total granted. */
  readonly trial: Map<string, { left: bigint; granted: bigint }>;
  barred: 'no' | 'opening' | 'trading';
  nextPosition: number;
  /** TP/SL orders waiting for their price, oldest first. */
  triggers: Trigger[];
  nextTrigger: number;
}

export interface World {
  /** Time of the last event, request or step, in milliseconds since 1970 of the engine's clock. */
  now: number;
  readonly convention: TierConvention;
  /** Maximum number of the account's open orders. */
  readonly restingLimit: number;
  readonly markets: readonly Market[];
  readonly underlyings: readonly Underlying[];
  readonly bySymbol: ReadonlyMap<string, Market>;
  readonly ledger: Ledger;
  readonly account: Account;
}

export function settingOf(world: World, contract: Contract): ContractSetting {
  return (
    world.account.settings.get(contract.symbolId) ?? {
      leverage: contract.defaultLeverage,
      marginMode: contract.defaultMarginMode,
    }
  );
}

export function marketOf(world: World, contract: Contract): Market {
  const market = world.markets[contract.ordinal];
  if (!market) throw new Error(`no market for ${contract.symbolId}`);
  return market;
}

export function orderOf(world: World, seq: number): Order {
  const order = world.account.orders.get(seq - 1);
  if (!order) throw new Error(`no order ${seq}`);
  return order;
}
