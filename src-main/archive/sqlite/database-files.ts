/** Moves and removes a database together with its -wal, -shm and -journal files. */
import { existsSync } from 'node:fs';
import { remove, removeSync } from '../../../src-files/remove.ts';
import { renameSync } from '../../../src-files/rename.ts';
import { unusedName } from '../../../src-files/unused-name.ts';
import { schemaCopies } from './schema-copy.ts';

const PARTS = ['', '-wal', '-shm', '-journal'] as const;

/** Returns where a new archive is created before it gets its name. */
export const newPath = (file: string): string => `${file}.new`;
/** Returns where a backup is validated before it replaces the archive. */
export const stagingPath = (file: string): string => `${file}.restoring`;
/** Returns the file of an archive's lock. */
export const lockPath = (file: string): string => `${file}.lock`;

/** Returns all files of an archive that may be there, with copies of it and unfinished ones, but none moved aside. */
export const archiveFiles = (file: string): readonly string[] => [
  ...[file, newPath(file), stagingPath(file), lockPath(file)].flatMap((path) =>
    PARTS.map((part) => path + part),
  ),
  ...schemaCopies(file),
];

/**
 * Renames the database to `<file>.<why>-<time>`, never an existing name, and returns it. `now`: wall clock, ms. Throws
 * the system's error and then leaves everything in place.
 */
export function moveAside(file: string, why: 'damaged' | 'replaced' | 'other-account', now: number): string {
  const path = unusedName(`${file}.${why}`, now);
  moveDatabase(file, path);
  return path;
}

/** Moves all parts. Throws the system's error and then leaves everything in place. */
export function moveDatabase(from: string, to: string): void {
  const moved: string[] = [];
  try {
    for (const part of PARTS)
      if (existsSync(from + part)) {
        renameSync(from + part, to + part);
        moved.push(part);
      }
  } catch (error) {
    for (const part of moved) renameSync(to + part, from + part);
    throw error;
  }
}

/** Reports whether any part is there. */
export const isPresent = (file: string): boolean => PARTS.some((part) => existsSync(file + part));

/** Removes a database in the main process, which must not stop while a virus scanner holds a file. */
export async function removeDatabase(file: string): Promise<void> {
  for (const part of PARTS) await remove(file + part);
}
/** Removes a database in a worker thread, which replies only once it is done. */
export function removeDatabaseSync(file: string): void {
  for (const part of PARTS) removeSync(file + part);
}
