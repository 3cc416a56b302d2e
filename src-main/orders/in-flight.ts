/** Waits for orders on their way: their answer belongs in the journal before the app ends. */
import type { Journal } from './journal.ts';

export interface InFlight {
  /** An intent changed. */
  look(): void;
  /** Resolves once none is on its way, or after `ms`: what is left then is unknown at the next start. */
  settled(ms: number): Promise<void>;
}

export function createInFlight(
  journal: Pick<Journal, 'interrupted'>,
  timers: { after(ms: number, run: () => void): () => void },
): InFlight {
  let waiting: (() => void)[] = [];
  const look = (): void => {
    if (journal.interrupted().length > 0) return;
    for (const one of waiting) one();
    waiting = [];
  };
  return {
    look,
    settled: (ms) =>
      new Promise((resolve) => {
        const giveUp = timers.after(ms, resolve);
        waiting.push(() => {
          giveUp();
          resolve();
        });
        look();
      }),
  };
}
