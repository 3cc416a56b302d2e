/** A failure with its way out, thrown in the worker of a backup. */
import { ArchiveFault, reasonOf } from '../archive/sqlite/errors.ts';
import type { Failure } from '../../src-shared/ipc/failures.ts';

export class BackupFault extends Error {
  override readonly name = 'BackupFault';
  readonly failure: Failure;
  constructor(message: string, next: string) {
    super(message);
    this.failure = { kind: 'file', message, next, field: 'path' };
  }
}

/** Returns the failure of any error: `what` did not happen. A library's error object is never passed on. */
export function failureOf(error: unknown, what: string, next: string): Failure {
  if (error instanceof BackupFault || error instanceof ArchiveFault)
    return { ...error.failure, message: `${what} ${error.failure.message}` };
  return { kind: 'file', message: `${what} The reason: ${reasonOf(error)}.`, next, field: 'path' };
}
