/**
 * Finds the first point where equity no longer exceeds maintenance margin plus closing fee. In x, the price (linear) or
 * 1/price (inverse), value = quantity × x and PnL = sign × quantity × (x − entry) hold for both. Between tier borders
 * the excess is linear, so each tier is solved exactly.
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
} from '../../amount.ts';
import { compareFractions, type Fraction, fraction, whole } from '../numeric/fraction.ts';
import type { Convention } from './margin.ts';
import { rowAt, tierIndex, type TierTable } from './tiers.ts';

/** One position that moves with x. */
export interface Leg {
  /** 1 if PnL grows with x (linear long, inverse short), else −1. */
  readonly sign: 1 | -1;
  readonly quantity: Amount;
  /** x of the entry; denominator above 0. */
  readonly entry: Fraction;
  readonly table: TierTable;
  readonly convention: Convention;
  /** Closing fee as a share of the value at x. */
  readonly feeRate: Amount;
}

/** Equity − maintenance − fee = intercept + slope × x, both scaled by a positive factor to stay exact. */
interface Line {
  intercept: Amount;
  slope: Amount;
}

/** Returns a value with the line's sign at x ≥ 0. */
const at = (line: Line, x: Fraction): Amount =>
  add(multiply(line.intercept, x.denominator), multiply(line.slope, x.numerator));

const root = (line: Line): Fraction => fraction(negate(line.intercept), line.slope);

/** A leg and its current tier. */
interface Mover {
  readonly leg: Leg;
  /** Its quantity times the common factor. */
  readonly weight: Amount;
  index: number;
}

/** The tier of each leg and the line that is valid there. */
class Segment {
  readonly line: Line;
  readonly #movers: readonly Mover[];
  readonly #factor: Amount;

  constructor(legs: readonly Leg[], constant: Amount, start: Fraction) {
    const factor = legs.reduce((product, leg) => multiply(product, leg.entry.denominator), ONE);
    this.#factor = factor;
    this.line = { intercept: multiply(factor, constant), slope: ZERO };
    this.#movers = legs.map((leg) => {
      const value = fraction(multiply(leg.quantity, start.numerator), start.denominator);
      const mover = {
        leg,
        weight: multiply(factor, leg.quantity),
        index: tierIndex(leg.table, value),
      };
      this.#carry(mover, entryCost(leg, legs));
      return mover;
    });
  }

  /** Returns the nearest border above or below; undefined beyond the last or first tier. */
  border(direction: 1 | -1): Fraction | undefined {
    let nearest: Fraction | undefined;
    for (const mover of this.#movers) {
      const border = borderOf(mover, direction);
      if (border && (!nearest || compareFractions(border, nearest) === -direction)) nearest = border;
    }
    return nearest;
  }

  /** Moves every leg at this border into its next tier. */
  cross(border: Fraction, direction: 1 | -1): void {
    for (const mover of this.#movers) {
      const own = borderOf(mover, direction);
      if (!own || compareFractions(own, border) !== 0) continue;
      const { leg, weight, index } = mover;
      const from = rowAt(leg.table, index);
      const to = rowAt(leg.table, index + direction);
      mover.index = index + direction;
      this.line.slope = subtract(this.line.slope, multiply(weight, subtract(to.rate, from.rate)));
      if (leg.convention === 'marginal') this.#relieve(subtract(to.deduction, from.deduction));
    }
  }

  /** Adds a leg's PnL less closing fee and maintenance: weight × (sign − fee − rate) × x, less its cost. */
  #carry({ leg, weight, index }: Mover, cost: Amount): void {
    const { rate, deduction } = rowAt(leg.table, index);
    const burden = add(leg.feeRate, rate);
    const share = leg.sign === 1 ? subtract(ONE, burden) : negate(add(ONE, burden));
    const { intercept, slope } = this.line;
    this.line.slope = add(slope, multiply(weight, share));
    this.line.intercept = leg.sign === 1 ? subtract(intercept, cost) : add(intercept, cost);
    if (leg.convention === 'marginal') this.#relieve(deduction);
  }

  #relieve(deduction: Amount): void {
    this.line.intercept = add(this.line.intercept, multiply(this.#factor, deduction));
  }
}

/** Returns quantity × entry times the common factor; the leg's own denominator cancels, so nothing is divided. */
const entryCost = (leg: Leg, legs: readonly Leg[]): Amount =>
  legs.reduce(
    (product, other) => (other === leg ? product : multiply(product, other.entry.denominator)),
    multiply(leg.quantity, leg.entry.numerator),
  );

/** Returns the x at which the leg's value is at the border of its tier. */
function borderOf({ leg, index }: Mover, direction: 1 | -1): Fraction | undefined {
  const below = direction === 1 ? index : index - 1;
  if (below < 0 || below + 1 >= leg.table.length) return undefined;
  return fraction(rowAt(leg.table, below).max, leg.quantity);
}

/**
 * Returns the first x from `start` (> 0, inclusive) in `direction` at which `constant` + PnL of the legs ≤ their
 * maintenance margin + closing fee; the border if a rate jump skips over it; null if there is none above 0. Each leg is
 * a distinct object. Source: docs/accounting.md.
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

/** Searches upward. Tiers include their upper border, so a segment is (from, border] and the jump is just after it. */
function walkUp(segment: Segment): Fraction | null {
  for (;;) {
    const border = segment.border(1);
    if (!border) return isNegative(segment.line.slope) ? root(segment.line) : null;
    if (!isPositive(at(segment.line, border))) return root(segment.line);
    segment.cross(border, 1);
    const after = at(segment.line, border);
    // Exactly 0 just after the border and not rising: the condition is met at every point beyond.
    if (isNegative(after) || (!isPositive(after) && !isPositive(segment.line.slope))) return border;
  }
}

/**
 * Searches downward. A segment is (border, from], and the border belongs to the lower tier. A line that reaches exactly
 * 0 there has not met the condition; the lower tier decides.
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
