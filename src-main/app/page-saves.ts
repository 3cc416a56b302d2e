import type { Timers } from '../../src-shared/time.ts';

/** A window that hangs does not keep the app from quitting. */
const REPLY_WITHIN_MS = 2_000;
/** For notes that the window is saving: an archive that is busy or locked gets so much time. */
const SAVED_WITHIN_MS = 15_000;

interface Ports {
  /** Tells the window that the app quits; returns whether there is one. */
  readonly announce: () => boolean;
  readonly timers: Timers;
}

/** Lets the window save what was typed last before the app quits: each save waits for the reply to the one before. */
export class PageSaves {
  readonly #ports: Ports;
  /** Notes that are not saved, as the window reported last. */
  #unsaved = 0;
  #over = Promise.withResolvers<undefined>();
  #waiting: Promise<number> | null = null;
  #cancel: () => void = () => undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Called with the number of notes that are not saved: at once, and when the window has tried to save each. */
  report(unsaved: number, isOver: boolean): void {
    this.#unsaved = unsaved;
    if (isOver) this.#over.resolve(undefined);
    else this.#giveUpAfter(SAVED_WITHIN_MS);
  }

  /** Resolves with the number of notes that could not be saved, or not in time; 0 if the window does not reply. */
  wait(): Promise<number> {
    return (this.#waiting ??= this.#wait().finally(() => (this.#waiting = null)));
  }

  async #wait(): Promise<number> {
    this.#unsaved = 0;
    this.#over = Promise.withResolvers<undefined>();
    if (!this.#ports.announce()) return 0;
    this.#giveUpAfter(REPLY_WITHIN_MS);
    await this.#over.promise;
    this.#cancel();
    return this.#unsaved;
  }

  #giveUpAfter(ms: number): void {
    this.#cancel();
    this.#cancel = this.#ports.timers.after(ms, () => this.#over.resolve(undefined));
  }
}
