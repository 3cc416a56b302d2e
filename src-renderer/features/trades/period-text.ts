/** A period in words. */
import { timeText } from '../../text/time-text.ts';
import { isDay, monthOf } from '../../text/calendar.ts';

/** Writes a day, such as `2026-10-14`, in the user's date format; anything else as it is. */
export const dateText = (typed: string): string =>
  isDay(typed) ? timeText(Date.parse(`${typed}T00:00:00Z`), 'UTC').date : typed;

/** `2026-10-01 to 2026-10-31`; '' where both ends are open. */
export function rangeText(from: string, to: string): string {
  if (from === '') return to === '' ? '' : `until ${dateText(to)}`;
  if (to === '') return `since ${dateText(from)}`;
  return from === to ? dateText(from) : `${dateText(from)} to ${dateText(to)}`;
}

const SHORT = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const DAYS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
export const dayLabel = (day: string): string => DAYS.format(Date.parse(`${day}T00:00:00Z`));

/** Returns what a preset stands for, shown beside its name: `Oct`, `2025`. */
export function presetHint(preset: string, from: string): string {
  if (preset === 'month' || preset === 'last-month')
    return SHORT.format(Date.parse(`${monthOf(from)}-01T00:00:00Z`));
  if (preset === 'year' || preset === 'last-year') return from.slice(0, 4);
  return preset === 'today' ? dateText(from) : '';
}
