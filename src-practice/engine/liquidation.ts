/**
 * Liquidation (docs/accounting.md): the exchange account takes a position over at its bankruptcy price after the
 * closing fee, even at a loss of its own, so no account ends in debt. Cross: cancels the coin's cross orders first,
 * then takes over positions, largest requirement first, until the others are safe.
 */
import { assetOf, crossEquity, crossPositions } from './assets.ts';
import { ceilDiv, floorDiv, max, RATE_ONE } from './atoms.ts';
import { sense, valueOf } from './contracts.ts';
import { feeOf, figuresOf } from './margin.ts';
import { CANCEL_SYSTEM } from './orders.ts';
import type { Order } from './orders.ts';
import { cancelOrder } from './settle.ts';
import { isDueAt, crossIsDue } from './solvency.ts';
import { takeOverAt } from './takeover.ts';
import { marketOf } from './world.ts';
import type { Position, World } from './world.ts';

/** Liquidates what is due. Runs after every step. */
export function liquidate(world: World): void {
  for (const position of [...world.account.positions]) {
    if (position.marginMode !== 'ISOLATED') continue;
    if (!isDueAt(world, position, marketOf(world, position.contract).mark)) continue;
    cancelWhere(world, (order) => order.contract === position.contract);
    takeOver(world, position, position.margin + figuresOf(world, position).unrealized);
  }
  const coins = new Set(world.account.positions.map((position) => position.contract.coin));
  for (const coin of coins) liquidateCross(world, coin);
}

function liquidateCross(world: World, coin: string): void {
  if (!crossIsDue(world, coin)) return;
  cancelWhere(world, (order) => order.contract.coin === coin && order.marginMode === 'CROSSED');
  while (crossIsDue(world, coin)) {
    const position = largestRequirement(world, coin);
    if (!position) return;
    takeOver(world, position, shareOf(world, crossEquity(assetOf(world, coin)), position));
  }
}

/**
 * The position's share of the cross equity, in proportion to the requirements. A shortfall (equity below 0) is
 * borne by the positions with unlimited gain; if there are none, by all in proportion to the most each can still
 * gain, which together exceeds the shortfall.
 */
function shareOf(world: World, equity: bigint, position: Position): bigint {
  const cross = crossPositions(world, position.contract.coin);
  const bearers = equity < 0n && cross.some(hasUnlimitedGain) ? cross.filter(hasUnlimitedGain) : cross;
  if (!bearers.includes(position)) return 0n;
  const part = (of: Position): bigint => {
    const { value, maintenance, closingFee } = figuresOf(world, of);
    return equity < 0n && !hasUnlimitedGain(of) ? largestGain(of, value) : maintenance + closingFee;
  };
  const all = bearers.reduce((sum, held) => sum + part(held), 0n);
  return floorDiv(equity * part(position), max(1n, all));
}

/** Reports whether the position loses as its value falls: long linear, short inverse. */
const losesAsValueFalls = ({ contract, side }: Position): boolean => BigInt(side) * sense(contract) === 1n;

/** Reports whether the position's gain is unlimited: long linear, since prices have no upper bound. */
const hasUnlimitedGain = (position: Position): boolean =>
  position.contract.contractSide === 'FORWARD' && losesAsValueFalls(position);

/** The most the position can still gain: its whole value or, short inverse, up to its value at one tick. */
function largestGain(position: Position, value: bigint): bigint {
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
  for (const position of crossPositions(world, coin)) {
    const { maintenance, closingFee } = figuresOf(world, position);
    if (maintenance + closingFee <= most) continue;
    most = maintenance + closingFee;
    found = position;
  }
  return found;
}

/** The tick at which an inverse position has almost no value. No contract's price comes near. */
const HIGHEST_TICK = 1_000_000_000_000;

/**
 * The worst tick for the account at which the booked loss from the mark plus the closing fee is at most `equity`
 * atoms: with V the value at the mark, the value v must satisfy |v − V| + fee × v ≤ equity.
 */
function takeoverTicks(world: World, position: Position, equity: bigint): number {
  const { contract, lots } = position;
  const value = valueOf(contract, lots, marketOf(world, contract).mark);
  const falls = losesAsValueFalls(position);
  // The lowest allowed value, or the highest.
  const limit = falls
    ? ceilDiv((value - equity) * RATE_ONE, RATE_ONE - contract.taker)
    : floorDiv((value + equity) * RATE_ONE, RATE_ONE + contract.taker);
  const unit = BigInt(lots) * contract.valueUnit;
  if (contract.contractSide === 'FORWARD') {
    return Math.max(1, Number(falls ? ceilDiv(limit, unit) : floorDiv(limit, unit)));
  }
  if (limit < 0n) return HIGHEST_TICK;
  // An inverse value is floored to whole atoms, so many ticks may have the same value: the last of them.
  return Number(falls ? unit / max(1n, limit) : unit / (limit + 1n) + 1n);
}

const takeOver = (world: World, position: Position, equity: bigint): void =>
  takeOverAt(world, position, takeoverTicks(world, position, equity), world.now);
