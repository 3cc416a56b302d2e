/** Names calendar periods and finds their days. */
import { dayBefore, zonedSpan } from './zoned-time.ts';

export const RANGES = [
  'today',
  '7d',
  '30d',
  'month',
  'last-month',
  '3-months',
  'year',
  'last-year',
  'all',
] as const;
export type RangeName = (typeof RANGES)[number];

export interface DayRange {
  /** `2026-10-01`; '' for an open end. Both days are included. */
  readonly from: string;
  readonly to: string;
}

/** Returns the days of a range in the calendar of `zone` at `now` (ms). */
export function rangeOf(name: RangeName, now: number, zone: string): DayRange {
  const day = (back: number): string => dayBefore(now, zone, back);
  const [year = '', month = ''] = day(0).split('-');
  /** First day of the month `back` months ago. */
  const first = (back: number): string => {
    const months = Number.parseInt(year, 10) * 12 + Number.parseInt(month, 10) - 1 - back;
    return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`;
  };
  const endOfLast = dayBefore(Date.parse(`${first(0)}T12:00Z`), 'UTC', 1);
  const lastYear = Number.parseInt(year, 10) - 1;
  switch (name) {
    case 'today':
      return { from: day(0), to: '' };
    case '7d':
      return { from: day(6), to: '' };
    case '30d':
      return { from: day(29), to: '' };
    case 'month':
      return { from: first(0), to: '' };
    case 'last-month':
      return { from: first(1), to: endOfLast };
    case '3-months':
      return { from: first(3), to: endOfLast };
    case 'year':
      return { from: `${year}-01-01`, to: '' };
    case 'last-year':
      return { from: `${lastYear}-01-01`, to: `${lastYear}-12-31` };
    case 'all':
      return { from: '', to: '' };
  }
}

/** The first and last ms; null for an open end. */
export interface TimeSpan {
  readonly from: number | null;
  readonly to: number | null;
}

/** Returns a range's span. Throws RangeError if there is no such zone. */
export function rangeSpan(name: RangeName, now: number, zone: string): TimeSpan {
  const { from, to } = rangeOf(name, now, zone);
  return { from: zonedSpan(from, zone)?.first ?? null, to: zonedSpan(to, zone)?.last ?? null };
}
