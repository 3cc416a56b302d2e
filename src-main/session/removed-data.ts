/** Deletes what a removed connection leaves in the profile. */
import { basename } from 'node:path';
import { errorCode } from '../../src-files/error-code.ts';
import { deleteAlertLog } from '../alerts/alert-file.ts';
import { remove } from '../../src-files/remove.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';

export interface RemovedData {
  readonly files: readonly string[];
  /** The log of its alerts, to which a message that is tried again would be written. */
  readonly alerts: string | null;
  /** Deletes its last figures and daily limits. */
  readonly forget: () => Promise<void>;
}

const notDeleted = (what: string, error: unknown): Failure => ({
  kind: 'file',
  message: `The connection was removed, but ${what} could not be deleted (${errorCode(error) || 'unknown error'}).`,
  next: 'Allow writing to the profile folder, and free up disk space. It is tried again at the next start.',
  field: 'file',
});

/** Deletes as much as it can. Never rejects. */
export async function deleteRemoved({ files, alerts, forget }: RemovedData): Promise<Result<null>> {
  const failures: Failure[] = [];
  const named =
    (what: string) =>
    (error: unknown): void =>
      void failures.push(notDeleted(what, error));
  for (const path of files) await remove(path).catch(named(`“${basename(path)}”`));
  if (alerts !== null) await deleteAlertLog(alerts).catch(named(`“${basename(alerts)}”`));
  await forget().catch(named('its last figures or its daily limits'));
  const [failure] = failures;
  return failure === undefined ? done(null) : failed(failure);
}
