/**
 * Finds out whether the `profit` of an order is before or after its fee (docs/exchange-api.md, "What it leaves open"):
 * a closed position's trades say what it brought, its closing orders what the exchange calls profit, and the difference
 * is no fee, the closing orders' own, or all of the position's.
 */
import {
  absolute,
  add,
  amount,
  type Amount,
  calculated,
  decimalsOf,
  divide,
  isZero,
  less,
  lessOrEqual,
  multiply,
  print,
  subtract,
  ZERO,
} from '../../amount.ts';
import type { RoundTrip } from './round-trips.ts';
import { lastPlace } from '../numeric/fraction.ts';

/** What the exchange's profit is; `after-fees`: the closing order's own fee is deducted. */
export const PROFIT_CONVENTIONS = ['before-fees', 'after-fees'] as const;
export type ProfitConvention = (typeof PROFIT_CONVENTIONS)[number];
/** `after-all-fees`: those of opening too, which Ballast can name but not undo order by order. */
export type ProfitReading = ProfitConvention | 'after-all-fees';

export interface ClosedPosition {
  readonly trip: RoundTrip;
  readonly inverse: boolean;
  /** Coin of the profit. */
  readonly coin: string;
  /** Sum of its closing orders' profit; null unless all are stored, final and its alone. */
  readonly profit: string | null;
  /** Sum of its closing orders' fees in `coin`; null if one cannot be read. */
  readonly closingFee: string | null;
}

/** Closed positions by what they show. Numbers, so that the evidence can be shown. */
export interface ProfitFit {
  readonly before: number;
  readonly after: number;
  readonly afterAll: number;
  readonly undecidable: number;
  /** The reading that at least `ENOUGH` positions confirm and none contradicts; else null. */
  readonly found: ProfitReading | null;
}

/** Positions that must agree: one could by chance. */
export const ENOUGH = 3;
/** A reading fits within this share of the smallest fee that distinguishes it from another. */
const TOLERANCE = amount('10');
/** Notes of a trip whose trades or orders are not its alone, or not all known. */
const UNSURE: ReadonlySet<string> = new Set([
  'open',
  'turned-over',
  'unknown-side',
  'unread',
  'shared-order',
] satisfies RoundTrip['flags']);

/** Counts closed positions by what they show, and says which reading all of those that show one agree on. */
export function fitProfit(positions: readonly ClosedPosition[]): ProfitFit {
  // Trailing zeros may have been cut: the longest text shows the decimals of money.
  const texts = positions.flatMap(({ profit, closingFee }) => [profit ?? '0', closingFee ?? '0']);
  const decimals = Math.max(0, ...texts.map(decimalsOf));
  const unit = lastPlace(decimals);
  const readings = positions.map((one) => readingOf(one, unit));
  const count = (reading: ProfitReading | null): number => readings.filter((one) => one === reading).length;
  const votes: Readonly<Record<ProfitReading, number>> = {
    'before-fees': count('before-fees'),
    'after-fees': count('after-fees'),
    'after-all-fees': count('after-all-fees'),
  };
  const [only, another] = Object.entries(votes).filter(([, number]) => number > 0);
  const isFound = only !== undefined && another === undefined && only[1] >= ENOUGH;
  return {
    before: votes['before-fees'],
    after: votes['after-fees'],
    afterAll: votes['after-all-fees'],
    undecidable: count(null),
    found: isFound ? (readings.find((one) => one !== null) ?? null) : null,
  };
}

/** Returns the one reading that fits, or null. `unit`: the last decimal of money, to which each profit may be rounded. */
function readingOf(
  { trip, inverse, coin, profit, closingFee }: ClosedPosition,
  unit: Amount,
): ProfitReading | null {
  if (profit === null || closingFee === null || trip.flags.some((flag) => UNSURE.has(flag))) return null;
  const own = calculated(closingFee);
  const all = calculated(trip.fees.find(({ asset }) => asset === coin)?.amount ?? '0');
  const opening = subtract(all, own);
  const fees: readonly (readonly [ProfitReading, Amount])[] = [
    ['before-fees', ZERO],
    ['after-fees', own],
    // Without an opening fee both are one: the closing order's.
    ...(isZero(opening) ? [] : [['after-all-fees', all] as const]),
  ];
  const apart = fees.flatMap(([, one], at) =>
    fees.slice(at + 1).map(([, other]) => absolute(subtract(one, other))),
  );
  const smallest = apart.reduce((least, one) => (less(one, least) ? one : least));
  const tolerance = divide(smallest, TOLERANCE);
  const rounding = multiply(unit, amount(String(trip.closingOrders.length)));
  if (less(tolerance, rounding)) return null;
  const missing = subtract(grossOf(trip, inverse), calculated(profit));
  const fit = fees.find(([, fee]) => lessOrEqual(absolute(subtract(missing, fee)), tolerance));
  return fit?.[0] ?? null;
}

/** Returns what the trades of a closed position brought before fees, in the coin of its margin. */
export function grossOf(trip: RoundTrip, inverse: boolean): Amount {
  const [entry, exit] = inverse
    ? [calculated(trip.exitQty), calculated(trip.entryQty)]
    : [calculated(trip.entryQuote), calculated(trip.exitQuote)];
  return trip.direction === 'LONG' ? subtract(exit, entry) : subtract(entry, exit);
}

/** What is known of an order's profit and fee. */
export interface OrderProfit {
  readonly profit: string;
  readonly fee: string;
  /** The fee is in the coin of the profit. */
  readonly sameCoin: boolean;
  readonly reduceOnly: boolean;
}

/** Returns an order's profit before fees. An order that only opened has none, and its fee is in no profit. */
export function grossProfit(order: OrderProfit, convention: ProfitConvention): string {
  const { profit, fee, sameCoin, reduceOnly } = order;
  const closes = reduceOnly || !isZero(amount(profit));
  if (convention === 'before-fees' || !sameCoin || !closes) return profit;
  return print(add(amount(profit), amount(fee)));
}
