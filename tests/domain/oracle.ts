/**
 * An independent oracle of liquidation prices, written from docs/accounting.md without code of the domain: BigInt
 * rationals, the excess (equity − maintenance − fee) by its definition, marginal maintenance summed by slices.
 * Scans the price ranges between tier borders and evaluates two points in each.
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

/** Unrealised PnL − maintenance − closing fee of a position at a price. */
export function excessOf(position: OraclePosition, price: Rational): Rational {
  const value = valueAt(position, price);
  const gain = minus(value, valueAt(position, parse(position.entryPrice)));
  const up = (position.side === 'BUY') === (position.contractSide === 'FORWARD');
  const fee = times(parse(position.feeRate), value);
  return minus(minus(up ? gain : minus(ZERO, gain), maintenanceOf(position, value)), fee);
}

/** The wallet's excess over the positions' requirement, all at one price. */
export const excessAt = (wallet: Rational, positions: OraclePosition[], price: Rational): Rational =>
  positions.reduce((total, position) => plus(total, excessOf(position, price)), wallet);

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
  /** The excess, times the price for inverse contracts: linear in the price within a range. */
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
  // The last range ends at 0 or is unbounded: any farther point gives the line.
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
    // A rising range includes its far end for linear contracts; evaluating the border covers both directions.
    if (signOf(straight(to)) <= 0) {
      return { price: to, how: signOf(far) === 0 ? 'inside' : 'border' };
    }
    from = to;
  }
  return null;
}
