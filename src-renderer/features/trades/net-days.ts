/** Net PnL by day of one coin, for a chart: every day between the first and the last, without holes. */
import type { SumGroup } from '../../../src-shared/ipc/trade-groups.ts';
import { DAY_MS, utcDay } from '../../../src-shared/time.ts';

export interface NetDay {
  /** `2026-10-14` */
  readonly key: string;
  /** Null on a day without trades in the coin. */
  readonly sums: SumGroup | null;
}

/** The newest `most` days of the groups' range, oldest first. */
export function netDays(groups: readonly SumGroup[], coin: string, most: number): readonly NetDay[] {
  const byDay = new Map(groups.filter((one) => one.coin === coin).map((one) => [one.key, one] as const));
  const keys = [...byDay.keys()].sort();
  const [first, last] = [keys[0], keys.at(-1)];
  if (first === undefined || last === undefined) return [];
  const end = Date.parse(last);
  const days: NetDay[] = [];
  for (let day = Math.max(Date.parse(first), end - (most - 1) * DAY_MS); day <= end; day += DAY_MS)
    days.push({ key: utcDay(day), sums: byDay.get(utcDay(day)) ?? null });
  return days;
}
