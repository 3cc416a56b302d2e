/**
 * One decimal of every row in memory, as whole-number limbs, so that a million rows are compared, sorted and summed
 * exactly without a million texts: whole part, first nine decimals, and where they occur the digits beyond.
 * Every limb carries the number's sign, so limbs compare like digits, the highest first.
 */
import { calculated, type Amount } from '../../src-shared/amount.ts';

const WHOLE_DIGITS = 15;
const FRACTION_DIGITS = 9;
const ZERO_CODE = 48;
/** A running sum is put by from here on: a limb is below 10^15, so it never leaves the safe integers. */
const PUT_BY = 2 ** 52;
const SCALE = 18;

export type Limb = Float64Array | Int32Array;

export interface DecimalColumn {
  set(at: number, text: string): void;
  /** The limbs in use, lowest first. */
  limbs(): readonly Limb[];
  /** What one unit of each of those limbs counts, in 10^-18. */
  weights(): readonly bigint[];
  /** Every limb of a row, lowest first, 0 where it is not in use. */
  all(at: number): readonly number[];
  /** Whether a row's value lies within bounds (included, decimal text; null: none). */
  bounds(from: string | null, to: string | null): (at: number) => boolean;
}

/** Digits `from` … `to` of a text as a whole number. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - ZERO_CODE;
  return value;
}
/** As `digits`, with zeros where the text has ended. */
function padded(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++)
    value = value * 10 + (at < text.length ? text.charCodeAt(at) - ZERO_CODE : 0);
  return value;
}

/** Plain decimals only (checked when received), or ids of digits. */
export function createDecimalColumn(capacity: number): DecimalColumn {
  const whole = new Float64Array(capacity);
  const fraction = new Int32Array(capacity);
  let high: Int32Array | null = null;
  let low: Int32Array | null = null;

  function limbs(): Limb[] {
    return [...(low === null ? [] : [low]), fraction, whole, ...(high === null ? [] : [high])];
  }
  return {
    limbs,
    weights: () => [
      ...(low === null ? [] : [1n]),
      10n ** 9n,
      10n ** 18n,
      ...(high === null ? [] : [10n ** 33n]),
    ],
    set(at, text) {
      const negative = text.charCodeAt(0) === 45;
      const sign = negative ? -1 : 1;
      const start = negative ? 1 : 0;
      const point = text.indexOf('.');
      const end = point < 0 ? text.length : point;
      const middle = Math.max(start, end - WHOLE_DIGITS);
      whole[at] = sign * digits(text, middle, end);
      if (middle > start) {
        high ??= new Int32Array(capacity);
        high[at] = sign * digits(text, start, middle);
      }
      if (point < 0) return;
      fraction[at] = sign * padded(text, point + 1, FRACTION_DIGITS);
      if (text.length <= point + 1 + FRACTION_DIGITS) return;
      low ??= new Int32Array(capacity);
      low[at] = sign * padded(text, point + 1 + FRACTION_DIGITS, FRACTION_DIGITS);
    },
    bounds(from, to) {
      const column = [low, fraction, whole, high];
      const limits = [from, to].map((text) => {
        if (text === null) return null;
        const one = createDecimalColumn(1);
        one.set(0, text);
        return one.all(0);
      });
      /** The row beside a limit: the highest limb that differs decides. */
      const order = (at: number, limit: readonly number[]): number => {
        for (let level = column.length - 1; level >= 0; level--) {
          const own = column[level]?.[at] ?? 0;
          if (own !== limit[level]) return own < limit[level]! ? -1 : 1;
        }
        return 0;
      };
      const [least, most] = limits;
      // Nearly always two limbs are all there is: a million rows are compared without a loop each.
      if (
        low === null &&
        high === null &&
        limits.every((one) => one === null || (one?.[0] === 0 && one[3] === 0))
      ) {
        const [leastWhole, leastFraction] = [least?.[2] ?? -Infinity, least?.[1] ?? 0];
        const [mostWhole, mostFraction] = [most?.[2] ?? Infinity, most?.[1] ?? 0];
        return (at) => {
          const value = whole[at]!;
          if (value < leastWhole || value > mostWhole) return false;
          return (
            (value !== leastWhole || fraction[at]! >= leastFraction) &&
            (value !== mostWhole || fraction[at]! <= mostFraction)
          );
        };
      }
      return (at) =>
        (least === null || least === undefined || order(at, least) >= 0) &&
        (most === null || most === undefined || order(at, most) <= 0);
    },
    all: (at) => [low?.[at] ?? 0, fraction[at]!, whole[at]!, high?.[at] ?? 0],
  };
}

/** Adds rows of a column exactly. */
export interface ColumnSum {
  add(at: number): void;
  total(): Amount;
}

export function createColumnSum(column: DecimalColumn): ColumnSum {
  const limbs = column.limbs();
  const weights = column.weights();
  const open = limbs.map(() => 0);
  let closed = 0n;
  function putBy(level: number): void {
    closed += BigInt(open[level]!) * weights[level]!;
    open[level] = 0;
  }
  return {
    add(at) {
      for (let level = 0; level < limbs.length; level++) {
        open[level]! += limbs[level]![at]!;
        if (Math.abs(open[level]!) >= PUT_BY) putBy(level);
      }
    },
    total() {
      for (let level = 0; level < limbs.length; level++) putBy(level);
      const text = String(closed < 0n ? -closed : closed).padStart(SCALE + 1, '0');
      return calculated(`${closed < 0n ? '-' : ''}${text.slice(0, -SCALE)}.${text.slice(-SCALE)}`);
    },
  };
}
