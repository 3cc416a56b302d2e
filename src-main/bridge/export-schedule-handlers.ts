/** Handles the calls about exports on a schedule. */
import type { EXPORT_SCHEDULE_CALLS } from '../../src-shared/ipc/calls-export-schedule.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import type { ScheduledExports } from '../export/scheduled-exports.ts';

export const exportScheduleHandlers = (
  scheduled: ScheduledExports,
): Pick<Handlers, keyof typeof EXPORT_SCHEDULE_CALLS> => ({
  'exportSchedule.get': () => scheduled.get(),
  'exportSchedule.chooseFolder': () => scheduled.chooseFolder(),
  'exportSchedule.set': (input) => scheduled.set(input),
  'exportSchedule.run': () => scheduled.run(),
  async 'exportSchedule.cancel'() {
    await scheduled.cancel();
    return done(null);
  },
  'exportSchedule.show'() {
    scheduled.show();
    return Promise.resolve(done(null));
  },
});
