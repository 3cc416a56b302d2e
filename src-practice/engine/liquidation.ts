/**
 * Liquidation (accounting.md): a position whose equity no longer exceeds maintenance and closing fee is taken over
 * by the house at its bankruptcy price after the closing fee, so that what stood behind it is used up and no more.
 * Cross: the coin's cross orders are cancelled first; if that does not help, positions go one by one, the largest
 * requirement first, each giving its share of the coin's equity, until the rest is safe.
 */
import { assetOf, crossBroken, crossEquity } from './assets.ts';
import { ceilDiv, floorDiv, max, RATE_ONE } from './atoms.ts';
import { sense, valueOf } from './contracts.ts';
import { figuresOf } from './margin.ts';
import { CANCEL_SYSTEM } from './orders.ts';
import type { Order } from './orders.ts';
import { cancelOrder } from './settle.ts';
import { takeOverAt } from './take-over.ts';
import { marketOf } from './world.ts';
import type { Position, World } from './world.ts';

/** Runs after every step. */
export function liquidate(world: World): void {
  for (const position of [...world.account.positions]) {
    if (position.marginMode !== 'ISOLATED') continue;
    const { unrealized, maintenance, closingFee } = figuresOf(world, position);
    const equity = position.margin + unrealized;
    if (equity > maintenance + closingFee) continue;
    cancelWhere(world, (order) => order.contract === position.contract);
    takeOver(world, position, equity);
  }
  const coins = new Set(world.account.positions.map((position) => position.contract.coin));
  for (const coin of coins) liquidateCross(world, coin);
}

function liquidateCross(world: World, coin: string): void {
  if (!crossBroken(assetOf(world, coin))) return;
  cancelWhere(world, (order) => order.contract.coin === coin && order.marginMode === 'CROSSED');
  for (let asset = assetOf(world, coin); crossBroken(asset); asset = assetOf(world, coin)) {
    const position = largestRequirement(world, coin);
    if (!position) return;
    const { maintenance, closingFee } = figuresOf(world, position);
    const needs = max(1n, asset.crossMaintenance);
    takeOver(world, position, floorDiv(crossEquity(asset) * (maintenance + closingFee), needs));
  }
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

/**
 * Price in ticks at which the loss from the mark on, with the closing fee, is `give` atoms: the value v solves
 * |v − V| + fee × v = give. Rounded to the tick that costs the account less.
 */
export function takeOverTicks(world: World, position: Position, give: bigint): number {
  const { contract, lots, side } = position;
  const value = valueOf(contract, lots, marketOf(world, contract).mark);
  const falls = BigInt(side) * sense(contract) === 1n; // the position loses as its value falls
  const limit = falls
    ? ceilDiv((value - give) * RATE_ONE, RATE_ONE - contract.taker)
    : floorDiv((value + give) * RATE_ONE, RATE_ONE + contract.taker);
  if (limit <= 0n) return 1;
  const numerator = contract.contractSide === 'FORWARD' ? limit : BigInt(lots) * contract.valueUnit;
  const divisor = contract.contractSide === 'FORWARD' ? BigInt(lots) * contract.valueUnit : limit;
  const ticks = side === 1 ? ceilDiv(numerator, divisor) : floorDiv(numerator, divisor);
  return Math.max(1, Number(ticks));
}

const takeOver = (world: World, position: Position, give: bigint): void =>
  takeOverAt(world, position, takeOverTicks(world, position, give), world.now);
