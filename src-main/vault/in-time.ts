/** Bounds how long a caller waits for the keychain. */
import type { Timers } from '../../src-shared/time.ts';

/** An unlocked keychain responds within tens of milliseconds. */
const KEYCHAIN_PATIENCE_MS = 400;

/** Waits a short time for the keychain, which may be prompting for a password; then resolves with `waiting` instead. */
export function inTime<T>(timers: Timers, reading: Promise<T>, waiting: T): Promise<T> {
  return new Promise((resolve) => {
    const giveUp = timers.after(KEYCHAIN_PATIENCE_MS, () => resolve(waiting));
    void reading.then((read) => {
      giveUp();
      resolve(read);
    });
  });
}
