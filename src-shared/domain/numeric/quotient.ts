/** Divides two figures for display. What is calculated further is not rounded here. */
import { type Amount, amount, calculated, divide, isPositive, multiply, print, round } from '../../amount.ts';

const BASIS_POINTS = amount('10000');

/** Returns `part` ÷ `whole`, rounded half up. `whole` is not 0. */
export const quotient = (part: Amount, whole: Amount, decimals = 10): string =>
  print(round(divide(part, whole), decimals, 'half-up'));

/** Returns the same, or null unless `whole` is above 0: a share of less means nothing. */
export const ratioOf = (part: Amount, whole: Amount, decimals = 10): string | null =>
  isPositive(whole) ? quotient(part, whole, decimals) : null;

/** Returns `part` in basis points of `whole`, or null unless `whole` is above 0. */
export const basisPointsOf = (part: Amount, whole: Amount, decimals: number): string | null =>
  ratioOf(multiply(part, BASIS_POINTS), whole, decimals);

/** Decimals of an average price: one of a cheap coin begins after many zeros. */
const PRICE_DECIMALS = 30;
/** Returns the average price of a quantity traded for `quote`, both decimal text; null without a quantity. */
export const averagePriceOf = (quote: string, quantity: string): string | null =>
  ratioOf(calculated(quote), calculated(quantity), PRICE_DECIMALS);
