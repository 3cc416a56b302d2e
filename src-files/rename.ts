/**
 * Renames that wait while another program holds the file. On Windows a virus scanner or indexer opens new files
 * without sharing them for deletion, and a rename then briefly fails with EPERM, EBUSY or EACCES.
 */
import { renameSync as renameOnce } from 'node:fs';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { errorCode } from './error-code.ts';

/** Two seconds in all; after the last pause the caller gets the error. */
const PAUSES_MS = [10, 20, 40, 80, 150, 200, 300, 400, 400, 400] as const;
const HELD: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** The system calls of a rename; tests inject a Windows that holds its files. */
export interface RenameSystem<P> {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => void;
  readonly pause: (ms: number) => P;
}

const system = { platform: process.platform, rename: renameOnce };
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Returns null once renamed, and the error while another program may hold one of the files. Throws any other error. */
function attempt(from: string, to: string, { platform, rename }: RenameSystem<unknown>): Error | null {
  try {
    rename(from, to);
    return null;
  } catch (error) {
    if (platform === 'win32' && error instanceof Error && HELD.has(errorCode(error))) return error;
    throw error;
  }
}

/** Moves `from` over `to`. Rejects with the system's error. */
export async function rename(
  from: string,
  to: string,
  on: RenameSystem<Promise<unknown>> = { ...system, pause: pauseFor },
): Promise<void> {
  let held = attempt(from, to, on);
  for (const ms of PAUSES_MS) {
    if (held === null) return;
    await on.pause(ms);
    held = attempt(from, to, on);
  }
  if (held !== null) throw held;
}

/** Renames synchronously. Blocks this thread for two seconds at most, on Windows only. */
export function renameSync(
  from: string,
  to: string,
  on: RenameSystem<unknown> = { ...system, pause: (ms) => Atomics.wait(sleeper, 0, 0, ms) },
): void {
  let held = attempt(from, to, on);
  for (const ms of PAUSES_MS) {
    if (held === null) return;
    on.pause(ms);
    held = attempt(from, to, on);
  }
  if (held !== null) throw held;
}
