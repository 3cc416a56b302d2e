/**
 * Keeps quotients as exact fractions until the end. Division rounds, and a rounded price can land on the wrong side of
 * a tier border; it is also the slow part of decimal arithmetic.
 */
import {
  type Amount,
  absolute,
  add,
  calculated,
  compare,
  divide,
  equal,
  isZero,
  less,
  multiply,
  ONE,
  print,
  round,
  significant,
  subtract,
  ZERO,
} from '../../amount.ts';

/** `numerator / denominator`; the denominator is never 0, and positive wherever fractions are compared. */
export interface Fraction {
  readonly numerator: Amount;
  readonly denominator: Amount;
}

export const fraction = (numerator: Amount, denominator: Amount): Fraction => ({ numerator, denominator });
export const whole = (value: Amount): Fraction => ({ numerator: value, denominator: ONE });
export const inverse = (value: Fraction): Fraction => fraction(value.denominator, value.numerator);

/** Returns −1, 0 or 1 without dividing; both denominators must be positive. */
export const compareFractions = (a: Fraction, b: Fraction): -1 | 0 | 1 =>
  compare(multiply(a.numerator, b.denominator), multiply(b.numerator, a.denominator));

/** Returns the exact sum in balanced halves, so that digits grow late; 1,000 different prices took 145 ms otherwise. */
export function sumFractions(values: readonly Fraction[]): Fraction {
  const [first = whole(ZERO)] = values;
  if (values.length < 2) return first;
  const middle = values.length >> 1;
  const left = sumFractions(values.slice(0, middle));
  const right = sumFractions(values.slice(middle));
  return fraction(
    add(multiply(left.numerator, right.denominator), multiply(right.numerator, left.denominator)),
    multiply(left.denominator, right.denominator),
  );
}

/** Returns one unit of the last of so many decimals: 0.01 for 2. */
export const lastPlace = (decimals: number): Amount =>
  decimals === 0 ? ONE : calculated(`0.${'0'.repeat(decimals - 1)}1`);

/** Significant digits of a quotient that does not terminate, well above the 12 promised to callers. */
const DIGITS = 20;
const TINY = calculated('0.00000000000000000001'); // 1e-20: below it 40 decimals hold fewer than 20 digits
const LIFT = calculated(`1${'0'.repeat(40)}`);
const LOWER = lastPlace(40);

/** Prints the quotient: every digit if it terminates within 40 decimals, else 20 significant ones. */
export function printFraction({ numerator, denominator }: Fraction): string {
  const quotient = divide(numerator, denominator);
  if (equal(multiply(quotient, denominator), numerator)) return print(quotient);
  if (!less(absolute(quotient), TINY)) return print(significant(quotient, DIGITS));
  return print(multiply(significant(divide(multiply(numerator, LIFT), denominator), DIGITS), LOWER));
}

/**
 * Returns the quotient (≥ 0) rounded down to `decimals`, exactly. Truncating a quotient already rounded at its 40th
 * decimal could turn 0.999… into a whole lot.
 */
export function floorFraction({ numerator, denominator }: Fraction, decimals: number): Amount {
  if (isZero(numerator)) return ZERO;
  const cut = round(divide(numerator, denominator), decimals, 'down');
  if (compare(multiply(cut, denominator), numerator) <= 0) return cut;
  return subtract(cut, lastPlace(decimals));
}
