/**
 * Computes position value, margins, tiers and average entry. Amounts are decimal texts; invalid input throws
 * DomainError with the field. Linear contracts (FORWARD) are sized in base and margined in quote coin, inverse ones
 * (REVERSE) in quote units and base coin.
 */
import { add, type Amount, divide, multiply, print, subtract, sum, ZERO } from '../../amount.ts';
import { type Fraction, fraction, printFraction, sumFractions, whole } from '../numeric/fraction.ts';
import { DomainError, notNegative, positive } from '../numeric/decimal-input.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';
import { rowAt, type TierBounds, tierIndex, tierTable } from './tiers.ts';

/** `flat`: the tier's rate on the whole value. `marginal`: each slice at its own tier's rate. */
export type Convention = 'flat' | 'marginal';

/** Returns the value of `quantity` at `price`, both above 0, in the margin coin, as a fraction. */
export const valueOf = (contractSide: ContractSide, quantity: Amount, price: Amount): Fraction =>
  contractSide === 'FORWARD' ? whole(multiply(quantity, price)) : fraction(quantity, price);

/**
 * Returns the position value: linear quantity × price, inverse quantity / price; in the margin coin. Throws DomainError
 * for inputs not above 0: a quantity of 0 is no position. Source: docs/accounting.md, `entryValue`.
 */
export function positionValue(input: {
  contractSide: ContractSide;
  quantity: string;
  price: string;
}): string {
  const quantity = positive('quantity', input.quantity);
  return printFraction(valueOf(input.contractSide, quantity, positive('price', input.price)));
}

/**
 * Returns the quantity that is worth `value` at a price above 0. One of it stands for `multiplier` base coins, of an
 * inverse contract for so many quote units.
 */
export function quantityWorth(
  contractSide: ContractSide,
  value: Amount,
  price: Amount,
  multiplier: Amount,
): Amount {
  const units = contractSide === 'FORWARD' ? divide(value, price) : multiply(value, price);
  return divide(units, multiplier);
}

/**
 * Returns position value / leverage, in the margin coin. Failures as `positionValue`. Source: binance.com support faq
 * 87fa7ee33b574f7084d42bd2ce2e463b.
 */
export function initialMargin(input: {
  contractSide: ContractSide;
  quantity: string;
  price: string;
  leverage: string;
}): string {
  const quantity = positive('quantity', input.quantity);
  const value = valueOf(input.contractSide, quantity, positive('price', input.price));
  const leverage = positive('leverage', input.leverage);
  return printFraction(fraction(value.numerator, multiply(value.denominator, leverage)));
}

/**
 * Returns the maintenance margin of a position value (≥ 0), without closing fee, in the margin coin. Flat: rate ×
 * value; marginal: rate × value − deduction. Source: docs/accounting.md; phemex.com help, "USDT-M leverage, IM and MM".
 */
export function maintenanceMargin(input: {
  positionValue: string;
  tiers: readonly TierBounds[];
  convention: Convention;
}): string {
  const value = notNegative('positionValue', input.positionValue);
  const table = tierTable(input.tiers);
  const row = rowAt(table, tierIndex(table, whole(value)));
  const flat = multiply(row.rate, value);
  return print(input.convention === 'flat' ? flat : subtract(flat, row.deduction));
}

/**
 * Returns the tier of a position value (≥ 0): min < v ≤ max; 0 is in the first, anything above the last in the last.
 * Source: docs/accounting.md, "Risk tiers".
 */
export function tierOf<Tier extends TierBounds>(value: string, tiers: readonly Tier[]): Tier {
  // `tierTable` refuses an empty list.
  return tiers[tierIndex(tierTable(tiers), whole(notNegative('positionValue', value)))]!;
}

/**
 * Returns each tier's deduction from rate × value in the marginal convention, the first `0`, in the margin coin: d(i) =
 * d(i−1) + min(i) × (rate(i) − rate(i−1)). Source: phemex.com help, "USDT-M leverage, IM and MM".
 */
export const deductions = (tiers: readonly TierBounds[]): string[] =>
  tierTable(tiers).map((row) => print(row.deduction));

/**
 * Returns the average entry price of fills `[quantity, price]`: arithmetic for linear, harmonic by quote units for
 * inverse contracts. Source: help.bybit.com, "P&L calculations" of USDT and of inverse contracts.
 */
export function averageEntry(input: {
  contractSide: ContractSide;
  fills: readonly (readonly [quantity: string, price: string])[];
}): string {
  if (input.fills.length === 0) throw new DomainError('fills', '[]', 'must hold at least one fill');
  const fills = input.fills.map(
    ([quantity, price]) => [positive('quantity', quantity), positive('price', price)] as const,
  );
  const quantity = sum(fills.map(([part]) => part));
  if (input.contractSide === 'FORWARD') {
    const cost = fills.reduce((total, [part, price]) => add(total, multiply(part, price)), ZERO);
    return printFraction(fraction(cost, quantity));
  }
  const cost = sumFractions(fills.map(([part, price]) => fraction(part, price)));
  return printFraction(fraction(multiply(quantity, cost.denominator), cost.numerator));
}
