/** Applies one fill to both sides. Its value is rounded once for both; fees go to the exchange account. */
import { min, share } from './atoms.ts';
import type { Side } from './book.ts';
import { valueOf } from './contracts.ts';
import type { Contract } from './contracts.ts';
import { applyOneWay, close } from './holding.ts';
import { ACCOUNT, EXCHANGE } from './ledger.ts';
import type { Owner } from './ledger.ts';
import { feeOf, initialMargin, lockOf } from './margin.ts';
import { CANCEL_SYSTEM, remainingLots } from './orders.ts';
import type { Order } from './orders.ts';
import { attachTriggers, dropTriggers } from './triggers.ts';
import { marketOf } from './world.ts';
import type { Account, Market, Position, World } from './world.ts';

/** Takes a loss, fee or funding payment from trial funds first; returns the part they paid. */
export function spendTrial(account: Account, coin: string, atoms: bigint): bigint {
  const trial = account.trial.get(coin);
  if (!trial || atoms <= 0n || trial.left <= 0n) return 0n;
  const part = min(trial.left, atoms);
  trial.left -= part;
  return part;
}

/** The position an order's fill changes: in one-way mode the only one, in hedge mode the leg `reduceOnly` selects. */
export function targetOf(
  world: World,
  order: Pick<Order, 'contract' | 'side' | 'positionMode' | 'reduceOnly'>,
) {
  const leg: Side = order.reduceOnly ? (order.side === 1 ? -1 : 1) : order.side;
  return world.account.positions.find(
    (position) =>
      position.contract === order.contract && (order.positionMode === 'ONEWAY' || position.side === leg),
  );
}

/** Lots of the position that no resting reduce-only order will close. */
export function unreservedLots(world: World, position: Position): number {
  let lots = position.lots;
  for (const open of world.account.open.values()) {
    if (open.reduceOnly && open.contract === position.contract && open.side !== position.side)
      lots -= remainingLots(open);
  }
  return lots;
}

/** The fill-dependent fields of an order before its first fill. */
export const UNTOUCHED = {
  seq: 0,
  margin: 0n,
  pnl: 0n,
  fee: 0n,
  funding: 0n,
  deductFee: 0n,
  deductFunding: 0n,
  deductLoss: 0n,
} as const;

function openPosition(world: World, order: Order): Position {
  const { account, now } = world;
  account.nextPosition += 1;
  const position: Position = {
    contract: order.contract,
    side: order.side,
    lots: 0,
    cost: 0n,
    leverage: order.leverage,
    marginMode: order.marginMode,
    positionMode: order.positionMode,
    ...UNTOUCHED,
    seq: account.nextPosition,
    openedAt: now,
    changedAt: now,
  };
  account.positions.push(position);
  return position;
}

function closePart(world: World, order: Order, position: Position, lots: number, value: bigint): void {
  const { account, ledger } = world;
  const { coin } = order.contract;
  const released = share(position.margin, lots, position.lots);
  const profit = close(order.contract, position, lots, value);
  position.margin -= released;
  position.pnl += profit;
  position.deductLoss += spendTrial(account, coin, -profit);
  order.profit += profit;
  order.closedMargin += released;
  ledger.book(ACCOUNT, coin, profit);
  if (position.lots > 0) return;
  account.positions = account.positions.filter((held) => held !== position);
  dropTriggers(world, position);
}

function chargeFee(world: World, order: Order, position: Position, fee: bigint): void {
  const { coin } = order.contract;
  world.ledger.move(ACCOUNT, EXCHANGE, coin, fee);
  position.fee += fee;
  position.changedAt = world.now;
  position.deductFee += spendTrial(world.account, coin, fee);
  order.fee += fee;
  order.positionSeq = position.seq;
}

/** Recomputes what an open order locks: initial margin and taker fee of its remainder at its own price. */
export function relock(order: Order): void {
  const lots = remainingLots(order);
  if (lots === 0 || order.reduceOnly) {
    order.remainingLocked = 0n;
    order.remainingFee = 0n;
    return;
  }
  const lock = lockOf(order.contract, valueOf(order.contract, lots, order.ticks), order.leverage);
  order.remainingLocked = lock.total;
  order.remainingFee = lock.fee;
}

export interface Fill {
  readonly lots: number;
  readonly ticks: number;
  readonly value: bigint;
}
/** One side of a fill; the account's has its order. */
export interface Party {
  readonly owner: Owner;
  readonly side: Side;
  readonly order: Order | null;
}

/**
 * Applies one fill to the account: closes the opposite side, opens with the rest, charges the fee, records the
 * trade.
 */
function fillAccount(world: World, order: Order, { lots, ticks, value }: Fill, taker: boolean): void {
  const { account, now } = world;
  const { contract } = order;
  const target = targetOf(world, order);
  const closing = target && target.side !== order.side ? Math.min(lots, target.lots) : 0;
  const fee = feeOf(value, taker ? contract.taker : contract.maker);
  const closeFee = share(fee, closing, lots);
  const closeValue = share(value, closing, lots);
  if (target && closing > 0) {
    closePart(world, order, target, closing, closeValue);
    chargeFee(world, order, target, closeFee);
  }
  if (lots > closing) {
    const position = target && closing === 0 ? target : openPosition(world, order);
    position.lots += lots - closing;
    position.cost += value - closeValue;
    position.margin += initialMargin(value - closeValue, position.leverage);
    chargeFee(world, order, position, fee - closeFee);
    attachTriggers(world, order, position, lots - closing);
  }
  order.filledLots += lots;
  order.filledProduct += BigInt(lots) * BigInt(ticks);
  order.changedAt = now;
  account.trades.push({
    seq: account.trades.length + 1,
    orderSeq: order.seq,
    contract,
    side: order.side,
    ticks,
    lots,
    value,
    fee,
    taker,
    closes: closing > 0,
    time: now,
  });
  if (order.resting) {
    relock(order);
    if (!order.resting.resting) endResting(account, order);
  }
  trimReduceOnly(world, contract);
}

function endResting(account: Account, order: Order): void {
  order.resting = null;
  account.open.delete(order.seq);
}

/** Cancels `lots` of an order; the rest, if any, stays. */
export function cancelLots(world: World, order: Order, lots: number, reason: number): void {
  order.canceledLots += lots;
  order.cancelReason = reason;
  order.changedAt = world.now;
  if (order.resting) order.resting.lots -= lots;
  relock(order);
  if (remainingLots(order) > 0) return;
  if (order.resting) marketOf(world, order.contract).book.remove(order.resting);
  endResting(world.account, order);
}

export const cancelOrder = (world: World, order: Order, reason: number): void =>
  cancelLots(world, order, remainingLots(order), reason);

/** Trims resting reduce-only orders to the closable lots. The system cancels the excess. */
function trimReduceOnly(world: World, contract: Contract): void {
  if (world.account.open.size === 0) return;
  for (const order of [...world.account.open.values()]) {
    if (!order.reduceOnly || order.contract !== contract) continue;
    const target = targetOf(world, order);
    const closable = target && target.side !== order.side ? target.lots : 0;
    const excess = remainingLots(order) - closable;
    if (excess > 0) cancelLots(world, order, excess, CANCEL_SYSTEM);
  }
}

/** Books one side of a fill: the account's with its order, any other owner's in its holding. */
export function fillSide(
  world: World,
  market: Market,
  { owner, side, order }: Party,
  fill: Fill,
  taker: boolean,
): void {
  if (owner === ACCOUNT) {
    if (!order) throw new Error('a fill of the account without its order');
    fillAccount(world, order, fill, taker);
    return;
  }
  const profit = applyOneWay(market.contract, market.holdings[owner], side, fill.lots, fill.value);
  if (profit !== 0n) world.ledger.book(owner, market.contract.coin, profit);
}
