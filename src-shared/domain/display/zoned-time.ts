/** Parses times the user types, in the format the window displays. */
import { DAY_MS, utcDay } from '../../time.ts';

/** Format of time fields, for placeholder and message. */
export const TIME_FORM = 'YYYY-MM-DD HH:MM:SS';

const WRITTEN = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?)?$/;

/** Returns the computer's time zone, an IANA name; UTC where the system has none that can be used. */
export function systemZone(): string {
  // Undefined where TZ is no known name, and Etc/Unknown, which no format takes, where it is empty.
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return zone === undefined || zone === 'Etc/Unknown' ? 'UTC' : zone;
}

/** Returns the IANA name of a time zone as the settings have it: a name, or `system`. */
export const zoneNamed = (timeZone: string): string => (timeZone === 'system' ? systemZone() : timeZone);

const formats = new Map<string, Intl.DateTimeFormat>();
/** Returns the local time in `zone` (an IANA name) at `ms`, encoded as UTC in whole seconds. */
export function readingAt(ms: number, zone: string): number {
  let format = formats.get(zone);
  if (format === undefined) {
    // sv-SE formats as YYYY-MM-DD HH:MM:SS.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  return Date.parse(`${format.format(ms).replace(' ', 'T')}Z`);
}
const offsetAt = (ms: number, zone: string): number => readingAt(ms, zone) - Math.floor(ms / 1_000) * 1_000;

/**
 * Converts a local time encoded as UTC to its moment in `zone`: the first or the last of a repeated one; a skipped one as
 * if the clock had not been changed yet.
 */
export function inZone(asUtc: number, zone: string, which: 'first' | 'last' = 'first'): number {
  const isAt = (ms: number): boolean => readingAt(ms, zone) === Math.floor(asUtc / 1_000) * 1_000;
  // By the offsets a day before and after; they differ only around a clock change.
  const before = asUtc - offsetAt(asUtc - DAY_MS, zone);
  const after = asUtc - offsetAt(asUtc + DAY_MS, zone);
  if (before === after || !isAt(after)) return before;
  return which === 'first' && isAt(before) ? before : after;
}

/**
 * Parses `2026-11-21 09:14`, with seconds or the day alone, in an IANA zone. Returns the first and last ms of the day,
 * minute or second, which are an hour apart where the clock shows it twice; null if it is no time.
 */
export function zonedSpan(
  text: string,
  zone: string,
): { readonly first: number; readonly last: number } | null {
  const [, date, clock, seconds] = WRITTEN.exec(text.trim()) ?? [];
  if (date === undefined) return null;
  const asUtc = Date.parse(`${date}T${clock ?? '00:00'}${seconds ?? ':00'}Z`);
  // Engines reject or roll over a day that does not exist; neither is what was meant.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(date)) return null;
  const first = inZone(asUtc, zone);
  if (first < 0) return null;
  if (clock === undefined) return { first, last: inZone(asUtc + DAY_MS, zone) - 1 };
  const last = inZone(asUtc, zone, 'last');
  if (seconds === undefined) return { first, last: last + 59_999 };
  return { first, last: seconds.includes('.') ? last : last + 999 };
}

/** Returns the times from the start of `from` to the end of `to`, as typed in a zone, and what is wrong with each. */
export function typedSpan(from: string, to: string, zone: string) {
  const span = { from: zonedSpan(from, zone)?.first ?? null, to: zonedSpan(to, zone)?.last ?? null };
  const unread = (text: string, ms: number | null): string | null =>
    text.trim() === '' || ms !== null ? null : `Use the format ${TIME_FORM}, or only the date`;
  const backwards = span.from !== null && span.to !== null && span.to < span.from;
  const faults = {
    from: unread(from, span.from),
    to: unread(to, span.to) ?? (backwards ? 'The end is before the start' : null),
  };
  return { span, faults };
}

/** Returns the day `days` before the one that contains `now` (ms), as `YYYY-MM-DD`. */
export function dayBefore(now: number, zone: string, days: number): string {
  const day = Math.floor(readingAt(now, zone) / DAY_MS);
  return utcDay((day - days) * DAY_MS);
}

/** Returns the first ms of the zone's day that contains `now` (ms), and of the next one. */
export function dayAt(now: number, zone: string): { readonly startsAt: number; readonly endsAt: number } {
  const first = (days: number): number => inZone(Date.parse(`${dayBefore(now, zone, -days)}T00:00Z`), zone);
  return { startsAt: first(0), endsAt: first(1) };
}
