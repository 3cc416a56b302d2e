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

/** Low, fraction, whole, high; null where no row uses it. */
type Parts = readonly [Limb | null, Limb, Limb, Limb | null];

export interface DecimalColumn {
  /** A decimal as ASCII: bytes `from` … `to` (without it). No text is made for each of a million rows. */
  readonly set: (at: number, bytes: Uint8Array, from: number, to: number) => void;
  parts(): Parts;
  /** The limbs in use, lowest first. */
  limbs(): readonly Limb[];
  /** What one unit of each of those limbs counts, in 10^-18. */
  weights(): readonly bigint[];
  signOf(at: number): number;
  /** Every limb of a row, lowest first, 0 where it is not in use. */
  all(at: number): readonly number[];
  /** Whether a row's value lies within bounds (included, decimal text; null: none). */
  bounds(from: string | null, to: string | null): (at: number) => boolean;
}

/** Digits `from` … `to` as a whole number. */
export function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + bytes[at]! - ZERO_CODE;
  return value;
}
/** Nine digits from `from`, with zeros where the text has ended. */
function padded(bytes: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, from + FRACTION_DIGITS);
  return digits(bytes, from, end) * TENS[FRACTION_DIGITS - (end - from)]!;
}
const TENS = Array.from({ length: FRACTION_DIGITS + 1 }, (_, power) => 10 ** power);
export const MINUS_CODE = 45;
const POINT_CODE = 46;

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
    parts: () => [low, fraction, whole, high],
    set: (at, bytes, from, to) => {
      const negative = bytes[from] === MINUS_CODE;
      const sign = negative ? -1 : 1;
      const start = negative ? from + 1 : from;
      let end = start;
      while (end < to && bytes[end] !== POINT_CODE) end++;
      const middle = Math.max(start, end - WHOLE_DIGITS);
      whole[at] = sign * digits(bytes, middle, end);
      if (middle > start) {
        high ??= new Int32Array(capacity);
        high[at] = sign * digits(bytes, start, middle);
      }
      if (end === to) return;
      fraction[at] = sign * padded(bytes, end + 1, to);
      if (to <= end + 1 + FRACTION_DIGITS) return;
      low ??= new Int32Array(capacity);
      low[at] = sign * padded(bytes, end + 1 + FRACTION_DIGITS, to);
    },
    bounds(from, to) {
      const column = [low, fraction, whole, high];
      const limits = [from, to].map((text) => {
        if (text === null) return null;
        const one = createDecimalColumn(1);
        one.set(
          0,
          Uint8Array.from(text, (sign) => sign.charCodeAt(0)),
          0,
          text.length,
        );
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
        limits.every((one) => one === null || (one[0] === 0 && one[3] === 0))
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
    signOf: (at) => Math.sign((high?.[at] ?? 0) || whole[at]! || fraction[at]! || (low?.[at] ?? 0)),
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
      return calculated(unitsText(closed));
    },
  };
}

/** 10^-18 as decimal text. */
export function unitsText(units: bigint): string {
  const text = String(units < 0n ? -units : units).padStart(SCALE + 1, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -SCALE)}.${text.slice(-SCALE)}`;
}

/** A value that rows of a column are added to or taken from, whose sign is looked at after each. */
export interface Running {
  add(at: number, sign: 1 | -1): void;
  sign(): number;
  /** 10^-18 */
  units(): bigint;
}

/** What is carried from one limb into the next: of low, fraction and whole. */
const CARRIES = [10 ** FRACTION_DIGITS, 10 ** FRACTION_DIGITS, 10 ** WHOLE_DIGITS] as const;

export function createRunning(column: DecimalColumn): Running {
  const parts = column.parts();
  const [low, fraction, whole, high] = parts;
  const value = [0, 0, 0, 0];
  /** Each limb stays below its carry, so all lower ones together are less than one unit of it. */
  function carry(level: 0 | 1 | 2): void {
    const most = CARRIES[level];
    if (Math.abs(value[level]!) < most) return;
    const over = value[level]! < 0 ? -1 : 1;
    value[level]! -= over * most;
    value[level + 1]! += over;
  }
  return {
    add(at, sign) {
      if (low !== null) {
        value[0]! += sign * low[at]!;
        carry(0);
      }
      value[1]! += sign * fraction[at]!;
      carry(1);
      value[2]! += sign * whole[at]!;
      carry(2);
      if (high !== null) value[3]! += sign * high[at]!;
    },
    sign() {
      // The highest limb that is not 0 decides.
      return Math.sign(value[3]! || value[2]! || value[1]! || value[0]!);
    },
    units: () =>
      ((BigInt(value[3]!) * 10n ** 15n + BigInt(value[2]!)) * 10n ** 9n + BigInt(value[1]!)) * 10n ** 9n +
      BigInt(value[0]!),
  };
}
