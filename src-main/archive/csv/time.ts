/** Prints CSV times in a time zone: ranges of equal UTC offset, each with its SQL expression. */
import { ArchiveFault } from '../sqlite/errors.ts';
import { zoneNamed } from '../../../src-shared/domain/display/zoned-time.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

export interface OffsetRange {
  /** First instant after the range, ms. */
  readonly until: number;
  /** SQL expression over `t.trade_time`. */
  readonly sql: string;
}
/** Returns the range of `time`, searched up to `horizon`, the latest row's time. */
export type OffsetRangeAt = (time: number, horizon: number) => OffsetRange;

/** Zone rules are not defined this far ahead: later times are printed in UTC. */
const RULES_END = Date.UTC(2100, 0, 1);
/** ISO 8601 has four digits for the year; later times are printed as milliseconds. */
const ISO_END = Date.UTC(9999, 0, 1);

const EPOCH: OffsetRange = { until: Number.MAX_SAFE_INTEGER, sql: 't.trade_time' };

function isoSql(offsetSeconds: number, suffix: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', t.trade_time / 1000 + ${offsetSeconds}, 'unixepoch')
    || printf('.%03d', t.trade_time % 1000) || '${suffix}'`;
}

/** Milliseconds since 1970, or ISO 8601 with the zone's offset (`Z` for UTC). Throws ArchiveFault: unknown zone. */
export function timeRanges(format: 'iso' | 'epoch-ms', zone: string): OffsetRangeAt {
  if (format === 'epoch-ms') return () => EPOCH;
  const suffixAt = zone === 'UTC' ? () => 'Z' : zoneSuffix(zone);
  return (time, horizon) => {
    if (time >= ISO_END) return EPOCH;
    if (time >= RULES_END) return { until: ISO_END, sql: isoSql(0, 'Z') };
    const suffix = suffixAt(time);
    const end = Math.min(horizon + 1, RULES_END);
    return { until: changeAfter(time, end, suffix, suffixAt), sql: isoSql(secondsOf(suffix), suffix) };
  };
}

/** Returns the first instant after `time` with another offset, or `end`. No zone changes twice within a day. */
function changeAfter(time: number, end: number, suffix: string, suffixAt: (time: number) => string): number {
  let same = time;
  while (same < end) {
    let other = Math.min(same + DAY_MS, end);
    if (suffixAt(other) === suffix) {
      same = other;
      continue;
    }
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if (suffixAt(middle) === suffix) same = middle;
      else other = middle;
    }
    return other;
  }
  return end;
}

function zoneSuffix(zone: string): (time: number) => string {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zoneNamed(zone), timeZoneName: 'longOffset' });
  } catch {
    throw new ArchiveFault({
      kind: 'blocked',
      message: `The time zone ${zone.slice(0, 60)} is not known.`,
      next: 'Choose a zone from the list, such as UTC or Europe/Zurich.',
      field: 'timeZone',
    });
  }
  return (time) => {
    const name = format.formatToParts(time).find((part) => part.type === 'timeZoneName')?.value ?? '';
    const offset = name.replace('GMT', '');
    return offset === '' ? '+00:00' : offset;
  };
}

/** Returns the seconds of `Z` or of an offset such as `+05:45`. */
function secondsOf(suffix: string): number {
  if (suffix === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = suffix
    .slice(1)
    .split(':')
    .map((part) => Number.parseInt(part, 10));
  const size = hours * 3600 + minutes * 60 + seconds;
  return suffix.startsWith('-') ? -size : size;
}

/** Returns a printer of the same times outside SQL. Throws ArchiveFault for an unknown zone. */
export function timePrinter(format: 'iso' | 'epoch-ms', zone: string): (time: number) => string {
  if (format === 'epoch-ms') return String;
  const suffixAt = zone === 'UTC' ? () => 'Z' : zoneSuffix(zone);
  return (time) => {
    if (time >= ISO_END) return String(time);
    const suffix = time >= RULES_END ? 'Z' : suffixAt(time);
    return new Date(time + secondsOf(suffix) * 1_000).toISOString().slice(0, -1) + suffix;
  };
}

const WRITTEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d(?::\d\d)?)$/;
const CLOCK_LENGTH = '2026-11-21T09:14:03.007'.length;
const EPOCH_DIGITS = /^(?:0|[1-9]\d{0,15})$/;

/** Parses a time cell to ms; null if it is none of this format. */
export function readTime(cell: string): number | null {
  if (EPOCH_DIGITS.test(cell)) {
    const time = Number.parseInt(cell, 10);
    return Number.isSafeInteger(time) ? time : null;
  }
  if (!WRITTEN.test(cell)) return null;
  const [clock, suffix] = [cell.slice(0, CLOCK_LENGTH), cell.slice(CLOCK_LENGTH)];
  const asUtc = Date.parse(`${clock}Z`);
  // Date.parse rolls an invalid day over; reject it.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(clock)) return null;
  const time = asUtc - secondsOf(suffix) * 1_000;
  return time >= 0 ? time : null;
}
