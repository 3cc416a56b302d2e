/**
 * Integer arithmetic: money in atoms (1e-8 of a coin), rates in 1e-8, prices in ticks, quantities in lots. A
 * function rounds only if its name says so.
 */
export const COIN_DECIMALS = 8;
export const RATE_DECIMALS = 8;
export const RATE_ONE = 100_000_000n;

/** Greatest whole number not above a / b (b > 0). BigInt division truncates, so negative dividends need a step. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient;
}

/** Smallest whole number not below a / b (b > 0). */
export function ceilDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a > 0n && quotient * b !== a ? quotient + 1n : quotient;
}

/** Nearest whole number to a / b (b > 0), halves away from zero. */
export function nearestDiv(a: bigint, b: bigint): bigint {
  return a < 0n ? -((-a * 2n + b) / (b * 2n)) : (a * 2n + b) / (b * 2n);
}

/** `floor(whole × part / of)`: a share that never exceeds the whole. */
export const share = (whole: bigint, part: number, of: number): bigint =>
  part === of ? whole : floorDiv(whole * BigInt(part), BigInt(of));

export const abs = (a: bigint): bigint => (a < 0n ? -a : a);
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Parses plain decimal text as an integer count of 10^-decimals; `null` when it has more decimals. */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return null;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  const digits = BigInt((match[2] ?? '') + fraction.padEnd(decimals, '0'));
  return match[1] === '-' ? -digits : digits;
}

/** As `parseUnits`, for texts of this program's own tables. Throws on an invalid text. */
export function units(text: string, decimals: number): bigint {
  const value = parseUnits(text, decimals);
  if (value === null) throw new Error(`not a decimal with at most ${decimals} places: ${text}`);
  return value;
}

/** Prints exactly `decimals` places. Used for prices and quantities, whose places show the tick and the lot. */
export function printPlaces(value: bigint, decimals: number): string {
  if (decimals === 0) return value.toString();
  const digits = abs(value)
    .toString()
    .padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${value < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Prints without trailing zeros. Used for money and rates. */
export function printTrimmed(value: bigint, decimals: number): string {
  const text = printPlaces(value, decimals);
  return decimals === 0 ? text : text.replace(/\.?0+$/, '');
}

export const printMoney = (atoms: bigint): string => printTrimmed(atoms, COIN_DECIMALS);
export const printRate = (rate: bigint): string => printTrimmed(rate, RATE_DECIMALS);
