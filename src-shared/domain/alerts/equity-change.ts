/** Computes the account's equity change within a window, from its high or its low to now. */
import {
  type Amount,
  amount,
  greater,
  isPositive,
  larger,
  less,
  multiply,
  smaller,
  subtract,
} from '../../amount.ts';
import { MINUTE_MS } from '../../time.ts';

/** The lowest and highest equity of one interval, as received. */
export interface EquitySpan {
  readonly from: number;
  readonly low: string;
  readonly high: string;
}
export type EquityPast = readonly EquitySpan[];

/** Number of intervals a window is divided into, whatever its length and the polling rate. */
const INTERVALS = 120;

export interface EquityMove {
  readonly from: string;
  readonly size: Amount;
  readonly fell: boolean;
}

/** Adds a reading and drops what has left the window. */
export function withEquity(past: EquityPast, equity: string, now: number, windowMinutes: number): EquityPast {
  const window = windowMinutes * MINUTE_MS;
  // Drops entries from the future too, which remain after the clock was set back.
  const recent = past.filter((one) => one.from <= now && now - one.from <= window);
  const last = recent.at(-1);
  if (last === undefined || now - last.from >= window / INTERVALS)
    return [...recent, { from: now, low: equity, high: equity }];
  const value = amount(equity);
  if (!less(value, amount(last.low)) && !greater(value, amount(last.high))) return recent;
  return [
    ...recent.slice(0, -1),
    {
      from: last.from,
      low: less(value, amount(last.low)) ? equity : last.low,
      high: greater(value, amount(last.high)) ? equity : last.high,
    },
  ];
}

/** Returns the larger of fall and rise as a share of its start, or null without a positive value to compare with. */
export function equityMove(past: EquityPast, equity: string): EquityMove | null {
  const now = amount(equity);
  const texts = past.flatMap((one) => [one.low, one.high]).filter((one) => isPositive(amount(one)));
  const [first] = texts;
  if (first === undefined) return null;
  let high = amount(first);
  let low = high;
  for (const text of texts) {
    high = larger(high, amount(text));
    low = smaller(low, amount(text));
  }
  const textOf = (value: Amount): string =>
    texts.find((one) => !less(amount(one), value) && !greater(amount(one), value)) ?? first;
  const fall = subtract(high, now);
  const rise = subtract(now, low);
  const fell = !less(multiply(fall, low), multiply(rise, high));
  return fell ? { from: textOf(high), size: fall, fell } : { from: textOf(low), size: rise, fell };
}
