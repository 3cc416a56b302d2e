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
} from '../../amount.ts';
import { compareFractions, type Fraction, fraction, whole } from '../numeric/fraction.ts';
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

/** A leg at its place in the walk. */
interface Mover {
  readonly leg: Leg;
  /** Its quantity times the common factor. */
  readonly weight: Amount;
  index: number;
}

/** The walk's place: the tier each leg is in and the line that holds there. */
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

  /** Nearest border on the way, above or below; `undefined` where the last or first tier has none. */
  border(direction: 1 | -1): Fraction | undefined {
    let nearest: Fraction | undefined;
    for (const mover of this.#movers) {
      const border = borderOf(mover, direction);
      if (border && (!nearest || compareFractions(border, nearest) === -direction)) nearest = border;
    }
    return nearest;
  }

  /** Moves every leg whose border this is into its next tier. */
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

  /** Adds a leg's profit less closing fee and maintenance: weight × (sign − fee − rate) × x, less its cost. */
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

/** quantity × entry times the common factor; the leg's own denominator cancels, so nothing is divided. */
const entryCost = (leg: Leg, legs: readonly Leg[]): Amount =>
  legs.reduce(
    (product, other) => (other === leg ? product : multiply(product, other.entry.denominator)),
    multiply(leg.quantity, leg.entry.numerator),
  );

/** x at which the leg's value is at the border of its tier. */
function borderOf({ leg, index }: Mover, direction: 1 | -1): Fraction | undefined {
  const below = direction === 1 ? index : index - 1;
  if (below < 0 || below + 1 >= leg.table.length) return undefined;
  return fraction(rowAt(leg.table, below).max, leg.quantity);
}

/**
 * First x from `start` (> 0, included) in `direction` at which `constant` + profit of the legs is at or below
 * their maintenance margin + closing fee; the border where a jump of the rate skips over the condition;
 * `null` when there is none above 0. Each leg is a distinct object. Source: docs/accounting.md.
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
