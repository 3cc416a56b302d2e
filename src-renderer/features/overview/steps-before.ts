/** Estimates equity from before it was recorded, by the results of closed orders alone. */
import { add, amount, calculated, print, subtract, sum } from '../../../src-shared/amount.ts';
import type { EquityPoint } from '../../../src-shared/ipc/archive.ts';
import type { DaysBefore } from './past.svelte.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

export type Level = Pick<EquityPoint, 'at' | 'equity'>;

/**
 * Returns the level of each UTC day up to the first recorded point: its equity less the results in `coin` of all later
 * days, each counted at the end of its day. Empty without results.
 */
export function stepsBefore(
  { at, days }: DaysBefore,
  first: Level,
  { coin, from }: { readonly coin: string; readonly from: number | null },
): readonly Level[] {
  if (first.at !== at) return [];
  const results = days
    .filter(({ day }) => day + DAY_MS > (from ?? 0))
    .map(({ day, results }) => ({ day, net: results.find((one) => one.coin === coin)?.net }))
    .filter((one): one is { day: number; net: string } => one.net !== undefined);
  const [oldest] = results;
  if (oldest === undefined) return [];
  let level = subtract(amount(first.equity), sum(results.map(({ net }) => calculated(net))));
  const levels: Level[] = [{ at: Math.max(oldest.day, from ?? 0), equity: print(level) }];
  for (const { day, net } of results) {
    if (day + DAY_MS >= at) break;
    level = add(level, calculated(net));
    levels.push({ at: day + DAY_MS, equity: print(level) });
  }
  return [...levels, { at, equity: print(level) }];
}
