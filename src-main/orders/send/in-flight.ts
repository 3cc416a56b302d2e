/** Orders on their way: their answer belongs in the journal before the app ends, or lets its key go. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { Journal } from '../journal/journal.ts';

export interface InFlight {
  /** An intent changed. */
  look(): void;
  /** Orders of a connection that are on their way, or of unknown outcome. */
  unsettled(connectionId: string): readonly IntentRecord[];
  /** Resolves once none is on its way, or after `ms`: what is left then is unknown at the next start. */
  settled(ms: number): Promise<void>;
}

export function createInFlight(
  journal: Pick<Journal, 'interrupted' | 'unsettled'>,
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
    unsettled: (connectionId) => journal.unsettled().filter((one) => one.connectionId === connectionId),
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
