/** Days and months of a time zone. */
import { dayBefore, zonedSpan } from '../../../src-shared/domain/display/zoned-time.ts';
import type { TimeRange } from '../../../src-shared/time.ts';

export interface Period extends TimeRange {
  /** `2026-10-14` or `2026-10`. */
  readonly key: string;
}

/** Days of every time zone begin at a multiple of it, so what is counted by it can be put into days. */
export const QUARTER_HOUR_MS = 900_000;

/** Dates have four-digit years; later times count with the last day. */
const LAST = Date.UTC(9998, 11, 31);
/** That many days after the first of a period lie in the next one. */
const DAYS = { day: 1, month: 32 } as const;
const LENGTHS = { day: 10, month: 7 } as const;

/** Reports whether the zone's days are UTC days, which have stored totals. */
export const isUtc = (zone: string): boolean => ['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT'].includes(zone);

/** Returns a function from a time (ms) to its period. Caches the last one, since rows come in time order. */
export function createPeriods(zone: string, of: 'day' | 'month'): (time: number) => Period {
  const known = new Map<string, Period>();
  let last: Period | null = null;

  const firstDay = (day: string): string => day.slice(0, LENGTHS[of]).padEnd(10, '-01');
  const beginning = (day: string): number | undefined => zonedSpan(day, zone)?.first;
  function made(key: string): Period {
    const day = firstDay(key);
    const next = firstDay(dayBefore(Date.parse(`${day}T12:00Z`), 'UTC', -DAYS[of]));
    // The first period may begin before 1970.
    return { key, from: beginning(day) ?? 0, to: (beginning(next) ?? LAST) - 1 };
  }
  return (time) => {
    const at = Math.min(time, LAST);
    if (last !== null && at >= last.from && at <= last.to) return last;
    const key = dayBefore(at, zone, 0).slice(0, LENGTHS[of]);
    last = known.get(key) ?? made(key);
    known.set(key, last);
    return last;
  };
}
