/** Schema of the file with the backup schedule and its last result. */
import * as v from 'valibot';
import { ms, textUpTo } from '../../src-shared/ipc/call.ts';
import { scheduleSchema } from '../../src-shared/ipc/backup.ts';
import { failedSchema } from '../schedule.ts';

export const storedBackupsSchema = v.strictObject({
  version: v.literal(1),
  /** Written to the manifest of the schedule's files, so that it deletes no others; null until first switched on. */
  id: v.nullable(textUpTo(60)),
  schedule: scheduleSchema,
  folder: v.nullable(v.string()),
  /** When the schedule last wrote a verified file into this folder. */
  writtenAt: v.nullable(ms),
  last: v.nullable(v.object({ at: ms, path: v.string(), bytes: v.number(), files: v.number() })),
  failed: failedSchema,
});
export type StoredBackups = v.InferOutput<typeof storedBackupsSchema>;

export const NO_BACKUPS: StoredBackups = {
  version: 1,
  id: null,
  schedule: { on: false, everyDays: 7, keep: 5 },
  folder: null,
  writtenAt: null,
  last: null,
  failed: null,
};
