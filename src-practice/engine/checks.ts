/**
 * Second half of acceptance: a table of error codes with the condition that rejects an order already on the grid. The
 * first one that holds decides, so rows are in the order of the checks. TP/SL checks are in tp-sl-checks.ts.
 */
import { assetOf, freeMarginOf } from './assets.ts';
import { valueOf } from './contracts.ts';
import type { Draft } from './draft.ts';
import { remainingLots } from './orders.ts';
import type { Rejection } from './request.ts';
import { targetOf, unreservedLots } from './settle.ts';
import { tpSlRejection } from './tp-sl-checks.ts';
import type { World } from './world.ts';

/** How far a LIMIT's price may be worse than the mark: above it for a buy, below it for a sell. */
const PRICE_BAND_PERCENT = 20;

type Rule = readonly [
  code: string,
  why: string | ((world: World) => string),
  holds: (world: World, draft: Draft) => boolean,
];

const RULES: readonly Rule[] = [
  ['700061', 'account barred from trading', (world) => world.account.barred === 'trading'],
  [
    '700062',
    'account barred from opening',
    (world, { order }) => world.account.barred === 'opening' && !order.reduceOnly,
  ],
  ['700001', 'no position to reduce', (world, { order }) => order.reduceOnly && !targetOf(world, order)],
  ['700022', 'nothing left to close', (world, { order }) => order.reduceOnly && closable(world, order) <= 0],
  ['700011', 'price beyond the band around the mark', (_, each) => outsideBand(each)],
  ['700011', 'post-only order would take', (_, each) => each.order.postOnly && wouldTake(each)],
  [
    '700052',
    ({ restingLimit }) => `at most ${restingLimit} resting orders`,
    (world, { order }) => world.account.open.size >= world.restingLimit && order.timeInForce === 'GTC',
  ],
  ['700019', "leverage above the contract's", (_, { order }) => order.leverage > highestLeverage(order)],
  ['700016', "size beyond the tier of the symbol's leverage", (world, each) => exceedsTier(world, each)],
];

export function rejectionOf(world: World, each: Draft): Rejection | null {
  for (const [code, why, holds] of RULES)
    if (holds(world, each)) return { code, why: typeof why === 'string' ? why : why(world) };
  return tpSlRejection(world, each) ?? balanceRejection(world, each);
}

function balanceRejection(world: World, { order }: Draft): Rejection | null {
  if (order.reduceOnly || order.reverse) return null; // a reverse is checked after its close, in place.ts
  return order.locked > freeMarginOf(assetOf(world, order.contract.coin))
    ? { code: '700017', why: 'initial margin and fee exceed what is free' }
    : null;
}

type DraftOrder = Draft['order'];

/** Lots a reduce-only order may still close. */
function closable(world: World, order: DraftOrder): number {
  const target = targetOf(world, order);
  if (!target || target.side === order.side) return 0;
  // A MARKET may close the whole position: resting reduce-only orders are trimmed when it fills.
  return order.type === 'MARKET' ? target.lots : unreservedLots(world, target);
}

function outsideBand({ market, order }: Draft): boolean {
  if (order.type !== 'LIMIT') return false;
  const beyond = order.side * (order.ticks - market.mark) * 100;
  return beyond > market.mark * PRICE_BAND_PERCENT || order.ticks > market.mark * 10;
}

function wouldTake({ market, order }: Draft): boolean {
  const best = market.book.best(order.side === 1 ? -1 : 1);
  return best !== null && order.side * order.ticks >= order.side * best;
}

const highestLeverage = (order: DraftOrder): number => order.contract.steps[0]?.leverage ?? 1;

function exceedsTier(world: World, { market, order }: Draft): boolean {
  if (order.reduceOnly) return false;
  const { contract, leverage } = order;
  let lots = order.totalLots;
  for (const position of world.account.positions) {
    if (position.contract !== contract) continue;
    if (position.side === order.side) lots += position.lots;
    else if (position.positionMode === 'ONEWAY' && !order.reverse) lots -= position.lots;
  }
  for (const open of world.account.open.values()) {
    if (open.contract === contract && open.side === order.side && !open.reduceOnly)
      lots += remainingLots(open);
  }
  let limit = 0n;
  for (const tier of contract.steps) if (tier.leverage >= leverage) limit = tier.max;
  return lots > 0 && valueOf(contract, lots, market.mark) > limit;
}
