/** Handles the calls about backups of everything. */
import type { BACKUP_CALLS } from '../../src-shared/ipc/calls-backup.ts';
import type { Handlers } from '../../src-shared/ipc/calls.ts';
import { done } from '../../src-shared/ipc/failures.ts';
import type { Backups } from '../backup/backups.ts';

export const backupHandlers = (backups: Backups): Pick<Handlers, keyof typeof BACKUP_CALLS> => ({
  'backup.get': () => backups.get(),
  'backup.chooseFolder': () => backups.chooseFolder(),
  'backup.setSchedule': (input) => backups.setSchedule(input),
  'backup.write': () => backups.write(),
  'backup.writeScheduled': () => backups.writeScheduled(),
  async 'backup.cancel'() {
    await backups.cancel();
    return done(null);
  },
  'backup.show'() {
    backups.show();
    return Promise.resolve(done(null));
  },
  'backup.examine': () => backups.examine(),
  'backup.discard'() {
    backups.discard();
    return Promise.resolve(done(null));
  },
  'backup.restore': () => backups.restore(),
});
