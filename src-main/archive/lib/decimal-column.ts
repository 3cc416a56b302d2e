/**
 * A decimal column in memory as integer limbs, so that a million rows are compared, sorted and summed exactly without
 * text: 15 digits before the point, 9 after it, and further limbs only where needed. Every limb has the number's sign,
 * so limbs compare like digits, highest first.
 */

const WHOLE_DIGITS = 15;
const FRACTION_DIGITS = 9;
const ZERO_CODE = 48;
/** Partial sums are flushed at this value: limbs are below 10^15, so sums stay safe integers. */
const FLUSH_AT = 2 ** 52;
/** Decimals of the unit of `unitsText`: the most a decimal may have. */
export const SCALE = 40;

/** Digits of each limb, the lowest first: 40 after the point, then 40 before it. */
const LIMB_DIGITS = [4, 9, 9, 9, FRACTION_DIGITS, WHOLE_DIGITS, 9, 9, 7] as const;
const FRACTION = 4;
const WHOLE = 5;
const TOP = LIMB_DIGITS.length - 1;
/** Value of one unit of each limb, in 10^-40. */
const WEIGHTS: readonly bigint[] = LIMB_DIGITS.map(
  (_, level) => 10n ** BigInt(LIMB_DIGITS.slice(0, level).reduce<number>((sum, digits) => sum + digits, 0)),
);
/** One unit of the next limb, in units of this one. */
const CARRIES: readonly number[] = LIMB_DIGITS.map((digits) => 10 ** digits);

export type Limb = Float64Array | Int32Array;
/** By level, the lowest first; null where no row uses it. */
type Limbs = readonly (Limb | null)[];

/** Digits `from` … `to` as a whole number. */
export function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + bytes[at]! - ZERO_CODE;
  return value;
}
const TENS = Array.from({ length: FRACTION_DIGITS + 1 }, (_, power) => 10 ** power);
/** `count` digits from `from`, with zeros where the text has ended. */
function padded(bytes: Uint8Array, from: number, to: number, count: number): number {
  const end = Math.min(to, from + count);
  return digits(bytes, from, end) * TENS[count - (end - from)]!;
}
export const MINUS_CODE = 45;
const POINT_CODE = 46;
const encoder = new TextEncoder();

/** A column of plain decimals (checked when received) or ids of digits; empty text counts as 0. */
export class DecimalColumn {
  readonly #capacity: number;
  readonly #whole: Float64Array;
  readonly #fraction: Int32Array;
  readonly #levels: (Limb | null)[];

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#whole = new Float64Array(capacity);
    this.#fraction = new Int32Array(capacity);
    this.#levels = LIMB_DIGITS.map(() => null);
    this.#levels[WHOLE] = this.#whole;
    this.#levels[FRACTION] = this.#fraction;
  }

  /** Sets a row from ASCII bytes `from` … `to` (exclusive), without creating text. */
  set(at: number, bytes: Uint8Array, from: number, to: number): void {
    const negative = bytes[from] === MINUS_CODE;
    const sign = negative ? -1 : 1;
    const start = negative ? from + 1 : from;
    let end = start;
    while (end < to && bytes[end] !== POINT_CODE) end++;
    const middle = Math.max(start, end - WHOLE_DIGITS);
    this.#whole[at] = sign * digits(bytes, middle, end);
    if (middle > start) this.#setHigh(at, sign, bytes, start, middle);
    if (end === to) return;
    this.#fraction[at] = sign * padded(bytes, end + 1, to, FRACTION_DIGITS);
    if (to > end + 1 + FRACTION_DIGITS) this.#setLow(at, sign, bytes, end + 1 + FRACTION_DIGITS, to);
  }

  /** Sets a row from text. */
  setText(at: number, text: string): void {
    const bytes = encoder.encode(text);
    this.set(at, bytes, 0, bytes.length);
  }

  /** Every limb by its level. */
  levels(): Limbs {
    return this.#levels;
  }

  /** The limbs in use, lowest first. */
  limbs(): readonly Limb[] {
    return this.#levels.filter((one) => one !== null);
  }

  /** Value of one unit of each of those limbs, in 10^-40. */
  weights(): readonly bigint[] {
    return WEIGHTS.filter((_, level) => this.#levels[level] !== null);
  }

  signOf(at: number): number {
    for (let level = TOP; level >= 0; level--) {
      const value = this.#levels[level]?.[at] ?? 0;
      if (value !== 0) return Math.sign(value);
    }
    return 0;
  }

  /** Every limb of a row by its level, 0 where it is not in use. */
  limbsOf(at: number): readonly number[] {
    return this.#levels.map((one) => one?.[at] ?? 0);
  }

  /** Returns a test whether a row is within inclusive bounds (decimal text; null means unbounded). */
  bounds(from: string | null, to: string | null): (at: number) => boolean {
    const [least, most] = [limbsOfText(from), limbsOfText(to)];
    if (this.limbs().length === 2 && isShort(least) && isShort(most)) return this.#shortBounds(least, most);
    return (at) =>
      (least === null || this.#order(at, least) >= 0) && (most === null || this.#order(at, most) <= 0);
  }

  /** Bounds for the usual two limbs, without a loop per row. */
  #shortBounds(least: readonly number[] | null, most: readonly number[] | null): (at: number) => boolean {
    const [whole, fraction] = [this.#whole, this.#fraction];
    const [leastWhole, leastFraction] = [least?.[WHOLE] ?? -Infinity, least?.[FRACTION] ?? 0];
    const [mostWhole, mostFraction] = [most?.[WHOLE] ?? Infinity, most?.[FRACTION] ?? 0];
    return (at) => {
      const value = whole[at]!;
      if (value < leastWhole || value > mostWhole) return false;
      return (
        (value !== leastWhole || fraction[at]! >= leastFraction) &&
        (value !== mostWhole || fraction[at]! <= mostFraction)
      );
    };
  }

  /** Compares a row with a limit: the highest limb that differs decides. */
  #order(at: number, limit: readonly number[]): number {
    for (let level = TOP; level >= 0; level--) {
      const own = this.#levels[level]?.[at] ?? 0;
      if (own !== limit[level]) return own < limit[level]! ? -1 : 1;
    }
    return 0;
  }

  #limb(level: number): Limb {
    return (this.#levels[level] ??= new Int32Array(this.#capacity));
  }

  /** Digits beyond the 15 before the point: `start` … `end`. */
  #setHigh(at: number, sign: number, bytes: Uint8Array, start: number, end: number): void {
    for (let level = WHOLE + 1; end > start && level <= TOP; level++) {
      const from = Math.max(start, end - LIMB_DIGITS[level]!);
      this.#limb(level)[at] = sign * digits(bytes, from, end);
      end = from;
    }
  }

  /** Digits beyond the 9 after the point. */
  #setLow(at: number, sign: number, bytes: Uint8Array, start: number, end: number): void {
    for (let level = FRACTION - 1; start < end && level >= 0; level--) {
      this.#limb(level)[at] = sign * padded(bytes, start, end, LIMB_DIGITS[level]!);
      start += LIMB_DIGITS[level]!;
    }
  }
}

function limbsOfText(text: string | null): readonly number[] | null {
  if (text === null) return null;
  const one = new DecimalColumn(1);
  one.setText(0, text);
  return one.limbsOf(0);
}

const isShort = (limbs: readonly number[] | null): boolean =>
  limbs === null || limbs.every((one, level) => one === 0 || level === WHOLE || level === FRACTION);

/** Adds rows of a column exactly. */
export class ColumnSum {
  readonly #limbs: readonly Limb[];
  readonly #weights: readonly bigint[];
  readonly #open: number[];
  #closed = 0n;

  constructor(column: DecimalColumn) {
    this.#limbs = column.limbs();
    this.#weights = column.weights();
    this.#open = this.#limbs.map(() => 0);
  }

  add(at: number): void {
    const [limbs, open] = [this.#limbs, this.#open];
    for (let level = 0; level < limbs.length; level++) {
      open[level]! += limbs[level]![at]!;
      if (Math.abs(open[level]!) >= FLUSH_AT) this.#flush(level);
    }
  }

  /** The total as plain decimal text without trailing zeros. */
  text(): string {
    for (let level = 0; level < this.#limbs.length; level++) this.#flush(level);
    return unitsText(this.#closed);
  }

  #flush(level: number): void {
    this.#closed += BigInt(this.#open[level]!) * this.#weights[level]!;
    this.#open[level] = 0;
  }
}

/** Writes a number of 10^-40 as plain decimal text without trailing zeros. */
export function unitsText(units: bigint): string {
  const text = String(units < 0n ? -units : units).padStart(SCALE + 1, '0');
  const decimal = `${text.slice(0, -SCALE)}.${text.slice(-SCALE)}`.replace(/\.?0+$/, '');
  return units < 0n ? `-${decimal}` : decimal;
}

/** A sum that rows are added to or subtracted from, with its sign after each. */
export class RunningSum {
  readonly #levels: Limbs;
  readonly #lowest: number;
  readonly #highest: number;
  readonly #value = LIMB_DIGITS.map(() => 0);

  constructor(column: DecimalColumn) {
    this.#levels = column.levels();
    this.#lowest = this.#levels.findIndex((one) => one !== null);
    this.#highest = this.#levels.findLastIndex((one) => one !== null);
  }

  add(at: number, sign: 1 | -1): void {
    const [levels, value, highest] = [this.#levels, this.#value, this.#highest];
    for (let level = this.#lowest; level <= highest; level++) {
      const limb = levels[level] ?? null;
      if (limb !== null) value[level]! += sign * limb[at]!;
      const most = CARRIES[level]!;
      // Each limb stays below its carry, so the lower ones together are less than one unit of it.
      if (level === TOP || Math.abs(value[level]!) < most) continue;
      const over = value[level]! < 0 ? -1 : 1;
      value[level]! -= over * most;
      value[level + 1]! += over;
    }
  }

  sign(): number {
    // The highest limb that is not 0 decides.
    for (let level = TOP; level >= this.#lowest; level--)
      if (this.#value[level] !== 0) return Math.sign(this.#value[level]!);
    return 0;
  }

  /** 10^-40 */
  units(): bigint {
    return this.#value.reduce((sum, one, level) => sum + BigInt(one) * WEIGHTS[level]!, 0n);
  }
}
