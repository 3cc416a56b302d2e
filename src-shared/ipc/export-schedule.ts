/** Defines the IPC types of exports on a schedule: what, when, the last result. */
import * as v from 'valibot';
import { EVERY } from '../domain/display/occurrences.ts';
import { connectionId } from './call.ts';
import { TAX_PRESETS } from './exports.ts';
import type { ScheduleState } from './backup.ts';

/** `since-last`: from the end of the last file to the end of the day before. */
const EXPORT_PERIODS = ['since-last', 'month', 'last-month', 'year', 'last-year', 'all'] as const;
export type ExportPeriod = (typeof EXPORT_PERIODS)[number];

/** Trades with every field or in the layout of a tax tool; orders with every field. */
export const EXPORT_FORMATS = ['full', ...TAX_PRESETS, 'orders'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Half hours, but not midnight: the exchange lists the last trades of a day only then. */
export const EXPORT_TIMES: readonly string[] = Array.from({ length: 47 }, (_, index) => {
  const half = index + 1;
  return `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
});

const fields = {
  on: v.boolean(),
  every: v.picklist(EVERY),
  at: v.picklist(EXPORT_TIMES),
  /** Null before one is chosen. */
  connectionId: v.nullable(connectionId),
  format: v.picklist(EXPORT_FORMATS),
  period: v.picklist(EXPORT_PERIODS),
};
export const exportScheduleSchema = v.strictObject(fields);
export type ExportSchedule = v.InferOutput<typeof exportScheduleSchema>;

/** A change of some of it, so that two changes at once are both kept. */
export const exportScheduleChangeSchema = v.strictObject({
  on: v.exactOptional(fields.on),
  every: v.exactOptional(fields.every),
  at: v.exactOptional(fields.at),
  connectionId: v.exactOptional(fields.connectionId),
  format: v.exactOptional(fields.format),
  period: v.exactOptional(fields.period),
});
export type ExportScheduleChange = v.InferOutput<typeof exportScheduleChangeSchema>;

/** A file that was written, its history verified as complete. */
export interface ExportMade {
  /** Wall clock, ms. */
  readonly at: number;
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** What it lacks, such as orders of a gap in the history, or what a tax tool does not know. */
  readonly warnings: readonly string[];
}

export interface ExportScheduleState extends ScheduleState<ExportSchedule, ExportMade> {
  /** How much of the history is stored, while one is running; `total` is null until the exchange said it. */
  readonly working: { readonly stored: number; readonly total: number | null } | null;
}
