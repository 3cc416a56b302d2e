/**
 * Waits while another program holds a file. On Windows a virus scanner or indexer opens new files without sharing them
 * for deletion: renaming or removing one then briefly fails with EPERM, EBUSY or EACCES.
 */
import { setTimeout as pauseFor } from 'node:timers/promises';
import { errorCode } from './error-code.ts';

/** Two seconds in all; after the last pause the caller gets the error. */
const PAUSES_MS = [10, 20, 40, 80, 150, 200, 300, 400, 400, 400] as const;
/** ENOTEMPTY: a file in the folder is removed once it is closed. */
const HELD: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'ENOTEMPTY', 'EPERM']);

/** What decides about waiting; tests inject a Windows that holds its files. */
export interface Waiting<P> {
  readonly platform: NodeJS.Platform;
  readonly pause: (ms: number) => P;
}

const { platform } = process;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
export const waiting: Waiting<Promise<unknown>> = { platform, pause: pauseFor };
export const waitingSync: Waiting<unknown> = { platform, pause: (ms) => Atomics.wait(sleeper, 0, 0, ms) };

const isHeld = (error: unknown, on: Waiting<unknown>): boolean =>
  on.platform === 'win32' && HELD.has(errorCode(error));

/** Does the work, again while it fails because a file is held. Rejects with the system's error. */
export async function whileHeld(
  work: () => void | Promise<void>,
  on: Waiting<Promise<unknown>>,
): Promise<void> {
  for (const ms of PAUSES_MS) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isHeld(error, on)) throw error;
    }
    await on.pause(ms);
  }
  await work();
}

/** Does the same synchronously. Blocks this thread for two seconds at most, on Windows only. */
export function whileHeldSync(work: () => void, on: Waiting<unknown>): void {
  for (const ms of PAUSES_MS) {
    try {
      work();
      return;
    } catch (error) {
      if (!isHeld(error, on)) throw error;
    }
    on.pause(ms);
  }
  work();
}
