/** Profit by UTC day in one coin, every day of the range, and as bars. */
import { add, calculated, isZero, print, ZERO } from '../../../src-shared/amount.ts';
import { byText } from '../../../src-shared/by-text.ts';
import type { CoinResult, StatsDaily, StatsSummary } from '../../../src-shared/ipc/archive.ts';
import { DAY_MS } from '../../../src-shared/time.ts';
import { counted } from '../../text/number-text.ts';

export interface ProfitDay {
  /** Its first ms, UTC. */
  readonly day: number;
  /** null on a day without a filled order in the coin. */
  readonly result: CoinResult | null;
  /** Trades in all contracts. */
  readonly trades: number;
  /** Funding seen in positions while Ballast was open; null when none was. */
  readonly funding: string | null;
  /** Filled orders in any coin whose profit or fee could not be read, and is in no sum. */
  readonly leftOut: number;
}

export interface ProfitBar {
  readonly from: number;
  readonly to: number;
  /** Null where no order could be read. */
  readonly net: string | null;
  readonly orders: number;
  readonly leftOut: number;
}

/** Returns the coins that have a result, the one with most orders first. */
export function resultCoins(daily: StatsDaily): readonly string[] {
  const orders = new Map<string, number>();
  for (const { results } of daily.days)
    for (const one of results) orders.set(one.coin, (orders.get(one.coin) ?? 0) + one.orders);
  return [...orders]
    .sort(byText(([coin]) => coin))
    .sort(([, a], [, b]) => b - a)
    .map(([coin]) => coin);
}

/** Returns the other coins in which orders with a result in `coin` paid fees: those are not in its net PnL. */
export function otherFeeCoins({ results }: Pick<StatsSummary, 'results'>, coin: string): readonly string[] {
  const own = new Set(results.find((one) => one.coin === coin)?.contracts.map(({ symbol }) => symbol));
  return results
    .filter((one) => one.coin !== coin)
    .filter(({ contracts }) =>
      contracts.some(({ symbol, fee }) => own.has(symbol) && !isZero(calculated(fee))),
    )
    .map((one) => one.coin);
}

/** Returns every day from the first of the range to `today`, oldest first. */
export function daysOf(daily: StatsDaily, coin: string, from: number | null, today: number): ProfitDay[] {
  const known = new Map(daily.days.map((one) => [one.day, one]));
  const first = from ?? daily.days[0]?.day ?? today;
  const days: ProfitDay[] = [];
  for (let day = first; day <= today; day += DAY_MS) {
    const one = known.get(day);
    days.push({
      day,
      result: one?.results.find((result) => result.coin === coin) ?? null,
      trades: one?.trades ?? 0,
      funding: one?.funding.find((part) => part.coin === coin)?.amount ?? null,
      leftOut: one?.leftOut ?? 0,
    });
  }
  return days;
}

/** Returns the profit of the days after fees. */
export const netOf = (days: readonly ProfitDay[]): string =>
  print(days.reduce((sum, { result }) => (result === null ? sum : add(sum, calculated(result.net))), ZERO));

/** `; 2 orders not in the sums`: their profit or fee cannot be read. */
export const leftOutText = (count: number): string =>
  count === 0 ? '' : `; ${counted(count, 'order')} not in the sums`;

/** An axis has at least these days. */
const LEAST_DAYS = 7;
/** Returns the days from the first with a filled order: before it an axis would be empty. */
export function daysFromFirst(days: readonly ProfitDay[]): readonly ProfitDay[] {
  const first = days.findIndex(({ result, leftOut }) => result !== null || leftOut > 0);
  return days.slice(Math.max(0, Math.min(first, days.length - LEAST_DAYS)));
}

/** Combines neighbouring days, `span` at a time, so that there are at most `most` bars. */
export function barsOf(days: readonly ProfitDay[], most: number): { span: number; bars: ProfitBar[] } {
  const span = Math.max(1, Math.ceil(days.length / most));
  const bars: ProfitBar[] = [];
  for (let at = 0; at < days.length; at += span) {
    const part = days.slice(at, at + span);
    const leftOut = part.reduce((sum, one) => sum + one.leftOut, 0);
    bars.push({
      from: part[0]!.day,
      to: part[part.length - 1]!.day,
      net: leftOut > 0 && part.every(({ result }) => result === null) ? null : netOf(part),
      orders: part.reduce((sum, one) => sum + (one.result?.orders ?? 0), 0),
      leftOut,
    });
  }
  return { span, bars };
}
