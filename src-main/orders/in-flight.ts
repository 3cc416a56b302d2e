/** Orders on their way: their answer belongs in the journal before the app ends, or lets its key go. */
import type { OrderState } from '../../src-shared/domain/order-life.ts';
import type { Journal } from './journal.ts';

export interface InFlight {
  /** An intent changed. */
  look(): void;
  /** How many orders of a connection are on their way, or of unknown outcome. */
  unsettled(connectionId: string): number;
  /** Resolves once none is on its way, or after `ms`: what is left then is unknown at the next start. */
  settled(ms: number): Promise<void>;
}

const UNSETTLED: ReadonlySet<OrderState> = new Set(['recorded', 'sending', 'unknown']);

export function createInFlight(
  journal: Pick<Journal, 'interrupted' | 'list'>,
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
    unsettled: (connectionId) => journal.list(connectionId).filter((one) => UNSETTLED.has(one.state)).length,
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
