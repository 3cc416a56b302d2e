/**
 * Liquidation (docs/accounting.md): a position whose equity no longer exceeds maintenance and closing fee is taken over
 * by the house at its bankruptcy price after the closing fee, so that what stood behind it is used up and no more.
 * Cross: the coin's cross orders are cancelled first; if that does not help, positions go one by one, the largest
 * requirement first, each giving its share of the coin's equity, until the rest is safe. The house is the insurance:
 * it takes positions over at those prices whatever they are worth, so that nobody is left owing.
 */
import { assetOf, crossEquity } from './assets.ts';
import { ceilDiv, floorDiv, max, RATE_ONE } from './atoms.ts';
import { sense, valueOf } from './contracts.ts';
import { feeOf, figuresOf } from './margin.ts';
import { CANCEL_SYSTEM } from './orders.ts';
import type { Order } from './orders.ts';
import { cancelOrder } from './settle.ts';
import { brokenAt, crossBroken } from './solvency.ts';
import { takeOverAt } from './takeover.ts';
import { marketOf } from './world.ts';
import type { Position, World } from './world.ts';

/** Runs after every step. */
export function liquidate(world: World): void {
  for (const position of [...world.account.positions]) {
    if (position.marginMode !== 'ISOLATED') continue;
    if (!brokenAt(world, position, marketOf(world, position.contract).mark)) continue;
    cancelWhere(world, (order) => order.contract === position.contract);
    takeOver(world, position, position.margin + figuresOf(world, position).unrealized);
  }
  const coins = new Set(world.account.positions.map((position) => position.contract.coin));
  for (const coin of coins) liquidateCross(world, coin);
}

function liquidateCross(world: World, coin: string): void {
  if (!crossBroken(world, coin)) return;
  cancelWhere(world, (order) => order.contract.coin === coin && order.marginMode === 'CROSSED');
  while (crossBroken(world, coin)) {
    const position = largestRequirement(world, coin);
    if (!position) return;
    takeOver(world, position, shareOf(world, crossEquity(assetOf(world, coin)), position));
  }
}

/**
 * Of an equity that is left, in proportion to the requirements. A shortfall is carried by those whose price can make up
 * for any sum; where there are none, by all, in proportion to the most each can make up, which together is more than
 * they ever lost.
 */
function shareOf(world: World, equity: bigint, position: Position): bigint {
  const { coin } = position.contract;
  const cross = world.account.positions.filter(
    (held) => held.contract.coin === coin && held.marginMode === 'CROSSED',
  );
  const carriers = equity < 0n && cross.some(makesUpAny) ? cross.filter(makesUpAny) : cross;
  if (!carriers.includes(position)) return 0n;
  const part = (of: Position): bigint => {
    const { value, maintenance, closingFee } = figuresOf(world, of);
    return equity < 0n && !makesUpAny(of) ? makesUp(of, value) : maintenance + closingFee;
  };
  const all = carriers.reduce((sum, held) => sum + part(held), 0n);
  return floorDiv(equity * part(position), max(1n, all));
}

/** Long linear, short inverse. */
const losesAsValueFalls = ({ contract, side }: Position): boolean => BigInt(side) * sense(contract) === 1n;

/** Long linear: prices have no end. */
const makesUpAny = (position: Position): boolean =>
  position.contract.contractSide === 'FORWARD' && losesAsValueFalls(position);

/** The most another position gains from its value on: all of it, or, short inverse, up to its value at the first tick. */
function makesUp(position: Position, value: bigint): bigint {
  if (!losesAsValueFalls(position)) return value;
  const { contract, lots } = position;
  const most = valueOf(contract, lots, 1);
  return most - feeOf(most, contract.taker) - value;
}

function cancelWhere(world: World, belongs: (order: Order) => boolean): void {
  for (const order of [...world.account.open.values()]) {
    if (belongs(order) && order.resting) cancelOrder(world, order, CANCEL_SYSTEM);
  }
}

function largestRequirement(world: World, coin: string): Position | null {
  let found: Position | null = null;
  let most = -1n;
  for (const position of world.account.positions) {
    if (position.contract.coin !== coin || position.marginMode !== 'CROSSED') continue;
    const { maintenance, closingFee } = figuresOf(world, position);
    if (maintenance + closingFee <= most) continue;
    most = maintenance + closingFee;
    found = position;
  }
  return found;
}

/** Where an inverse position is worth next to nothing: no contract's price comes near. */
const HIGHEST_TICK = 1_000_000_000_000;

/**
 * The tick worst for the account at which the loss from the mark on and the closing fee, as they are booked, are no
 * more than `give` atoms: the value v must keep |v − V| + fee × v ≤ give.
 */
function takeOverTicks(world: World, position: Position, give: bigint): number {
  const { contract, lots } = position;
  const value = valueOf(contract, lots, marketOf(world, contract).mark);
  const falls = losesAsValueFalls(position);
  // The least value, or the greatest.
  const limit = falls
    ? ceilDiv((value - give) * RATE_ONE, RATE_ONE - contract.taker)
    : floorDiv((value + give) * RATE_ONE, RATE_ONE + contract.taker);
  const unit = BigInt(lots) * contract.valueUnit;
  if (contract.contractSide === 'FORWARD') {
    return Math.max(1, Number(falls ? ceilDiv(limit, unit) : floorDiv(limit, unit)));
  }
  if (limit < 0n) return HIGHEST_TICK;
  // An inverse value is floored to an atom, which may be worth many ticks: the last of those, not the first.
  return Number(falls ? unit / max(1n, limit) : unit / (limit + 1n) + 1n);
}

const takeOver = (world: World, position: Position, give: bigint): void =>
  takeOverAt(world, position, takeOverTicks(world, position, give), world.now);
