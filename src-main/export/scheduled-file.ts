/** Computes what a scheduled export contains: its period, its rows, its name. */
import { DEFAULT_TAX } from '../../src-shared/ipc/default-settings.ts';
import type { TaxSettings } from '../../src-shared/ipc/tax-settings.ts';
import type { ExportSchedule } from '../../src-shared/ipc/export-schedule.ts';
import { NO_FILTER, TRADE_COLUMNS } from '../../src-shared/ipc/trades.ts';
import { rangeSpan, type TimeSpan } from '../../src-shared/domain/display/day-range.ts';
import { nextOccurrence } from '../../src-shared/domain/display/occurrences.ts';
import { dayBefore, zonedSpan } from '../../src-shared/domain/display/zoned-time.ts';
import { DAY_MS } from '../../src-shared/time.ts';
import type { ArchiveExport } from '../archive/export/source.ts';

export interface ScheduledFile {
  readonly from: number | null;
  /** Null for the whole history. */
  readonly to: number | null;
  readonly name: string;
}

/** What of the settings a file depends on. */
export interface ScheduledSettings {
  /** An IANA name. */
  readonly zone: string;
  readonly tax: TaxSettings;
}

/**
 * Returns the file due at `at`: a period by the calendar of that day, so that one done late is the one that was missed.
 * Null if a file since the last one would hold no day.
 */
export function fileAt(
  { period, format }: ExportSchedule,
  at: number,
  {
    zone,
    exportedTo,
    account,
  }: { readonly zone: string; readonly exportedTo: number | null; readonly account: string },
): ScheduledFile | null {
  const day = (ms: number): string => dayBefore(ms, zone, 0);
  const named = (days: string): string =>
    `Ballast ${WHAT[format] ?? format} ${inFileName(account)} ${days}.csv`;
  if (period === 'since-last') {
    const yesterday = dayBefore(at, zone, 1);
    const to = zonedSpan(yesterday, zone)?.last ?? at;
    const from = exportedTo === null ? null : exportedTo + 1;
    if (from !== null && from > to) return null;
    return { from, to, name: named(`${from === null ? 'up' : day(from)} to ${yesterday}`) };
  }
  const { from, to } = periodSpan(period, at, zone);
  const first = from === null ? 'all' : day(from);
  const length = period === 'month' || period === 'last-month' ? 'YYYY-MM'.length : 'YYYY'.length;
  return { from, to, name: named(first.slice(0, length)) };
}

/** Days after the begin of a month or year on which it is the last one. */
const AFTER = { month: ['last-month', 32], year: ['last-year', 370] } as const;

/** Returns a period of the day `at`; this month and year to their ends: written later, a file holds no more. */
function periodSpan(
  period: Exclude<ExportSchedule['period'], 'since-last'>,
  at: number,
  zone: string,
): TimeSpan {
  const span = rangeSpan(period, at, zone);
  if ((period !== 'month' && period !== 'year') || span.from === null) return span;
  const [last, days] = AFTER[period];
  return rangeSpan(last, span.from + days * DAY_MS, zone);
}

/**
 * Returns the occurrence to do now, of those since `due`: the oldest whose file no later one replaces. So months that
 * were missed are all written, and a file of this year once.
 */
export function occurrenceToDo(
  schedule: ExportSchedule,
  due: number,
  now: number,
  file: Parameters<typeof fileAt>[2],
): number {
  let at = due;
  for (;;) {
    const next = nextOccurrence(schedule, at, file.zone);
    const replaced =
      schedule.period === 'since-last' ||
      fileAt(schedule, at, file)?.name === fileAt(schedule, next, file)?.name;
    if (next > now || !replaced) return at;
    at = next;
  }
}

/** Returns the export that writes a scheduled file: its period in the layout of the schedule, without notes. */
export function queryOf(
  { format, period }: ExportSchedule,
  { from, to }: ScheduledFile,
  { zone, tax }: ScheduledSettings,
  account: string,
): ArchiveExport {
  return {
    table: format === 'orders' ? 'orders' : 'trades',
    preset: format === 'orders' ? 'full' : format,
    filter: { ...NO_FILTER, from, to },
    columns: [...TRADE_COLUMNS],
    notes: false,
    timeFormat: 'iso',
    timeZone: zone,
    decimalMark: 'point',
    separator: 'comma',
    spreadsheetSafe: false,
    tax: { ...DEFAULT_TAX, ...tax },
    account,
    // So that no file lacks what the one before could not have yet.
    ...(period === 'since-last' ? { profitsWithin: 'change' } : {}),
  };
}

const WHAT: Readonly<Record<string, string>> = { full: 'trades', orders: 'orders' };

/** Leaves out what a file system does not take. */
const inFileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
