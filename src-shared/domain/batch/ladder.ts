/**
 * Builds a ladder: orders between two prices that share a total size. Exact except for percent spacing, whose root is
 * computed with 40 digits and rounded at 30 decimals.
 */
import {
  add,
  type Amount,
  amount,
  decimalsOf,
  divide,
  greater,
  isPositive,
  isZero,
  less,
  multiply,
  ONE,
  print,
  printFixed,
  round,
  subtract,
  sum,
  ZERO,
} from '../../amount.ts';
import { averageEntry } from '../margin/margin.ts';
import { readNumber } from '../numeric/number-input.ts';
import { lastPlace } from '../numeric/fraction.ts';
import type { ContractSide } from '../../exchange-api/enums.ts';
import { counted } from '../display/counted.ts';

/** Most orders of one ladder. */
const MAX_LADDER = 200;

/** Even: equal differences between prices. Percent: equal ratios. */
export type LadderSpacing = 'even' | 'percent';
/** Flat: equal. Linear: 1, 2, 3 … parts. Geometric: each `ratio` times the previous one. Custom: parts as listed. */
export type LadderSizes = 'flat' | 'linear' | 'geometric' | 'custom';
export type LadderField = 'count' | 'from' | 'to' | 'total' | 'ratio' | 'parts';

export interface LadderInput {
  readonly contractSide: ContractSide;
  readonly count: string;
  readonly from: string;
  readonly to: string;
  /** In the symbol's quantity unit. */
  readonly total: string;
  readonly spacing: LadderSpacing;
  readonly sizes: LadderSizes;
  /** Geometric only. */
  readonly ratio: string;
  /** Custom only: one number per order, separated by spaces or semicolons. */
  readonly parts: string;
  /** What rounding down leaves: in no row, or in the last one. */
  readonly remainder?: 'leave' | 'last';
  /** From the contract specs; null if unknown, then as many decimals as were typed. */
  readonly priceDecimals: number | null;
  readonly quantityDecimals: number | null;
  /** The price that a percentage is measured from; null if unknown. */
  readonly percentOf: string | null;
}

export interface LadderRow {
  readonly price: string;
  readonly quantity: string;
}

export interface Ladder {
  readonly rows: readonly LadderRow[];
  /** Total minus the sum of the rows, left over by rounding down; never below 0. */
  readonly remainder: string;
  /** Of the total, percent to one decimal. */
  readonly remainderPercent: string;
  /** Rounded prices more than one row has, each once. */
  readonly repeated: readonly string[];
  /** Rows whose size rounds to 0, counted from 1; they cannot be sent. */
  readonly empty: readonly number[];
  /** Average price weighted by size; null if every size is 0. */
  readonly average: string | null;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

export interface LadderFault {
  readonly field: LadderField;
  readonly message: string;
  /** Whether the field is empty rather than invalid. */
  readonly missing: boolean;
}

export type LadderResult =
  | { readonly ok: true; readonly ladder: Ladder }
  | { readonly ok: false; readonly faults: readonly LadderFault[] };

/** Computes the rows. Rounds prices half up and sizes down, to the known decimals or those typed. Never throws. */
export function ladderOf(input: LadderInput): LadderResult {
  const faults: LadderFault[] = [];
  const from = number(faults, 'from', 'From', input.from, input.percentOf);
  const to = number(faults, 'to', 'To', input.to, input.percentOf);
  const total = number(faults, 'total', 'Total size', input.total);
  const count = countOf(faults, input.count);
  const weights = count === null ? null : weightsOf(faults, input, count);
  if (from !== null && to !== null && count !== null && count > 1 && from === to) {
    const message = `All ${count} orders would be at ${from}. Enter two prices, or one order.`;
    faults.push({ field: 'to', message, missing: false });
  }
  if (from === null || to === null || total === null || weights === null || faults.length > 0) {
    return { ok: false, faults };
  }
  const priceDecimals = input.priceDecimals ?? Math.max(decimalsOf(from), decimalsOf(to));
  const quantityDecimals = input.quantityDecimals ?? decimalsOf(total);
  const prices = pricesOf(amount(from), amount(to), weights.length, input.spacing).map((price) =>
    printFixed(price, priceDecimals),
  );
  const bad = prices.find((price) => isZero(amount(price)));
  if (bad !== undefined) {
    const message = `At ${priceDecimals} decimals a price rounds to 0. Enter higher prices.`;
    return { ok: false, faults: [{ field: 'from', message, missing: false }] };
  }
  const sizes = sizesOf(amount(total), weights, quantityDecimals);
  const over = round(subtract(amount(total), sum(sizes)), quantityDecimals, 'down');
  const extra = input.remainder === 'last' ? over : ZERO;
  const rows = prices.map((price, index) => {
    const size = sizes[index]!;
    const isLast = index === prices.length - 1;
    return { price, quantity: printFixed(isLast ? add(size, extra) : size, quantityDecimals, 'down') };
  });
  const remainder = subtract(amount(total), sum(rows.map((row) => amount(row.quantity))));
  const filled = rows.filter((row) => isPositive(amount(row.quantity)));
  const fills = filled.map((row) => [row.quantity, row.price] as const);
  return {
    ok: true,
    ladder: {
      rows,
      remainder: print(remainder),
      remainderPercent: printFixed(divide(multiply(remainder, amount('100')), amount(total)), 1),
      repeated: [...new Set(prices.filter((price, index) => prices.indexOf(price) !== index))],
      empty: rows.flatMap((row, index) => (isZero(amount(row.quantity)) ? [index + 1] : [])),
      average: fills.length === 0 ? null : averageEntry({ contractSide: input.contractSide, fills }),
      priceDecimals,
      quantityDecimals,
    },
  };
}

function number(
  faults: LadderFault[],
  field: LadderField,
  name: string,
  typed: string,
  percentOf?: string | null,
): string | null {
  const read = readNumber(name, typed, percentOf);
  if (read.ok) return read.text;
  faults.push({ field, message: read.message, missing: read.empty });
  return null;
}

function countOf(faults: LadderFault[], typed: string): number | null {
  const text = typed.trim();
  const count = /^\d{1,3}$/.test(text) ? Number.parseInt(text, 10) : 0;
  if (count >= 1 && count <= MAX_LADDER) return count;
  const message =
    text === ''
      ? 'Orders is missing.'
      : `Orders “${text.slice(0, 12)}”: a whole number from 1 to ${MAX_LADDER}.`;
  faults.push({ field: 'count', message, missing: text === '' });
  return null;
}

/** Returns one weight per order; null after adding a fault. */
function weightsOf(faults: LadderFault[], input: LadderInput, count: number): readonly Amount[] | null {
  const each = Array.from({ length: count }, (_, index) => index);
  if (input.sizes === 'flat') return each.map(() => ONE);
  if (input.sizes === 'linear') return each.map((index) => amount(String(index + 1)));
  if (input.sizes === 'geometric') {
    const ratio = number(faults, 'ratio', 'Ratio', input.ratio);
    if (ratio === null) return null;
    if (greater(amount(ratio), amount('10')) || less(amount(ratio), amount('0.1')) || decimalsOf(ratio) > 4) {
      const message = `Ratio ${ratio}: from 0.1 to 10, with at most 4 decimals.`;
      faults.push({ field: 'ratio', message, missing: false });
      return null;
    }
    const weights: Amount[] = [];
    // 60 decimals each: anything smaller rounds to 0 at any exchange's decimals.
    for (
      let part: Amount = ONE;
      weights.length < count;
      part = round(multiply(part, amount(ratio)), 60, 'half-up')
    ) {
      weights.push(part);
    }
    return weights;
  }
  const listed = input.parts.split(/[\s;]+/).filter((part) => part !== '');
  if (listed.length !== count) {
    const message =
      listed.length === 0
        ? `Enter ${counted(count, 'weight')}, such as 1 2 4.`
        : `${counted(listed.length, 'weight')} for ${counted(count, 'order')}. Enter one per order, separated by spaces.`;
    faults.push({ field: 'parts', message, missing: listed.length === 0 });
    return null;
  }
  const parts = listed.map((part) => number(faults, 'parts', 'Weight', part));
  return parts.some((part) => part === null)
    ? null
    : parts.flatMap((part) => (part === null ? [] : [amount(part)]));
}

function pricesOf(from: Amount, to: Amount, count: number, spacing: LadderSpacing): Amount[] {
  if (count === 1) return [from];
  const steps = count - 1;
  const at = (index: number): Amount => amount(String(index));
  if (spacing === 'even') {
    // Multiplies before dividing, so that each price is exact to the 40th decimal.
    return Array.from({ length: count }, (_, index) =>
      add(from, divide(multiply(subtract(to, from), at(index)), at(steps))),
    );
  }
  const [low, high] = less(from, to) ? [from, to] : [to, from];
  const step = root(divide(high, low), steps);
  const rising: Amount[] = [low];
  let exact = low;
  for (let index = 1; index < steps; index++) {
    exact = round(multiply(exact, step), CARRIED, 'half-up');
    rising.push(round(exact, 30, 'half-up'));
  }
  rising.push(high);
  return less(from, to) ? rising : rising.reverse();
}

/** Decimals of intermediate powers. */
const CARRIED = 60;
const TWO = amount('2');

/**
 * Returns the `degree`-th root of `value` ≥ 1 to about 39 decimals. Starts at a root of the next lower power of two, found
 * by square roots: from further above, the steps of Newton's method would be as many as `degree` times the logarithm.
 */
function root(value: Amount, degree: number): Amount {
  let start = value;
  for (let left = degree; left > 1; left = Math.floor(left / 2))
    start = rootFrom(divide(add(start, ONE), TWO), start, 2);
  return rootFrom(start, value, degree);
}

/** Returns the root by Newton's method, which falls from a `guess` above it until it is found. */
function rootFrom(guess: Amount, value: Amount, degree: number): Amount {
  const rest = divide(value, power(guess, degree - 1));
  const next = divide(add(multiply(amount(String(degree - 1)), guess), rest), amount(String(degree)));
  return less(next, guess) ? rootFrom(next, value, degree) : guess;
}

function power(base: Amount, exponent: number): Amount {
  let result = ONE;
  let square = base;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = round(multiply(result, square), CARRIED, 'half-up');
    square = round(multiply(square, square), CARRIED, 'half-up');
  }
  return result;
}

/** @param weights not negative, and not all 0: the first of each kind is above 0 */
function sizesOf(total: Amount, weights: readonly Amount[], decimals: number): Amount[] {
  const all = sum(weights);
  return weights.map((weight) => {
    const share = divide(multiply(total, weight), all);
    const down = round(share, decimals, 'down');
    // The quotient is rounded half up at its 40th decimal, which may lift it over a whole step.
    return greater(multiply(down, all), multiply(total, weight)) ? subtract(down, lastPlace(decimals)) : down;
  });
}
