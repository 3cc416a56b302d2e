/** Locks a file for one process by a lock of the system, which ends with the process, however that ends. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockPath } from './database-files.ts';
import { ArchiveFault, isBusy } from './errors.ts';

/** Holds the lock in a file beside it until the result is closed. Throws ArchiveFault if another has it. */
export function lockFile(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(lockPath(file), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new ArchiveFault({
      kind: 'file',
      message: `Another export is using the archive ${file}.`,
      next: 'Wait until it ends, or give each its own --archive.',
      field: 'file',
    });
  }
}
