/**
 * Reports whether a position is due for liquidation: equity ≤ maintenance + closing fee at a price (docs/accounting.md,
 * "Liquidation price"). Computed exactly, although the books hold whole atoms: the value of a small inverse position
 * stays the same atom over hundreds of ticks, and no client could find the price among them.
 */
import { assetOf, crossPositions, walletOf } from './assets.ts';
import { RATE_ONE } from './atoms.ts';
import type { Contract } from './contracts.ts';
import { grossProfit } from './holding.ts';
import { marketOf } from './world.ts';
import type { Position, TierConvention, World } from './world.ts';

/** 1e-16 of a coin, as a quotient: an inverse value is quantity / price, which may not terminate. */
interface Quotient {
  over: bigint;
  /** Above 0. */
  under: bigint;
}

/**
 * Profit minus maintenance and closing fee with the mark at `ticks`. A value on a tier's border takes the next
 * tier's rate: where only the higher rate liquidates, the border itself is the liquidation price.
 */
function spareOf(position: Position, ticks: number, convention: TierConvention): Quotient {
  const { contract, side, lots, cost } = position;
  const unit = BigInt(lots) * contract.valueUnit;
  const linear = contract.contractSide === 'FORWARD';
  const value = linear ? unit * BigInt(ticks) : unit;
  const under = linear ? 1n : BigInt(ticks);
  const tier = contract.steps.find(({ max }) => value < max * under) ?? contract.steps.at(-1);
  if (!tier) throw new Error(`${contract.symbolId} has no tiers`);
  const profit = grossProfit(contract, side, cost * under, value) * RATE_ONE;
  const off = convention === 'marginal' ? tier.deduction * under : 0n;
  return { over: profit - value * (tier.rate + contract.taker) + off, under };
}

/** Reports whether an isolated position is due for liquidation with its mark at `ticks`. */
function isolatedIsDue(position: Position, ticks: number, convention: TierConvention): boolean {
  const { over, under } = spareOf(position, ticks, convention);
  return position.margin * RATE_ONE * under + over <= 0n;
}

/** Reports the same for all cross positions of a coin, at their marks; legs of `moved` are valued at `ticks`. */
export function crossIsDue(world: World, coin: string, moved?: Contract, ticks = 0): boolean {
  const cross = crossPositions(world, coin);
  const sum: Quotient = { over: walletOf(assetOf(world, coin)) * RATE_ONE, under: 1n };
  for (const position of cross) {
    const { contract } = position;
    const at = contract === moved ? ticks : marketOf(world, contract).mark;
    const spare = spareOf(position, at, world.convention);
    sum.over = sum.over * spare.under + spare.over * sum.under;
    sum.under *= spare.under;
  }
  return cross.length > 0 && sum.over <= 0n;
}

/** Reports whether the position would be liquidated with its contract's mark at `ticks`, all else unchanged. */
export const isDueAt = (world: World, position: Position, ticks: number): boolean =>
  position.marginMode === 'ISOLATED'
    ? isolatedIsDue(position, ticks, world.convention)
    : crossIsDue(world, position.contract.coin, position.contract, ticks);
