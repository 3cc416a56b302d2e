/** Defines the calls about exports on a schedule. The folder comes from a dialog, never from the page. */
import { call, nothing } from './call.ts';
import { exportScheduleChangeSchema, type ExportMade, type ExportScheduleState } from './export-schedule.ts';

export const EXPORT_SCHEDULE_CALLS = {
  'exportSchedule.get': call(nothing).returns<ExportScheduleState>(),
  /** Asks for the folder; the state as it is if the user cancelled. */
  'exportSchedule.chooseFolder': call(nothing).returns<ExportScheduleState>(),
  /** Blocked when switched on without a folder or a connection. */
  'exportSchedule.set': call(exportScheduleChangeSchema).returns<ExportScheduleState>(),
  /** Writes a file now; null if cancelled. */
  'exportSchedule.run': call(nothing).returns<ExportMade | null>(),
  'exportSchedule.cancel': call(nothing).returns<null>(),
  /** Shows the newest file in its folder. */
  'exportSchedule.show': call(nothing).returns<null>(),
} as const;
