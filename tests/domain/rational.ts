/** Exact rationals on BigInt for the oracle, without code of amount.ts or the domain. */
export interface Rational {
  readonly n: bigint;
  /** Above 0. */
  readonly d: bigint;
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

export function rational(n: bigint, d = 1n): Rational {
  if (d === 0n) throw new RangeError('denominator 0');
  const shared = gcd(n, d) * (d < 0n ? -1n : 1n);
  return shared === 0n ? { n: 0n, d: 1n } : { n: n / shared, d: d / shared };
}

export function parse(text: string): Rational {
  const [whole = '', part = ''] = text.split('.');
  return rational(BigInt(whole + part), 10n ** BigInt(part.length));
}

export const plus = (a: Rational, b: Rational): Rational => rational(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Rational, b: Rational): Rational => rational(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d);
export const over = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n);
export const order = (a: Rational, b: Rational): number => {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
export const signOf = (a: Rational): number => (a.n < 0n ? -1 : a.n > 0n ? 1 : 0);
export const ZERO: Rational = { n: 0n, d: 1n };
