/**
 * An owner's holding of one contract, and the effect of a fill on it. In whole lots and atoms; nothing is rounded
 * twice.
 */
import { share } from './atoms.ts';
import type { Side } from './book.ts';
import { sense } from './contracts.ts';
import type { Contract } from './contracts.ts';

export interface Holding {
  /** Defined while lots > 0. */
  side: Side;
  lots: number;
  /** Absolute entry value in atoms. */
  cost: bigint;
}

export const emptyHolding = (): Holding => ({ side: 1, lots: 0, cost: 0n });

/** Gross profit in atoms of closing `cost` at `value`. */
export function grossProfit(contract: Contract, side: Side, cost: bigint, value: bigint): bigint {
  return BigInt(side) * sense(contract) * (value - cost);
}

/**
 * Closes `lots` (≤ held) against `value`. The closed part of the cost is floored; the rest stays. Returns the gross
 * profit.
 */
export function close(contract: Contract, holding: Holding, lots: number, value: bigint): bigint {
  const cost = share(holding.cost, lots, holding.lots);
  holding.cost -= cost;
  holding.lots -= lots;
  return grossProfit(contract, holding.side, cost, value);
}

/** Applies a whole fill one-way: closes the opposite side, opens with the rest. Returns the gross profit. */
export function applyOneWay(
  contract: Contract,
  holding: Holding,
  side: Side,
  lots: number,
  value: bigint,
): bigint {
  if (holding.lots === 0 || holding.side === side) {
    holding.side = side;
    holding.lots += lots;
    holding.cost += value;
    return 0n;
  }
  const closing = lots < holding.lots ? lots : holding.lots;
  const closeValue = share(value, closing, lots);
  const profit = close(contract, holding, closing, closeValue);
  if (lots > closing) {
    holding.side = side;
    holding.lots = lots - closing;
    holding.cost = value - closeValue;
  }
  return profit;
}

/** An open position's term in the conservation law: s × signed cost. */
export const signedCost = (contract: Contract, holding: Holding): bigint =>
  sense(contract) * BigInt(holding.side) * holding.cost;
