/**
 * Margin, maintenance and profit of positions in whole atoms (docs/accounting.md,
 * "Position record" and "Asset record").
 */
import { ceilDiv, RATE_ONE } from './atoms.ts';
import { valueOf } from './contracts.ts';
import type { Contract, Tier } from './contracts.ts';
import { grossProfit } from './holding.ts';
import { marketOf } from './world.ts';
import type { Position, TierConvention, World } from './world.ts';

/** The tier with min < value ≤ max. 0 belongs to the first tier, a value beyond the last to the last. */
function tierOfValue(contract: Contract, value: bigint): Tier {
  const { steps } = contract;
  const last = steps[steps.length - 1];
  if (!last) throw new Error(`${contract.symbolId} has no tiers`);
  return steps.find((tier) => value <= tier.max) ?? last;
}

/** Atoms, rounded up: flat `rate × value`, marginal `rate × value − deduction`. */
export function maintenanceOf(contract: Contract, value: bigint, convention: TierConvention): bigint {
  const tier = tierOfValue(contract, value);
  const off = convention === 'marginal' ? tier.deduction : 0n;
  return ceilDiv(value * tier.rate - off, RATE_ONE);
}

/** The fee, rounded up, so that no fill is free and no rebate is rounded in its receiver's favour. */
export const feeOf = (value: bigint, rate: bigint): bigint => ceilDiv(value * rate, RATE_ONE);

export const initialMargin = (value: bigint, leverage: number): bigint => ceilDiv(value, BigInt(leverage));

/** What an opening order locks: initial margin and taker fee. */
export function lockOf(contract: Contract, value: bigint, leverage: number): { total: bigint; fee: bigint } {
  const fee = feeOf(value, contract.taker);
  return { total: initialMargin(value, leverage) + fee, fee };
}

export interface Figures {
  value: bigint;
  unrealized: bigint;
  maintenance: bigint;
  closingFee: bigint;
}

/** A position's figures at a price in ticks. */
export function figuresAt(position: Position, ticks: number, convention: TierConvention): Figures {
  const { contract } = position;
  const value = valueOf(contract, position.lots, ticks);
  return {
    value,
    unrealized: grossProfit(contract, position.side, position.cost, value),
    maintenance: maintenanceOf(contract, value, convention),
    closingFee: feeOf(value, contract.taker),
  };
}

export const figuresOf = (world: World, position: Position): Figures =>
  figuresAt(position, marketOf(world, position.contract).mark, world.convention);

/** Value at the bankruptcy price: where the loss equals the posted margin. */
export function bankruptcyValue(position: Position): bigint {
  const loses =
    grossProfit(position.contract, position.side, 0n, 1n) > 0n ? -position.margin : position.margin;
  const value = position.cost + loses;
  return value > 0n ? value : 0n;
}
