/** A database with the files SQLite keeps beside it, moved and removed as one. */
import { existsSync, rmSync } from 'node:fs';
import { renameSync } from '../../../src-files/rename.ts';

const PARTS = ['', '-wal', '-shm'] as const;

/**
 * Moves the database to a name of its own beside it: `<file>.<why>-<time>`, never one that is taken. `now`: wall clock,
 * ms. Returns the name. Throws the system's error; then everything is where it was.
 */
export function moveAside(file: string, why: 'damaged' | 'replaced' | 'other-account', now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  let path = `${file}.${why}-${stamp}`;
  for (let n = 2; existsSync(path); n++) path = `${file}.${why}-${stamp}-${n}`;
  moveDatabase(file, path);
  return path;
}

/** Throws the system's error; then everything is where it was. */
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

export function removeDatabase(file: string): void {
  for (const part of PARTS) rmSync(file + part, { force: true });
}
