/** Defines the schedule of exports on disk, with its last result. */
import * as v from 'valibot';
import { ms } from '../../src-shared/ipc/call.ts';
import { exportScheduleSchema } from '../../src-shared/ipc/export-schedule.ts';
import { failedSchema } from '../schedule.ts';

export const storedExportsSchema = v.strictObject({
  version: v.literal(1),
  schedule: exportScheduleSchema,
  folder: v.nullable(v.string()),
  /** The occurrence that was done last, or when the schedule was set: the next one is counted from it. */
  countedFrom: v.nullable(ms),
  /** Up to when files since the last one reach, ms; null before the first. */
  exportedTo: v.nullable(ms),
  /** Whose history those files hold; older versions did not store it. */
  exportedOf: v.exactOptional(v.string()),
  last: v.nullable(
    v.object({
      at: ms,
      path: v.string(),
      rows: v.number(),
      bytes: v.number(),
      /** What it lacks. Missing in older files. */
      warnings: v.optional(v.pipe(v.array(v.string()), v.readonly()), []),
    }),
  ),
  failed: failedSchema,
});
export type StoredExports = v.InferOutput<typeof storedExportsSchema>;

export const NO_EXPORTS: StoredExports = {
  version: 1,
  schedule: {
    on: false,
    every: 'month',
    at: '06:00',
    connectionId: null,
    format: 'full',
    period: 'since-last',
  },
  folder: null,
  countedFrom: null,
  exportedTo: null,
  last: null,
  failed: null,
};
