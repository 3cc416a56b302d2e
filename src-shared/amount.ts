/**
 * Exact decimals. The only file that uses big.js, so no float or exponent can enter (`JSON.stringify(Big('1e-8'))`
 * prints `"1e-8"`). Texts are plain decimals (`-12.50`). Results are exact; quotients are rounded at 40 decimals.
 */
import BigJs from 'big.js';

/** A separate constructor, so that other users of the library cannot change its settings. */
const Big = BigJs();
Big.strict = true; // rejects numbers: `Big(0.1)` throws instead of rounding
Big.DP = 40; // 1e-8 / 1e15 still has 17 significant digits
Big.RM = Big.roundHalfUp;

/** An exact decimal value. Opaque: use the functions below, not its methods. */
export type Amount = InstanceType<typeof Big>;

/** Rounding modes: `down` is toward zero, `floor` toward −∞, `ceil` toward +∞. */
export type Rounding = 'down' | 'up' | 'half-up' | 'half-even' | 'floor' | 'ceil';

/** Most digits of a decimal that is typed or sent; longer texts are rejected, never rounded. */
export const MAX_INTEGER_DIGITS = 24;
export const MAX_FRACTION_DIGITS = 18;

const DECIMAL = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/;
const UNSIGNED = /^(?:0|[1-9]\d{0,23})(?:\.\d{1,18})?$/;

/** Reports whether a text is a plain signed decimal of at most 40 digits before and after the point. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text);
/** Reports whether a text may be typed or sent: unsigned, at most 24 digits before and 18 after the point. */
export const isUnsignedDecimal = (text: string): boolean => UNSIGNED.test(text);

export class AmountError extends Error {
  override readonly name = 'AmountError';
}

/** Parses a plain decimal. Throws AmountError for anything `isDecimal` rejects. */
export function amount(text: string): Amount {
  if (!DECIMAL.test(text)) throw new AmountError(`not a plain decimal: ${text.slice(0, 60)}`);
  return new Big(text);
}

const CALCULATED = /^-?(?:0|[1-9]\d{0,199})(?:\.\d{1,200})?$/;

/**
 * Parses a text this app printed itself: products and quotients have more digits than external decimals. Throws
 * AmountError beyond 200 digits on each side.
 */
export function calculated(text: string): Amount {
  if (!CALCULATED.test(text)) throw new AmountError(`not a plain decimal: ${text.slice(0, 60)}`);
  return new Big(text);
}

const ANY_DIGIT = /[1-9]/;
/** Returns −1, 0 or 1 without parsing, since screens call it hundreds of times a second. Throws as `calculated`. */
export function signOf(text: string): -1 | 0 | 1 {
  if (!CALCULATED.test(text)) throw new AmountError(`not a plain decimal: ${text.slice(0, 60)}`);
  if (!ANY_DIGIT.test(text)) return 0;
  return text.startsWith('-') ? -1 : 1;
}

export const ZERO: Amount = new Big('0');
export const ONE: Amount = new Big('1');

/** Prints every digit, without exponent and without `-0`. */
export const print = (value: Amount): string => value.toFixed();

/** Prints with exactly `digits` decimals, without `-0`. */
export const printFixed = (value: Amount, digits: number, rounding: Rounding = 'half-up'): string =>
  round(value, digits, rounding).toFixed(digits);

export const add = (a: Amount, b: Amount): Amount => a.plus(b);
export const subtract = (a: Amount, b: Amount): Amount => a.minus(b);
export const multiply = (a: Amount, b: Amount): Amount => a.times(b);
/**
 * Returns the quotient with 40 decimals, rounded half away from zero. Throws AmountError for a zero divisor. Uses
 * bigint division: big.js divides digit by digit, which takes ten times as long.
 */
export function divide(a: Amount, b: Amount): Amount {
  if (b.eq(ZERO)) throw new AmountError('division by zero');
  const shift = Big.DP + unitExponent(a) - unitExponent(b);
  const numerator = coefficient(a) * 10n ** BigInt(Math.max(0, shift));
  const denominator = coefficient(b) * 10n ** BigInt(Math.max(0, -shift));
  const digits = ((2n * numerator + denominator) / (2n * denominator)).toString().padStart(Big.DP + 1, '0');
  const point = digits.length - Big.DP;
  return new Big(`${a.s === b.s ? '' : '-'}${digits.slice(0, point)}.${digits.slice(point)}`);
}

/** |value| = coefficient × 10^unitExponent. */
const coefficient = ({ c }: Amount): bigint => BigInt(c.join(''));
const unitExponent = ({ c, e }: Amount): number => e - c.length + 1;
export const negate = (a: Amount): Amount => ZERO.minus(a);
export const absolute = (a: Amount): Amount => a.abs();
export const sum = (values: Iterable<Amount>): Amount => {
  let total: Amount = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
};

/** Returns −1, 0 or 1. */
export const compare = (a: Amount, b: Amount): -1 | 0 | 1 => a.cmp(b);
export const equal = (a: Amount, b: Amount): boolean => a.eq(b);
export const less = (a: Amount, b: Amount): boolean => a.lt(b);
export const lessOrEqual = (a: Amount, b: Amount): boolean => a.lte(b);
export const greater = (a: Amount, b: Amount): boolean => a.gt(b);
export const greaterOrEqual = (a: Amount, b: Amount): boolean => a.gte(b);
export const isZero = (a: Amount): boolean => a.eq(ZERO);
export const isPositive = (a: Amount): boolean => a.gt(ZERO);
export const isNegative = (a: Amount): boolean => a.lt(ZERO);
export const smaller = (a: Amount, b: Amount): Amount => (a.lt(b) ? a : b);
export const larger = (a: Amount, b: Amount): Amount => (a.gt(b) ? a : b);

/** Rounds to `digits` decimals. */
export function round(value: Amount, digits: number, rounding: Rounding): Amount {
  switch (rounding) {
    case 'down':
      return value.round(digits, Big.roundDown);
    case 'up':
      return value.round(digits, Big.roundUp);
    case 'half-up':
      return value.round(digits, Big.roundHalfUp);
    case 'half-even':
      return value.round(digits, Big.roundHalfEven);
    case 'floor':
      return value.round(digits, value.lt(ZERO) ? Big.roundUp : Big.roundDown);
    case 'ceil':
      return value.round(digits, value.lt(ZERO) ? Big.roundDown : Big.roundUp);
  }
}

/** Rounds half up to `digits` significant digits (≥ 1). */
export const significant = (value: Amount, digits: number): Amount => value.prec(digits, Big.roundHalfUp);

/** Returns the number of decimals of a text: `1.250` has 3. */
export function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** Compares two decimal texts: −1, 0 or 1. The sort order of number columns. */
export const compareText = (a: string, b: string): -1 | 0 | 1 => amount(a).cmp(amount(b));

/** Returns a value as it may be typed or sent, without trailing zeros if it is too long. Null if it still is. */
export function sendable(text: string): string | null {
  if (UNSIGNED.test(text)) return text;
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return UNSIGNED.test(plain) ? plain : null;
}

/** Zeros at the end. Looks behind: tried at each zero of a long text they take minutes. */
const END_ZEROS = /(?<!0)0+$/;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Converts any decimal text to a plain decimal of the same value: `1.0E7` → `10000000`, `0E-8` → `0`. Drops superfluous
 * zeros if there are too many. Null if it is no decimal or too long for `amount`.
 */
export function plainDecimal(text: string): string | null {
  if (DECIMAL.test(text)) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole + fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  // Position of the point, counted from the first non-zero digit.
  const point = digits.length - fraction.length + Number.parseInt(exponent, 10);
  const shifted = digits.padEnd(point, '0').padStart(digits.length - Math.min(point, 0), '0');
  const at = Math.max(point, 0);
  const decimals = shifted.slice(at).replace(END_ZEROS, '');
  const plain = `${sign === '-' ? '-' : ''}${shifted.slice(0, at) || '0'}${decimals === '' ? '' : `.${decimals}`}`;
  return DECIMAL.test(plain) ? plain : null;
}

/**
 * Returns the nearest float, for geometry only (bar widths, chart coordinates). Never for a value that is shown,
 * checked or sent.
 */
export const toPixels = (value: Amount): number => Number.parseFloat(value.toFixed(17));
