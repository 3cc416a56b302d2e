/** Matches an incoming order with the book. Whether the order is allowed is decided in checks.ts. */
import type { Resting, Side } from './book.ts';
import { valueOf } from './contracts.ts';
import { ACCOUNT } from './ledger.ts';
import { lockOf } from './margin.ts';
import { CANCEL_SYSTEM, remainingLots } from './orders.ts';
import type { Order } from './orders.ts';
import { cancelOrder, fillSide, type Party, relock } from './settle.ts';
import { orderOf } from './world.ts';
import type { Market, World } from './world.ts';

/** Takes up to `lots` for `taker` within `limit` (ticks, `null` = any price); returns the unfilled lots. */
export function take(world: World, market: Market, taker: Party, lots: number, limit: number | null): number {
  const fill = (resting: Resting, filled: number): void => {
    const value = valueOf(market.contract, filled, resting.ticks);
    const { owner, side } = resting;
    const order = owner === ACCOUNT ? orderOf(world, resting.orderSeq) : null;
    const shared = { lots: filled, ticks: resting.ticks, value };
    fillSide(world, market, { owner, side, order }, shared, false);
    fillSide(world, market, taker, shared, true);
    market.last = resting.ticks;
    if (owner !== ACCOUNT) market.hit = true;
  };
  // Self-trade prevention: the resting order is cancelled ("cancel oldest").
  const cancelOwn = (resting: Resting): void => {
    if (resting.owner === ACCOUNT) cancelOrder(world, orderOf(world, resting.orderSeq), CANCEL_SYSTEM);
    else market.book.remove(resting);
  };
  return market.book.take(taker.owner, taker.side, lots, limit, fill, cancelOwn);
}

/** What an order would match at once. `value` sums the fills' values, each rounded as its fill will be. */
export function previewMatch(
  market: Market,
  side: Side,
  lots: number,
  limit: number | null,
): { left: number; value: bigint } {
  let value = 0n;
  const left = market.book.preview(ACCOUNT, side, lots, limit, (ticks, filled) => {
    value += valueOf(market.contract, filled, ticks);
  });
  return { left, value };
}

/** Initial margin and taker fee an order locks at acceptance: the matched part at match prices, the rest at its own. */
export function lockAtAcceptance(market: Market, order: Order): bigint {
  if (order.reduceOnly) return 0n;
  const { contract } = market;
  const met = previewMatch(market, order.side, order.totalLots, order.type === 'LIMIT' ? order.ticks : null);
  const rests = order.type === 'LIMIT' && order.timeInForce === 'GTC';
  const rest = rests && met.left > 0 ? valueOf(contract, met.left, order.ticks) : 0n;
  return lockOf(contract, met.value + rest, order.leverage).total;
}

/** Enters an accepted order: matches it, then rests or cancels the remainder by its time in force. */
export function enter(world: World, market: Market, order: Order): void {
  const { account } = world;
  const limit = order.type === 'LIMIT' ? order.ticks : null;
  account.orders.push(order);
  const wanted = remainingLots(order);
  const whole = order.timeInForce === 'FOK' && previewMatch(market, order.side, wanted, limit).left > 0;
  const taker: Party = { owner: ACCOUNT, side: order.side, order };
  const left = whole ? wanted : take(world, market, taker, wanted, limit);
  if (left === 0) {
    relock(order);
    return;
  }
  if (order.type === 'MARKET' || order.timeInForce !== 'GTC') {
    cancelOrder(world, order, CANCEL_SYSTEM);
    return;
  }
  order.resting = market.book.rest(ACCOUNT, order.side, order.ticks, left, order.seq);
  account.open.set(order.seq, order);
  relock(order);
}
