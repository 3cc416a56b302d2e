/** Places orders: draft, checks, lock, then the book. */
import { assetOf, freeMarginOf } from './assets.ts';
import { abs } from './atoms.ts';
import { rejectionOf } from './checks.ts';
import { BLANK, draft } from './draft.ts';
import type { Draft } from './draft.ts';
import { grossProfit } from './holding.ts';
import { feeOf, figuresOf } from './margin.ts';
import { enter, lockAtAcceptance, previewMatch } from './matching.ts';
import { CANCEL_SYSTEM, SOURCE_REVERSE } from './orders.ts';
import type { Order } from './orders.ts';
import { accept, reject } from './request.ts';
import type { Checked, OrderRequest } from './request.ts';
import { cancelLots, targetOf } from './settle.ts';
import type { Position, World } from './world.ts';

/** Maximum rows of one batch. */
const MAX_BATCH = 100;

export function place(world: World, request: OrderRequest): Checked<Order> {
  const drafted = draft(world, request);
  if (!drafted.ok) return drafted;
  const { market, order } = drafted.value;
  order.locked = lockAtAcceptance(market, order);
  const rejection = rejectionOf(world, drafted.value);
  if (rejection) return reject(rejection.code, rejection.why);
  return order.reverse ? reverse(world, drafted.value) : admit(world, drafted.value);
}

/** Trims a reduce-only order to the closable lots, and enters it. */
function admit(world: World, { market, order }: Draft): Checked<Order> {
  if (order.reduceOnly) {
    const excess = order.totalLots - (targetOf(world, order)?.lots ?? 0);
    if (excess > 0) cancelLots(world, order, excess, CANCEL_SYSTEM);
  }
  enter(world, market, order);
  return accept(order);
}

/**
 * Reverses a position (docs/accounting.md): closes it, then opens `quantity`. Two orders of source 10; returns the
 * id of the opening one. Rejected as a whole when the book is too thin or the new position unaffordable.
 */
function reverse(world: World, { market, order }: Draft): Checked<Order> {
  const target = world.account.positions.find(
    (position) => position.contract === order.contract && position.side !== order.side,
  );
  if (!target) return reject('700001', 'no position to reverse');
  const closing = previewMatch(market, order.side, target.lots, null);
  if (closing.left > 0) return reject('700022', 'the book is too thin to close the position');
  if (order.locked > freeMarginAfterClose(world, target, closing.value)) {
    return reject('700017', 'initial margin and fee exceed what is free once the position is closed');
  }
  const close: Order = {
    ...order,
    ...BLANK,
    totalLots: target.lots,
    reduceOnly: true,
    reverse: true,
    source: SOURCE_REVERSE,
    tpSl: null,
    timeInForce: 'IOC',
  };
  enter(world, market, close);
  const opening = { ...order, seq: world.account.orders.length + 1 };
  opening.locked = lockAtAcceptance(market, opening);
  enter(world, market, opening);
  return accept(opening);
}

function freeMarginAfterClose(world: World, target: Position, value: bigint): bigint {
  const { contract, side, cost, margin, marginMode } = target;
  const asset = assetOf(world, contract.coin);
  const unrealized = marginMode === 'CROSSED' ? figuresOf(world, target).unrealized : 0n;
  const gain = grossProfit(contract, side, cost, value) - feeOf(value, contract.taker);
  const crossAfter = abs(asset.crossUnrealized - unrealized);
  return freeMarginOf(asset) + abs(asset.crossUnrealized) - crossAfter + gain + margin;
}

/**
 * Places a batch. All rows are put on the grid first, so that a malformed row rejects the batch without any effect.
 * Then rows are placed in turn; the first rejected row ends the batch and those before it stay.
 */
export function placeBatch(world: World, requests: readonly OrderRequest[]): Checked<true> {
  if (requests.length === 0) return reject('700004', 'an empty batch');
  if (requests.length > MAX_BATCH) return reject('700052', `at most ${MAX_BATCH} orders in a batch`);
  for (const [row, request] of requests.entries()) {
    const drafted = draft(world, request);
    if (!drafted.ok) return reject(drafted.code, `row ${row + 1}: ${drafted.why}`);
  }
  for (const [row, request] of requests.entries()) {
    const placed = place(world, request);
    if (!placed.ok) return reject(placed.code, `row ${row + 1}: ${placed.why}`);
  }
  return accept(true);
}
