/**
 * Computes unrealised PnL and requirement (maintenance margin + closing fee) of a cross position, memoised per record,
 * since a keystroke in the ticket needs those of all positions.
 */
import { add, type Amount, calculated, divide, multiply, subtract, sum } from '../../amount.ts';
import { fraction, whole } from '../numeric/fraction.ts';
import { positive } from '../numeric/decimal-input.ts';
import type { KnownPosition } from './resolved.ts';
import type { Convention } from '../margin/margin.ts';
import { rowAt, tierIndex, tierTable } from '../margin/tiers.ts';

export interface Requirement {
  /** Unrealised PnL, gross. */
  readonly gain: Amount;
  /** Maintenance margin and closing fee. */
  readonly due: Amount;
}

interface Memo {
  readonly price: string;
  readonly convention: Convention;
  readonly requirement: Requirement;
}
const memo = new WeakMap<KnownPosition, Memo>();

/**
 * Returns both at `price`, in the margin coin. Exact for a linear contract; an inverse value is rounded at its 40th
 * decimal. Throws DomainError for a record the formulas cannot handle. Source: docs/accounting.md,
 * `crossedMaintainMargin`; PnL as in pnl.ts.
 */
export function requirementAt(known: KnownPosition, price: string, convention: Convention): Requirement {
  const before = memo.get(known);
  if (before?.price === price && before.convention === convention) return before.requirement;
  const requirement = calculate(known, price, convention);
  memo.set(known, { price, convention, requirement });
  return requirement;
}

function calculate(known: KnownPosition, price: string, convention: Convention): Requirement {
  const linear = known.contractSide === 'FORWARD';
  const quantity = positive('quantity', known.quantity);
  const mark = positive('markPrice', price);
  const entry = positive('entryPrice', known.entryPrice);
  const table = tierTable(known.config.riskLimitConfigs);
  const value = linear ? multiply(quantity, mark) : divide(quantity, mark);
  const cost = linear ? multiply(quantity, entry) : divide(quantity, entry);
  const row = rowAt(table, tierIndex(table, linear ? whole(value) : fraction(quantity, mark)));
  const due = multiply(value, add(row.rate, calculated(known.feeRate)));
  return {
    gain: (known.side === 'BUY') === linear ? subtract(value, cost) : subtract(cost, value),
    due: convention === 'flat' ? due : subtract(due, row.deduction),
  };
}

/** Adds requirements up. */
export const totalOf = (requirements: readonly Requirement[]): Requirement => ({
  gain: sum(requirements.map(({ gain }) => gain)),
  due: sum(requirements.map(({ due }) => due)),
});
