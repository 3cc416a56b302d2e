/** Defines the calls about backups of everything. Paths come from dialogs, never from the page. */
import { scheduleChangeSchema, type BackupFile, type BackupState, type RestoreSummary } from './backup.ts';
import { call, nothing } from './call.ts';

export const BACKUP_CALLS = {
  'backup.get': call(nothing).returns<BackupState>(),
  /** Asks for the schedule's folder; the state as it is if the user cancelled. */
  'backup.chooseFolder': call(nothing).returns<BackupState>(),
  /** Blocked without a folder. A backup that is due begins at once. */
  'backup.setSchedule': call(scheduleChangeSchema).returns<BackupState>(),
  /** Asks where to save everything in one file; null if cancelled. */
  'backup.write': call(nothing).returns<BackupFile | null>(),
  /** Writes the schedule's next file now; null if cancelled. */
  'backup.writeScheduled': call(nothing).returns<BackupFile | null>(),
  'backup.cancel': call(nothing).returns<null>(),
  /** Shows the newest backup in its folder. */
  'backup.show': call(nothing).returns<null>(),
  /** Asks for a backup, verifies and stages it; null if cancelled. */
  'backup.examine': call(nothing).returns<RestoreSummary | null>(),
  /** Discards what is staged. */
  'backup.discard': call(nothing).returns<null>(),
  /** Restores what is staged: Ballast restarts. Blocked while an order is being sent. */
  'backup.restore': call(nothing).returns<null>(),
} as const;
