/**
 * Computes unrealised PnL and requirement (maintenance margin + closing fee) of a cross position, memoised per record,
 * since a keystroke in the ticket needs those of all positions.
 */
import { add, type Amount, calculated, divide, multiply, subtract, sum } from '../../amount.ts';
import { type Fraction, fraction, whole } from '../numeric/fraction.ts';
import { positive } from '../numeric/decimal-input.ts';
import type { KnownPosition } from './resolved.ts';
import { signOf } from '../margin/leg.ts';
import type { Convention } from '../margin/margin.ts';
import { rowAt, tierIndex, type TierTable, tierTable } from '../margin/tiers.ts';

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

/** A position's terms as amounts. */
export interface Terms {
  readonly sign: 1 | -1;
  readonly cost: Amount;
  readonly table: TierTable;
  readonly convention: Convention;
  readonly feeRate: Amount;
}

function calculate(known: KnownPosition, price: string, convention: Convention): Requirement {
  const linear = known.contractSide === 'FORWARD';
  const quantity = positive('quantity', known.quantity);
  const mark = positive('markPrice', price);
  const entry = positive('entryPrice', known.entryPrice);
  const terms: Terms = {
    sign: signOf(known),
    cost: linear ? multiply(quantity, entry) : divide(quantity, entry),
    table: tierTable(known.config.riskLimitConfigs),
    convention,
    feeRate: calculated(known.feeRate),
  };
  const value = linear ? multiply(quantity, mark) : divide(quantity, mark);
  return requirementOf(terms, value, linear ? whole(value) : fraction(quantity, mark));
}

/** Returns both at a value of the position. `exact` is the value as a fraction, which decides its tier. */
export function requirementOf(
  { sign, cost, table, convention, feeRate }: Terms,
  value: Amount,
  exact: Fraction = whole(value),
): Requirement {
  const row = rowAt(table, tierIndex(table, exact));
  const due = multiply(value, add(row.rate, feeRate));
  return {
    gain: sign === 1 ? subtract(value, cost) : subtract(cost, value),
    due: convention === 'flat' ? due : subtract(due, row.deduction),
  };
}

/** Adds requirements up. */
export const totalOf = (requirements: readonly Requirement[]): Requirement => ({
  gain: sum(requirements.map(({ gain }) => gain)),
  due: sum(requirements.map(({ due }) => due)),
});
