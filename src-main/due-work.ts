/**
 * Begins work that is due while the app is open: checks once a minute, never begins while an order is being sent, and
 * tries a failed one again after an hour. A streak of failures is announced once.
 */
import type { Failure, Result } from '../src-shared/ipc/failures.ts';
import { HOUR_MS, type Clock, type Timers } from '../src-shared/time.ts';

/** Delay of the first check after the start, when the first screens are loaded. */
export const FIRST_CHECK_MS = 10_000;
export const CHECK_MS = 60_000;
/** Delay before failed work is tried again. */
export const RETRY_MS = HOUR_MS;

export interface DueWorkPorts {
  /** When it is due, ms; null while it is off. */
  readonly dueAt: () => number | null;
  /** Reports whether orders are being sent. */
  readonly isSending: () => boolean;
  /** Reports whether it may begin otherwise. */
  readonly mayBegin: () => boolean;
  /** Does it; null if it was cancelled. */
  readonly run: () => Promise<Result<unknown>>;
  readonly announce: (failure: Failure) => void;
  readonly clock: Clock;
  readonly timers: Timers;
}

export class DueWork {
  readonly #ports: DueWorkPorts;
  /** Whether the present streak of failures was announced. */
  #announced = false;
  /** When it may begin again after a failure or a cancel, ms. */
  #notBefore = 0;
  #stopped = false;

  constructor(ports: DueWorkPorts) {
    this.#ports = ports;
  }

  begin(): void {
    this.#checkAfter(FIRST_CHECK_MS);
  }
  /** Nothing begins any more. */
  stop(): void {
    this.#stopped = true;
  }
  /** Checks after a change of the schedule, which is a new try. */
  changed(): void {
    this.#notBefore = 0;
    this.check();
  }
  /** Records a success, also of work begun by hand. */
  succeeded(): void {
    this.#announced = false;
  }
  /** Begins what is due. */
  check(): void {
    const { dueAt, isSending, mayBegin, run, announce, clock } = this.#ports;
    const [due, now] = [dueAt(), clock.now()];
    if (this.#stopped || due === null || due > now || isSending() || !mayBegin()) return;
    // A clock that was ahead must not delay it for long.
    if (now < this.#notBefore && this.#notBefore <= now + RETRY_MS) return;
    void run().then((result) => {
      if (result.ok && result.data !== null) return;
      this.#notBefore = now + RETRY_MS;
      if (result.ok || this.#announced) return;
      this.#announced = true;
      announce(result.failure);
    });
  }
  #checkAfter(ms: number): void {
    this.#ports.timers.after(ms, () => {
      if (this.#stopped) return;
      this.check();
      this.#checkAfter(CHECK_MS);
    });
  }
}
