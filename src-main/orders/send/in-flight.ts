/** Tracks orders in flight, whose outcome must be in the journal before the app quits or unloads its secret. */
import type { IntentRecord } from '../../../src-shared/ipc/orders.ts';
import type { Timers } from '../../../src-shared/time.ts';
import type { Journal } from '../journal/journal.ts';

export class InFlight {
  readonly #journal: Pick<Journal, 'idle' | 'interrupted' | 'unresolved'>;
  readonly #timers: Timers;
  #waiting: (() => void)[] = [];

  constructor(journal: Pick<Journal, 'idle' | 'interrupted' | 'unresolved'>, timers: Timers) {
    this.#journal = journal;
    this.#timers = timers;
  }

  /** Call after an intent changed. */
  update(): void {
    if (this.#journal.interrupted().length > 0) return;
    for (const one of this.#waiting) one();
    this.#waiting = [];
  }

  /** Returns a connection's orders in flight or of unknown outcome. */
  unresolved(connectionId: string): readonly IntentRecord[] {
    return this.#journal.unresolved().filter((one) => one.connectionId === connectionId);
  }

  /** Resolves once none is in flight, or after `ms`; the rest is unknown at the next start. */
  whenSettled(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const giveUp = this.#timers.after(ms, resolve);
      // An order that is being recorded is in flight once it is.
      void this.#journal.idle().then(() => {
        this.#waiting.push(() => {
          giveUp();
          resolve();
        });
        this.update();
      });
    });
  }
}
