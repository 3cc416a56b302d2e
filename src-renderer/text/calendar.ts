/** Days and months of a calendar, as `2026-10-14` and `2026-10`, independent of time zones. */
import { DAY_MS, utcDay } from '../../src-shared/time.ts';

const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`);

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(noon(text));
export const monthOf = (day: string): string => day.slice(0, 7);
export const addDays = (day: string, days: number): string => utcDay(noon(day) + days * DAY_MS);

const MONTHS = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** Writes a month out: `October 2026`. */
export const monthText = (month: string): string => MONTHS.format(Date.parse(`${month}-01T00:00:00Z`));

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map((part) => Number.parseInt(part, 10));
  const count = year * 12 + number - 1 + months;
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`;
}

/** Returns the weeks of a month from Monday; null for days of another month. */
export function weeksOf(month: string): readonly (readonly (string | null)[])[] {
  const first = `${month}-01`;
  const blank = (new Date(noon(first)).getUTCDay() + 6) % 7;
  const days: (string | null)[] = Array.from({ length: blank }, () => null);
  for (let day = first; monthOf(day) === month; day = addDays(day, 1)) days.push(day);
  while (days.length % 7 !== 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** Returns the day a key moves to; null for other keys. */
export function dayByKey(key: string, day: string): string | null {
  const weekday = (new Date(noon(day)).getUTCDay() + 6) % 7;
  const sameDay = (month: string): string => {
    const last = addDays(`${addMonths(month, 1)}-01`, -1);
    const wanted = `${month}-${day.slice(8)}`;
    return wanted < last ? wanted : last;
  };
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -weekday);
    case 'End':
      return addDays(day, 6 - weekday);
    case 'PageUp':
      return sameDay(addMonths(monthOf(day), -1));
    case 'PageDown':
      return sameDay(addMonths(monthOf(day), 1));
    default:
      return null;
  }
}
