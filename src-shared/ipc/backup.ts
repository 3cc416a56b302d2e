/** Defines the IPC types of backups of everything: the schedule, its last result, and a restore. */
import * as v from 'valibot';
import { whole } from './call.ts';
import type { Failure } from './failures.ts';

const everyDays = whole(1, 90);
const keep = whole(1, 100);
export const scheduleSchema = v.strictObject({ on: v.boolean(), everyDays, keep });
export type Schedule = v.InferOutput<typeof scheduleSchema>;

/** A partial change, so that two at once are both kept. */
export const scheduleChangeSchema = v.strictObject({
  on: v.exactOptional(v.boolean()),
  everyDays: v.exactOptional(everyDays),
  keep: v.exactOptional(keep),
});
export type ScheduleChange = v.InferOutput<typeof scheduleChangeSchema>;

/** A backup that was written and verified. */
export interface BackupFile {
  /** Wall clock, ms. */
  readonly at: number;
  readonly path: string;
  readonly bytes: number;
  /** Number of files in it. */
  readonly files: number;
}

export interface BackupWork {
  /** `examine`: verifies and stages a chosen backup. */
  readonly work: 'write' | 'examine';
  /** Whether the schedule started it. */
  readonly scheduled: boolean;
  /** Percentage, 0–100. */
  readonly percent: number;
}

/** State of a schedule that writes files into a folder. */
export interface ScheduleState<S, F> {
  readonly schedule: S;
  /** The chosen folder; null before one is chosen. */
  readonly folder: string | null;
  readonly isFolderMissing: boolean;
  /** When the next file is due, ms; null while the schedule is off. */
  readonly dueAt: number | null;
  /** The newest verified file; null if there is none. */
  readonly last: F | null;
  /** Why the last attempt failed, until one succeeds. */
  readonly failed: { readonly at: number; readonly failure: Failure } | null;
}

/** `last` is also one made without the schedule. */
export interface BackupState extends ScheduleState<Schedule, BackupFile> {
  readonly working: BackupWork | null;
}

/** What a chosen backup holds. */
export interface RestoreSummary {
  /** Name of the backup. */
  readonly file: string;
  readonly createdAt: number;
  /** Version of Ballast that wrote it. */
  readonly version: string;
  readonly bytes: number;
  readonly connections: readonly { readonly id: string; readonly name: string; readonly baseUrl: string }[];
  readonly archives: number;
  readonly trades: number;
  readonly orders: number;
  /** Number of orders in its journal. */
  readonly journal: number;
  readonly alertLogs: number;
  readonly webhooks: number;
  /** Whether it holds settings. */
  readonly settings: boolean;
}
