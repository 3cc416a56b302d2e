import type { Timers } from '../../src-shared/time.ts';

/** A window that hangs does not keep the app from quitting. */
const WITHIN_MS = 2_000;

interface Ports {
  /** Tells the window that the app quits; returns whether there is one. */
  readonly announce: () => boolean;
  readonly timers: Timers;
}

/** Lets the window save what was typed last before the app quits: each save waits for the reply to the one before. */
export class PageSaves {
  readonly #ports: Ports;
  #saved = Promise.withResolvers<undefined>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Called when the window has saved everything. */
  saved(): void {
    this.#saved.resolve(undefined);
  }

  /** Resolves when the window has saved everything, or does not reply. */
  async wait(): Promise<void> {
    if (!this.#ports.announce()) return;
    const giveUp = this.#ports.timers.after(WITHIN_MS, () => this.saved());
    await this.#saved.promise;
    giveUp();
  }
}
