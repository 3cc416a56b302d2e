/**
 * A second opinion on liquidation prices, written from docs/accounting.md alone and sharing no code with the
 * domain: BigInt rationals; the excess (equity − maintenance − fee) evaluated at a price straight from its
 * definition, in price even for inverse contracts; marginal maintenance as the sum of the value's slices,
 * without deductions. It scans the stretches between all tier borders, reading each from two points inside.
 */
import { minus, order, over, parse, plus, type Rational, rational, signOf, times, ZERO } from './rational.ts';

export interface OraclePosition {
  contractSide: 'FORWARD' | 'REVERSE';
  side: 'BUY' | 'SELL';
  quantity: string;
  entryPrice: string;
  tiers: { minPositionValue: string; maxPositionValue: string; maintainMarginRate: string }[];
  convention: 'flat' | 'marginal';
  feeRate: string;
}

function valueAt(position: OraclePosition, price: Rational): Rational {
  const quantity = parse(position.quantity);
  return position.contractSide === 'FORWARD' ? times(quantity, price) : over(quantity, price);
}

function maintenanceOf(position: OraclePosition, value: Rational): Rational {
  let slices = ZERO;
  for (const [index, tier] of position.tiers.entries()) {
    const min = parse(tier.minPositionValue);
    const max = parse(tier.maxPositionValue);
    const rate = parse(tier.maintainMarginRate);
    const last = index === position.tiers.length - 1;
    const inside = last || order(value, max) <= 0;
    if (position.convention === 'flat' && inside) return times(rate, value);
    slices = plus(slices, times(rate, minus(inside ? value : max, min)));
    if (inside) return slices;
  }
  throw new Error('no tiers');
}

/** Unrealised profit − maintenance − closing fee of a position at a price. */
export function standing(position: OraclePosition, price: Rational): Rational {
  const value = valueAt(position, price);
  const gain = minus(value, valueAt(position, parse(position.entryPrice)));
  const up = (position.side === 'BUY') === (position.contractSide === 'FORWARD');
  const fee = times(parse(position.feeRate), value);
  return minus(minus(up ? gain : minus(ZERO, gain), maintenanceOf(position, value)), fee);
}

/** Excess of `wallet` over what the positions, all at one price, need. */
export const excessAt = (wallet: Rational, positions: OraclePosition[], price: Rational): Rational =>
  positions.reduce((total, position) => plus(total, standing(position, price)), wallet);

export interface Finding {
  price: Rational;
  how: 'start' | 'inside' | 'border';
}

/** First price from `start`, falling or rising, at which the excess is no longer above 0. */
export function scan(
  wallet: Rational,
  positions: OraclePosition[],
  start: Rational,
  falling: boolean,
): Finding | null {
  const inverse = positions[0]?.contractSide === 'REVERSE';
  /** Excess, times the price for inverse contracts: a straight line of the price inside a stretch. */
  const straight = (price: Rational): Rational => {
    const excess = excessAt(wallet, positions, price);
    return inverse ? times(excess, price) : excess;
  };
  if (signOf(straight(start)) <= 0) return { price: start, how: 'start' };

  const ahead = (price: Rational): boolean => order(price, start) === (falling ? -1 : 1);
  const borders = positions
    .flatMap((position) =>
      position.tiers.slice(0, -1).map((tier) => {
        const value = parse(tier.maxPositionValue);
        const quantity = parse(position.quantity);
        return inverse ? over(quantity, value) : over(value, quantity);
      }),
    )
    .filter(ahead)
    .sort((a, b) => (falling ? order(b, a) : order(a, b)));
  // The last stretch ends at 0, or has no end: any farther point serves to read the line.
  const farthest = borders.at(-1) ?? start;
  const ends = [...borders, falling ? ZERO : plus(farthest, rational(9n))];

  let from = start;
  for (const [index, to] of ends.entries()) {
    if (order(from, to) === 0) continue;
    const third = over(minus(to, from), rational(3n));
    const first = straight(plus(from, third));
    const rise = minus(straight(plus(from, plus(third, third))), first);
    const near = minus(first, rise);
    const far = plus(first, plus(rise, rise));
    if (signOf(near) < 0 || (signOf(near) === 0 && signOf(rise) <= 0)) return { price: from, how: 'border' };
    const unending = index === ends.length - 1 && !falling;
    if (signOf(far) < 0 || (unending && signOf(rise) < 0)) {
      const steps = over(minus(ZERO, near), rise);
      return { price: plus(from, times(third, steps)), how: 'inside' };
    }
    if (index === ends.length - 1) return null;
    // A stretch upward holds its far end for linear contracts; asking the border itself covers both ways.
    if (signOf(straight(to)) <= 0) {
      return { price: to, how: signOf(far) === 0 ? 'inside' : 'border' };
    }
    from = to;
  }
  return null;
}
