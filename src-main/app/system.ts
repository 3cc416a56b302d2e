/** Provides the system's clock, timers and randomness. They are injected, so tests can use their own. */
import { randomUUID } from 'node:crypto';

export const clock = { now: () => Date.now(), mono: () => performance.now() };
export const newId = (): string => randomUUID();
export const timers = {
  after(ms: number, run: () => void): () => void {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
