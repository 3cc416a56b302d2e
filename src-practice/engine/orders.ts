/** The engine's records of the account's orders and trades: integers, one mutable record per order. */
import type { Resting, Side } from './book.ts';
import type { Contract } from './contracts.ts';
import type { MarginMode, OrderType, TimeInForce } from '../../src-shared/exchange-api/enums.ts';

export type PositionMode = 'ONEWAY' | 'HEDGE';
/** `orderHis.source` */
export const SOURCE_USER = 0;
export const SOURCE_LIQUIDATION = 2;
export const SOURCE_REVERSE = 10;
/** `orderHis.cancelReason` */
export const CANCEL_NONE = 0;
export const CANCEL_USER = 1;
export const CANCEL_SYSTEM = 2;

export interface TpSl {
  readonly tpTriggerType: string | null;
  readonly tpPrice: string | null;
  readonly tpExecutePrice: string | null;
  readonly slTriggerType: string | null;
  readonly slPrice: string | null;
  readonly slExecutePrice: string | null;
}

export const LEGS = ['tp', 'sl'] as const;
export type LegKind = (typeof LEGS)[number];

/** Returns the terms of a leg, `execute` null for a market order; null if it is not requested. */
export function legOf(tpSl: TpSl, kind: LegKind) {
  const trigger = tpSl[`${kind}TriggerType`];
  if (trigger === null || trigger === 'NONE') return null;
  return { trigger, price: tpSl[`${kind}Price`], execute: tpSl[`${kind}ExecutePrice`] };
}

export interface Order {
  readonly seq: number;
  readonly contract: Contract;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** 0 for MARKET. */
  readonly ticks: number;
  readonly totalLots: number;
  readonly reduceOnly: boolean;
  readonly postOnly: boolean;
  readonly reverse: boolean;
  readonly source: number;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly positionMode: PositionMode;
  readonly tpSl: TpSl | null;
  /** Milliseconds since 1970 of the engine's clock. */
  readonly createdAt: number;
  changedAt: number;
  filledLots: number;
  canceledLots: number;
  /** Σ ticks × lots of the fills. */
  filledProduct: bigint;
  /** Atoms of the settlement coin; `locked` is what acceptance locked, `remainingLocked` what is locked now. */
  locked: bigint;
  remainingLocked: bigint;
  /** Fee part of `remainingLocked`. */
  remainingFee: bigint;
  fee: bigint;
  profit: bigint;
  /** Margin released by the closing fills; the divisor of `profitRate`. */
  closedMargin: bigint;
  /** 0 until a fill touches a position. */
  positionSeq: number;
  cancelReason: number;
  /** The TP/SL order it came from; 0 for any other order. */
  readonly conditionSeq: number;
  resting: Resting | null;
}

/** A TP/SL order (triggers.ts). */
export interface Trigger {
  readonly seq: number;
  readonly kind: LegKind;
  readonly contract: Contract;
  readonly positionSeq: number;
  /** The order it came with. */
  readonly order: Order;
  readonly byMark: boolean;
  /** Ticks; `execute` is `null` for a market order. */
  readonly ticks: number;
  readonly execute: number | null;
  readonly createdAt: number;
  /** Grows with the fills of its order. */
  lots: number;
}

export interface Trade {
  readonly seq: number;
  readonly orderSeq: number;
  readonly contract: Contract;
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
  readonly value: bigint;
  readonly fee: bigint;
  readonly taker: boolean;
  /** True when the fill closed something. */
  readonly closes: boolean;
  readonly time: number;
}

export const remainingLots = (order: Order): number =>
  order.totalLots - order.filledLots - order.canceledLots;

export type OrderStatus = 'OPEN' | 'FILLED' | 'CANCELED';

export function statusOf(order: Order): OrderStatus {
  if (remainingLots(order) > 0) return 'OPEN';
  return order.canceledLots > 0 ? 'CANCELED' : 'FILLED';
}

/** The first order id. Ids are 64-bit: adjacent ones differ only beyond the digits a double can hold. */
export const ORDER_BASE = 1_790_448_213_507_215_360n;
const TRADE_BASE = 2_490_117_650_338_160_640n;
const CONDITION_BASE = 2_790_033_871_206_932_480n;
export const POSITION_BASE = 3_190_552_904_774_451_200n;

export const orderId = (seq: number): string => (ORDER_BASE + BigInt(seq)).toString();
export const tradeId = (seq: number): string => (TRADE_BASE + BigInt(seq)).toString();
/** Empty for an order that did not come from a TP/SL order. */
export const conditionId = (seq: number): string =>
  seq === 0 ? '' : (CONDITION_BASE + BigInt(seq)).toString();
export const positionId = (seq: number): string =>
  seq === 0 ? '0' : (POSITION_BASE + BigInt(seq)).toString();

/** The sequence number behind an order id; −1 for an id this exchange never issued. */
export function orderSeq(id: string): number {
  if (!/^\d{1,19}$/.test(id)) return -1;
  const seq = BigInt(id) - ORDER_BASE;
  return seq > 0n && seq < 9_007_199_254_740_991n ? Number(seq) : -1;
}
