/**
 * The orders a price move reaches: resting ones at their price, take-profit and stop-loss orders of positions, and those
 * attached to resting orders, once these have filled. Assumptions: docs/accounting.md, "Orders on the way".
 */
import {
  absolute,
  type Amount,
  amount,
  compare,
  compareText,
  divide,
  greater,
  isPositive,
  isZero,
  larger,
  less,
  multiply,
  round,
  subtract,
  ZERO,
} from '../../amount.ts';
import { lastPlace } from '../numeric/fraction.ts';
import { positionKey } from '../position/identity.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { Fill } from '../account/symbol-after.ts';
import { isPrice } from '../../exchange-api/values.ts';
import { contractOf, type KnownContract, legSideOf } from '../instrument/trading-context.ts';
import { opposite } from '../../exchange-api/enums.ts';
import { protectionOf } from '../position/protection.ts';
import type { EstimateContext } from '../position/resolved.ts';
import { type NotCounted, restingFills } from './after-fills.ts';
import { LEAST, type Mover, type Shock } from './price-shock.ts';

export interface ShockOrder {
  readonly contract: KnownContract;
  /** A leg of the contract, which gives mark and beta. */
  readonly template: Mover;
  /** Its price is the order price, or that of the trigger. */
  readonly fill: Fill;
  /** Null for a resting order. */
  readonly trigger: 'TP' | 'SL' | null;
  /** Order price of a triggered order; null at market. */
  readonly orderPrice: string | null;
  /** The resting order it is attached to. */
  readonly parent: ShockOrder | null;
}

export interface ShockOrders {
  readonly orders: readonly ShockOrder[];
  readonly notCounted: readonly NotCounted[];
}
export const NO_ORDERS: ShockOrders = { orders: [], notCounted: [] };

/** Returns the orders that a move can fill. Contracts without a counted position have no mark, so theirs cannot. */
export function shockOrders(
  context: EstimateContext,
  { pools }: Shock,
  openOrders: readonly OpenOrder[],
): ShockOrders {
  const movers = pools.flatMap((one) => one.movers);
  const bySymbol = Map.groupBy(movers, (one) => one.position.symbolId);
  const byPosition = new Map(movers.map((one) => [one.position, one]));
  const contracts = new Map(
    [...bySymbol.keys()].map((symbolId) => [symbolId, knownContract(symbolId, context, openOrders)]),
  );
  const orders: ShockOrder[] = [];
  const { fills, notCounted: unread } = restingFills(openOrders);
  const notCounted = [...unread];
  const byId = new Map(openOrders.map((one) => [one.orderId, one]));
  for (const fill of fills) {
    const legs = bySymbol.get(fill.symbolId) ?? [];
    const side = legSideOf(fill);
    const held = legs.find(({ leg }) => leg.side === side);
    const template = held ?? legs[0];
    const contract = contracts.get(fill.symbolId);
    if (!template || !contract) {
      notCounted.push({ id: fill.id, reason: `No mark price of ${fill.symbolId} is known.` });
      continue;
    }
    // A leg that is not held yet is put beside the other one, which must have its margin mode.
    if (held === undefined && contract.legs[side].isolated === template.cross) {
      notCounted.push({ id: fill.id, reason: `The other leg of ${fill.symbolId} has another margin mode.` });
      continue;
    }
    const own = { contract, template, fill, trigger: null, orderPrice: null, parent: null };
    orders.push(own, ...attachedTo(own, byId.get(fill.id)?.tpSl ?? null));
  }
  for (const position of context.account.positions) {
    const { symbolId } = position;
    const template = byPosition.get(position);
    const contract = contracts.get(symbolId);
    if (!template || !contract) continue;
    const { orders: own, unread: missing } = protectionOf(position);
    if (missing !== 0)
      notCounted.push({ id: symbolId, reason: `Not every TP/SL order of ${symbolId} can be read.` });
    for (const [index, one] of own.entries())
      orders.push({
        contract,
        template,
        trigger: one.kind,
        orderPrice: one.orderPrice,
        parent: null,
        fill: closingFill(`${positionKey(position)} ${index}`, template.leg.side, position, one),
      });
  }
  return { orders, notCounted };
}

const knownContract = (
  symbolId: string,
  { account, contractOf: configOf, specs }: EstimateContext,
  openOrders: readonly OpenOrder[],
): KnownContract | null => {
  const config = configOf(symbolId);
  return contractOf(symbolId, { contracts: config ? [config] : null, account, openOrders, specs });
};

/** A TP/SL order without a quantity is taken to close the whole position. */
const closingFill = (
  id: string,
  side: Fill['side'],
  { symbolId, quantity }: Position,
  order: { readonly trigger: string; readonly quantity: string | null },
): Fill => ({
  id,
  symbolId,
  side: opposite(side),
  price: order.trigger,
  quantity: order.quantity ?? quantity ?? '0',
  reduceOnly: true,
  locked: ZERO,
});

/** Returns the TP/SL orders of a resting order, which close what it filled. */
function attachedTo(parent: ShockOrder, tpSl: OpenOrder['tpSl']): ShockOrder[] {
  const { fill } = parent;
  if (tpSl === null || fill.reduceOnly) return [];
  const closing = { ...fill, side: opposite(fill.side), reduceOnly: true, locked: ZERO };
  const order = (trigger: 'TP' | 'SL', price: string | null, limit: string | null): ShockOrder[] => {
    if (!isPrice(price)) return [];
    const own = { ...closing, id: `${fill.id} ${trigger}`, price };
    return [{ ...parent, fill: own, trigger, orderPrice: limit, parent }];
  };
  // A price type of 2 is at market.
  const limitOf = (price: string | null, type: string | number | null): string | null =>
    isPrice(price) && String(type) !== '2' ? price : null;
  return [
    ...order('TP', tpSl.tpPrice, limitOf(tpSl.tpExecutePrice, tpSl.tpPriceType)),
    ...order('SL', tpSl.slPrice, limitOf(tpSl.slExecutePrice, tpSl.slPriceType)),
  ];
}

/** An order, and where a move reaches it. */
export interface Reached {
  readonly order: ShockOrder;
  /** Absolute move. */
  readonly at: Amount;
  /** Price it fills at. */
  readonly price: string;
  /** Whether it fills at the move of the order it is attached to. */
  readonly isWithParent: boolean;
}

export const MOVE_DECIMALS = 10;
/** The least move: at it fills an order that is at or past its price, at once but not before the first move. */
export const LEAST_MOVE = lastPlace(MOVE_DECIMALS);

/** Returns what a move down or up reaches within `limit`, in the order it fills; of equals, stop-losses first. */
export function reachedBy({ orders }: ShockOrders, down: boolean, limit: Amount): readonly Reached[] {
  return orders
    .map((order) => reached(order, down))
    .filter((one) => one !== null)
    .filter(({ at }) => !greater(at, limit))
    .sort((a, b) => compare(a.at, b.at) || rank(a) - rank(b));
}
/** An order that triggers with the fill it is attached to comes after all, as that one may be any of them. */
const rank = ({ order, isWithParent }: Reached): number =>
  (isWithParent ? 2 : 0) + (order.trigger === 'SL' ? 0 : 1);

function reached(order: ShockOrder, down: boolean): Reached | null {
  const { fill, template, trigger, orderPrice, parent } = order;
  const after = parent && reached(parent, down);
  if (parent !== null && after === null) return null;
  const earliest = after?.at ?? LEAST_MOVE;
  // The mark then: that of the parent's price, unless it was past it.
  const from = after !== null && greater(earliest, LEAST_MOVE) ? after.price : template.mark;
  // A stop-loss waits for the other direction than an order at its price.
  const isBelow = (fill.side === 'BUY') !== (trigger === 'SL');
  const first = moveTo(fill.price, isBelow, from, template, down);
  if (first === null) return null;
  const fillAt = (at: Amount, price: string): Reached => ({
    order,
    at,
    price,
    isWithParent: after !== null && !greater(at, after.at),
  });
  const at = larger(first, earliest);
  if (trigger === null) return fillAt(at, fill.price);
  const there = isZero(first) ? from : fill.price;
  if (orderPrice === null) return fillAt(at, there);
  // A limit order at a price the market has not reached rests, and may never fill.
  const second = moveTo(orderPrice, fill.side === 'BUY', there, template, down);
  return second && fillAt(larger(second, at), orderPrice);
}

/** Returns the absolute move that takes the price from `from` to a level below or above it; 0 if past it, null if none. */
function moveTo(
  level: string,
  isBelow: boolean,
  from: string,
  template: Mover,
  down: boolean,
): Amount | null {
  if (compareText(from, level) * (isBelow ? 1 : -1) <= 0) return ZERO;
  const isRising = isPositive(template.beta) !== down;
  if (isZero(template.beta) || isBelow === isRising) return null;
  const mark = amount(template.mark);
  const price = amount(level);
  if (less(price, multiply(mark, LEAST))) return null;
  const share = divide(absolute(subtract(price, mark)), multiply(mark, absolute(template.beta)));
  return round(share, MOVE_DECIMALS, 'up');
}
