/** Deletes what a removed connection leaves in the profile. */
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorCode } from '../../src-files/error-code.ts';
import { done, failed, type Failure, type Result } from '../../src-shared/ipc/failures.ts';

export interface RemovedData {
  readonly files: readonly string[];
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
export async function deleteRemoved({ files, forget }: RemovedData): Promise<Result<null>> {
  const failures: Failure[] = [];
  for (const path of files)
    await rm(path, { force: true }).catch((error: unknown) => {
      failures.push(notDeleted(`“${basename(path)}”`, error));
    });
  await forget().catch((error: unknown) => {
    failures.push(notDeleted('its last figures or its daily limits', error));
  });
  const [failure] = failures;
  return failure === undefined ? done(null) : failed(failure);
}
