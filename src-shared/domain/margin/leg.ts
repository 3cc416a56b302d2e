/** Converts a position to a leg in x, the price of a linear contract or 1/price of an inverse one. */
import { type Amount, ONE } from '../../amount.ts';
import { type Fraction, fraction, inverse, printFraction, whole } from '../numeric/fraction.ts';
import { positive } from '../numeric/decimal-input.ts';
import type { Leg } from './solver.ts';
import type { Convention } from './margin.ts';
import { type TierBounds, tierTable } from './tiers.ts';
import type { ContractSide, OrderSide } from '../../exchange-api/enums.ts';

/** What a position contributes to its liquidation, isolated or cross. */
export interface Exposure {
  readonly contractSide: ContractSide;
  readonly side: OrderSide;
  /** Linear: base coin. Inverse: quote units. */
  readonly quantity: string;
  readonly entryPrice: string;
  readonly tiers: readonly TierBounds[];
  readonly convention: Convention;
}

/** Returns x of a price above 0: the price itself, inverse 1/price (see solver.ts). */
export const toX = (contractSide: ContractSide, price: Amount): Fraction =>
  contractSide === 'FORWARD' ? whole(price) : fraction(ONE, price);

/** Prints the price at x; null stays null. */
export const priceAt = (contractSide: ContractSide, x: Fraction | null): string | null =>
  x && printFraction(contractSide === 'FORWARD' ? x : inverse(x));

/** Returns 1 if PnL grows with the value, and with x: a linear long or an inverse short. */
export const signOf = ({ contractSide, side }: Pick<Exposure, 'contractSide' | 'side'>): 1 | -1 =>
  (side === 'BUY') === (contractSide === 'FORWARD') ? 1 : -1;

/**
 * Returns the position as a leg; an inverse long is a short in x. Throws DomainError for a quantity or entry that is
 * not above 0. Source: docs/accounting.md, `entryValue`; PnL as in pnl.ts.
 */
export const legOf = (exposure: Exposure, feeRate: Amount): Leg => ({
  sign: signOf(exposure),
  quantity: positive('quantity', exposure.quantity),
  entry: toX(exposure.contractSide, positive('entryPrice', exposure.entryPrice)),
  table: tierTable(exposure.tiers),
  convention: exposure.convention,
  feeRate,
});

/** Returns the direction of x when the price moves against a leg. */
export const adverse = (leg: Leg): 1 | -1 => (leg.sign === 1 ? -1 : 1);
