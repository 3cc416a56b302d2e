/** Tracks orders in flight, whose outcome must be in the journal before the app quits or unloads its secret. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { Journal } from '../journal/journal.ts';

export interface InFlight {
  /** Call after an intent changed. */
  update(): void;
  /** Returns a connection's orders in flight or of unknown outcome. */
  unresolved(connectionId: string): readonly IntentRecord[];
  /** Resolves once none is in flight, or after `ms`; the rest is unknown at the next start. */
  whenSettled(ms: number): Promise<void>;
}

export function createInFlight(
  journal: Pick<Journal, 'interrupted' | 'unresolved'>,
  timers: { after(ms: number, run: () => void): () => void },
): InFlight {
  let waiting: (() => void)[] = [];
  const update = (): void => {
    if (journal.interrupted().length > 0) return;
    for (const one of waiting) one();
    waiting = [];
  };
  return {
    update,
    unresolved: (connectionId) => journal.unresolved().filter((one) => one.connectionId === connectionId),
    whenSettled: (ms) =>
      new Promise((resolve) => {
        const giveUp = timers.after(ms, resolve);
        waiting.push(() => {
          giveUp();
          resolve();
        });
        update();
      }),
  };
}
