/**
 * The first point at which equity no longer exceeds maintenance margin plus closing fee.
 *
 * Written in x, of which every value is a multiple: x is the price of a linear contract and 1/price of an
 * inverse one, so that value = quantity × x and profit = sign × quantity × (x − entry) hold for both (an
 * inverse long is a linear short in x). Between two tier borders the excess is a straight line, so each tier
 * is solved once, exactly, and the walk ends after at most as many steps as there are borders.
 */
import {
  add,
  type Amount,
  isNegative,
  isPositive,
  multiply,
  negate,
  ONE,
  subtract,
  ZERO,
} from '../amount.ts';
import { compareFractions, type Fraction, fraction, whole } from './fraction.ts';
import type { Convention } from './margin.ts';
import { rowAt, tierIndex, type TierTable } from './tiers.ts';

/** One position that moves with x. */
export interface Leg {
  /** 1 where profit grows with x (linear long, inverse short), −1 where it falls. */
  readonly sign: 1 | -1;
  readonly quantity: Amount;
  /** x of the entry; denominator above 0. */
  readonly entry: Fraction;
  readonly table: TierTable;
  readonly convention: Convention;
  /** Share of the value at x taken as closing fee. */
  readonly feeRate: Amount;
}

/** Equity − maintenance − fee = intercept + slope × x, both times one positive factor that keeps them exact. */
interface Line {
  intercept: Amount;
  slope: Amount;
}

/** Sign carriers of the line at x ≥ 0. */
const at = (line: Line, x: Fraction): Amount =>
  add(multiply(line.intercept, x.denominator), multiply(line.slope, x.numerator));

const root = (line: Line): Fraction => fraction(negate(line.intercept), line.slope);

/** The walk's place: the tier each leg is in and the line that holds there. */
class Segment {
  readonly line: Line;
  readonly #legs: readonly Leg[];
  readonly #indices: number[];
  readonly #factor: Amount;

  constructor(legs: readonly Leg[], constant: Amount, start: Fraction) {
    this.#legs = legs;
    this.#factor = legs.reduce((factor, leg) => multiply(factor, leg.entry.denominator), ONE);
    this.#indices = [];
    this.line = { intercept: multiply(this.#factor, constant), slope: ZERO };
    for (const leg of legs) {
      const value = fraction(multiply(leg.quantity, start.numerator), start.denominator);
      const index = tierIndex(leg.table, value);
      this.#indices.push(index);
      this.#carry(leg);
      this.#burden(leg, index, 1);
    }
  }

  /** Nearest border on the way, above or below; `undefined` where the last or first tier has none. */
  border(direction: 1 | -1): Fraction | undefined {
    let nearest: Fraction | undefined;
    this.#legs.forEach((leg, position) => {
      const border = this.#borderOf(leg, position, direction);
      if (!border) return;
      if (!nearest || compareFractions(border, nearest) === -direction) nearest = border;
    });
    return nearest;
  }

  /** Moves every leg whose border this is into its next tier. */
  cross(border: Fraction, direction: 1 | -1): void {
    this.#legs.forEach((leg, position) => {
      const own = this.#borderOf(leg, position, direction);
      if (!own || compareFractions(own, border) !== 0) return;
      const index = this.#indexAt(position);
      this.#burden(leg, index, -1);
      this.#burden(leg, index + direction, 1);
      this.#indices[position] = index + direction;
    });
  }

  #indexAt(position: number): number {
    return this.#indices[position] ?? 0;
  }

  #borderOf(leg: Leg, position: number, direction: 1 | -1): Fraction | undefined {
    const index = this.#indexAt(position);
    const next = index + direction;
    if (next < 0 || next >= leg.table.length) return undefined;
    return fraction(rowAt(leg.table, Math.min(index, next)).max, leg.quantity);
  }

  /** Profit less closing fee: sign × quantity × (x − entry) − quantity × fee × x. */
  #carry(leg: Leg): void {
    const { intercept, slope } = this.line;
    const others = this.#legs.reduce(
      (product, leg2) => (leg2 === leg ? product : multiply(product, leg2.entry.denominator)),
      leg.entry.numerator,
    );
    const cost = multiply(leg.quantity, others);
    this.line.intercept = leg.sign === 1 ? subtract(intercept, cost) : add(intercept, cost);
    const share = leg.sign === 1 ? subtract(ONE, leg.feeRate) : negate(add(ONE, leg.feeRate));
    this.line.slope = add(slope, multiply(this.#factor, multiply(leg.quantity, share)));
  }

  /** Takes the maintenance margin of a tier off the line (`times` 1) or gives it back (−1). */
  #burden(leg: Leg, index: number, times: 1 | -1): void {
    const { intercept, slope } = this.line;
    const row = rowAt(leg.table, index);
    const share = multiply(this.#factor, multiply(leg.quantity, row.rate));
    this.line.slope = times === 1 ? subtract(slope, share) : add(slope, share);
    if (leg.convention === 'flat') return;
    const deduction = multiply(this.#factor, row.deduction);
    this.line.intercept = times === 1 ? add(intercept, deduction) : subtract(intercept, deduction);
  }
}

/**
 * First x from `start` (> 0, included) in `direction` at which `constant` + profit of the legs is at or below
 * their maintenance margin + closing fee; the border where a jump of the rate skips over the condition;
 * `null` when there is none above 0. Each leg is a distinct object. Source: accounting.md.
 */
export function firstReached(
  legs: readonly Leg[],
  constant: Amount,
  start: Fraction,
  direction: 1 | -1,
): Fraction | null {
  const segment = new Segment(legs, constant, start);
  if (!isPositive(at(segment.line, start))) return start;
  return direction === 1 ? walkUp(segment) : walkDown(segment);
}

/** Tiers hold their upper border, so a segment upward is (from, border]: the jump comes just after it. */
function walkUp(segment: Segment): Fraction | null {
  for (;;) {
    const border = segment.border(1);
    if (!border) return isNegative(segment.line.slope) ? root(segment.line) : null;
    if (!isPositive(at(segment.line, border))) return root(segment.line);
    segment.cross(border, 1);
    const after = at(segment.line, border);
    // Exactly 0 just after the border and not rising: met at every point beyond, however near.
    if (isNegative(after) || (!isPositive(after) && !isPositive(segment.line.slope))) return border;
  }
}

/**
 * Downward a segment is (border, from]: the border itself is in the lower tier. A line that falls to exactly
 * 0 there has not met the condition; whether the border does is the lower tier's to say.
 */
function walkDown(segment: Segment): Fraction | null {
  for (;;) {
    const border = segment.border(-1);
    if (isNegative(at(segment.line, border ?? whole(ZERO)))) return root(segment.line);
    if (!border) return null;
    segment.cross(border, -1);
    if (!isPositive(at(segment.line, border))) return border;
  }
}
