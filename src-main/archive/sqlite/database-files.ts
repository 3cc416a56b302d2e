/** Moves and removes a database together with its -wal, -shm and -journal files. */
import { existsSync, rmSync } from 'node:fs';
import { renameSync } from '../../../src-files/rename.ts';
import { unusedName } from '../../../src-files/unused-name.ts';

const PARTS = ['', '-wal', '-shm', '-journal'] as const;

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

export function removeDatabase(file: string): void {
  for (const part of PARTS) rmSync(file + part, { force: true });
}
