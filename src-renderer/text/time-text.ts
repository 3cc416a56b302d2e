import { shownAs } from './shown-as.svelte.ts';
import { plainNumber } from './number-text.ts';
import { agoText } from '../../src-shared/domain/display/time-left.ts';
import { SECOND_MS, utcDay } from '../../src-shared/time.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    // sv-SE writes YYYY-MM-DD HH:MM:SS.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

export interface TimeText {
  readonly date: string;
  readonly clock: string;
  /** `.109` */
  readonly millis: string;
}

/** Writes `2026-11-21` in the chosen format: 21.11.2026 or 11/21/2026. */
function dateAs(iso: string): string {
  const [year, month, day] = iso.split('-');
  const format = shownAs.value.dateFormat;
  if (format === 'iso' || day === undefined) return iso;
  return format === 'day-first' ? `${day}.${month}.${year}` : `${month}/${day}/${year}`;
}

/** Writes `ms` since the epoch in an IANA zone; a time outside the calendar's range as its digits. */
export function timeText(ms: number, zone: string): TimeText {
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return { date: String(ms), clock: '', millis: '' };
  const millis = `.${String(((ms % 1000) + 1000) % 1000).padStart(3, '0')}`;
  if (zone === 'UTC') {
    const iso = new Date(ms).toISOString();
    const at = iso.indexOf('T');
    return { date: dateAs(iso.slice(0, at)), clock: iso.slice(at + 1, at + 9), millis };
  }
  const [date = '', clock = ''] = formatOf(zone).format(ms).split(' ');
  return { date: dateAs(date), clock, millis };
}

/** Writes `2026-11-21 09:41:07`. */
export function momentText(ms: number, zone: string): string {
  const { date, clock } = timeText(ms, zone);
  return `${date} ${clock}`;
}

/** Writes a moment by its clock, and with its date if that is not the date of `day`. */
export function clockText(ms: number, day: number, zone: string): string {
  const { date, clock } = timeText(ms, zone);
  return date === timeText(day, zone).date ? clock : `${date} ${clock}`;
}

/** Writes a moment in full, as the title of a shorter text. */
export function momentTitle(ms: number, zone: string): string {
  const { date, clock, millis } = timeText(ms, zone);
  return `${date} ${clock}${millis} ${zone} · ${ms}`;
}

/** Writes day and month of a UTC day for a chart: `11-21`, `21.11.`, `11/21`. */
export function dayText(ms: number): string {
  const [, month = '', day = ''] = utcDay(ms).split('-');
  const { dateFormat } = shownAs.value;
  if (dateFormat === 'day-first') return `${day}.${month}.`;
  return dateFormat === 'month-first' ? `${month}/${day}` : `${month}-${day}`;
}

/** Writes an age, below 10 s with its tenths: `0.8 s`, `75 s`, `5 min`, `1 h 12 min`, `4 d 18 h`. */
export function ageText(ms: number): string {
  const age = Math.max(0, ms);
  if (age < 10 * SECOND_MS) return `${plainNumber((Math.floor(age / 100) / 10).toFixed(1))} s`;
  return agoText(Math.floor(age / SECOND_MS));
}
