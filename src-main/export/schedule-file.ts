/** Defines the schedule of exports on disk, with its last result. */
import * as v from 'valibot';
import { exportScheduleSchema, type ExportScheduleState } from '../../src-shared/ipc/export-schedule.ts';
import { FAILURE_KINDS, type Failure, failureKind } from '../../src-shared/ipc/failures.ts';

const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const storedExportsSchema = v.strictObject({
  version: v.literal(1),
  schedule: exportScheduleSchema,
  folder: v.nullable(v.string()),
  /** The occurrence that was done last, or when the schedule was set: the next one is counted from it. */
  countedFrom: v.nullable(time),
  /** Up to when files since the last one reach, ms; null before the first. */
  exportedTo: v.nullable(time),
  last: v.nullable(v.object({ at: time, path: v.string(), rows: v.number(), bytes: v.number() })),
  failed: v.nullable(
    v.object({
      at: time,
      failure: v.pipe(
        v.object({
          kind: v.picklist([...FAILURE_KINDS, 'denied']),
          message: v.string(),
          next: v.string(),
        }),
        v.transform((failure): Failure => ({ ...failure, kind: failureKind(failure.kind) })),
      ),
    }),
  ),
});
export type StoredExports = v.InferOutput<typeof storedExportsSchema> & Pick<ExportScheduleState, 'failed'>;

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
