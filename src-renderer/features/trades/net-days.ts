/** Net PnL by day of one coin, for a chart: every day between the first and the last, without holes. */
import { calculated, print, sum } from '../../../src-shared/amount.ts';
import type { SumGroup } from '../../../src-shared/ipc/trade-groups.ts';
import { DAY_MS, utcDay } from '../../../src-shared/time.ts';

/** In the coin; a result that is not known is null. */
export interface DaySums {
  readonly net: string | null;
  readonly pnl: string | null;
  /** Positive for a charge. */
  readonly fees: string;
}

export interface NetDay {
  /** `2026-10-14` */
  readonly key: string;
  /** Null on a day without trades in the coin. */
  readonly sums: DaySums | null;
}

const sumOf = (values: readonly string[]): string => print(sum(values.map(calculated)));
const knownSum = (values: readonly (string | null)[]): string | null => {
  const known = values.filter((one) => one !== null);
  return known.length < values.length ? null : sumOf(known);
};

/** A coin may have a group for each quote coin of its contracts. */
const sumsOf = (groups: readonly SumGroup[], coin: string): DaySums => ({
  net: knownSum(groups.map((one) => one.net)),
  pnl: knownSum(groups.map((one) => one.pnl)),
  fees: sumOf(
    groups.flatMap(({ fees }) => fees.filter(({ asset }) => asset === coin)).map(({ amount }) => amount),
  ),
});

/** The newest `most` days of the groups' range, oldest first. */
export function netDays(groups: readonly SumGroup[], coin: string, most: number): readonly NetDay[] {
  const byDay = Map.groupBy(
    groups.filter((one) => one.coin === coin),
    (one) => one.key,
  );
  const keys = [...byDay.keys()].sort();
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return [];
  const end = Date.parse(last);
  const days: NetDay[] = [];
  for (let day = Math.max(Date.parse(first), end - (most - 1) * DAY_MS); day <= end; day += DAY_MS) {
    const own = byDay.get(utcDay(day));
    days.push({ key: utcDay(day), sums: own === undefined ? null : sumsOf(own, coin) });
  }
  return days;
}
