/** The liquidation price of an isolated position as it is shown. */
import { amount, calculated, lessOrEqual, multiply } from '../../amount.ts';
import { isolatedLiquidation } from '../margin/liquidation.ts';
import { type Convention, positionValue } from '../margin/margin.ts';
import { exposureOf, type Holding } from '../position/resolved.ts';
import { type Figure, liquidationFigure } from './figure.ts';

/** A share of the cost below the rounding of an average entry, and what an atom of margin is liquidated for. */
const ROUNDED_SHARE = amount('0.000001');
const ROUNDED_MONEY = amount('0.00000002');

/**
 * Returns the liquidation price with `margin` posted. At 1× a linear long or an inverse short cannot be liquidated, but
 * entry and margin are rounded: a price at which nothing is left of the position's value is none. Throws DomainError.
 */
export function isolatedFigure(holding: Holding, convention: Convention, margin: string): Figure {
  const price = isolatedLiquidation({ ...exposureOf(holding, convention), margin });
  return liquidationFigure(price !== null && isWorthNothing(holding, price) ? null : price);
}

function isWorthNothing(holding: Holding, price: string): boolean {
  const value = calculated(positionValue({ ...holding, price }));
  if (lessOrEqual(value, ROUNDED_MONEY)) return true;
  const cost = calculated(positionValue({ ...holding, price: holding.entryPrice }));
  return lessOrEqual(value, multiply(cost, ROUNDED_SHARE));
}
