/** Computes the distance between two prices. Prices above 0; calculated values are accepted. */
import {
  absolute,
  add,
  type Amount,
  amount,
  calculated,
  decimalsOf,
  divide,
  isPositive,
  multiply,
  negate,
  ONE,
  print,
  printFixed,
  subtract,
} from '../../amount.ts';
import { PERCENT } from '../numeric/number-input.ts';

const HUNDRED = amount('100');

/** Returns the signed distance as a share: −0.015 if `price` is 1.5 % below `from`. */
export function deviation(price: string, from: string): Amount {
  const base = calculated(from);
  return divide(subtract(calculated(price), base), base);
}

/** Returns the signed distance in percent: −1.5 if `price` is 1.5 % below `from`. */
export const distancePercent = (price: string, from: string): string =>
  print(multiply(deviation(price, from), HUNDRED));

export const deviationPercent = (price: string, from: string): string =>
  print(absolute(calculated(distancePercent(price, from))));

/** What a typed percentage is a distance from. */
export interface PercentOrigin {
  /** A price above 0. */
  readonly from: string;
  /** The direction the price is meant for, which a percentage without a sign takes. */
  readonly sign: '+' | '-';
  /** Of a price; null if unknown, then as many as `from` has. */
  readonly decimals: number | null;
}

/**
 * Returns the price a typed percentage means, rounded half up: `-2%` from 65000 is 63700. Null if the text is no
 * percentage, or that price is not above 0.
 */
export function priceAtPercent(text: string, { from, sign, decimals }: PercentOrigin): string | null {
  const [, typed = '', digits] = PERCENT.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const share = divide(amount(digits), HUNDRED);
  const isBelow = (typed === '' ? sign : typed) !== '+';
  const price = multiply(calculated(from), add(ONE, isBelow ? negate(share) : share));
  const printed = printFixed(price, decimals ?? decimalsOf(from));
  return isPositive(amount(printed)) ? printed : null;
}
