/** Manual time: clocks and timers that move only when a test moves them. */
import { setImmediate as tick } from 'node:timers/promises';
import type { MonotonicClock, Timers } from '../../src-shared/time.ts';

export const NOW = Date.UTC(2026, 10, 21, 12);

interface Due {
  readonly at: number;
  readonly run: () => void;
}

export class ManualTime implements MonotonicClock, Timers {
  #now: number;
  #setMs = 0;
  #due: Due[] = [];
  readonly #moved: (ms: number) => Promise<void> | undefined;
  readonly #busy: () => boolean;

  /** `moved` notifies a practice exchange; `busy` reports whether something is in flight. */
  constructor(
    start = NOW,
    moved: (ms: number) => Promise<void> | undefined = () => undefined,
    busy = () => false,
  ) {
    this.#now = start;
    this.#moved = moved;
    this.#busy = busy;
  }

  readonly now = (): number => this.#now + this.#setMs;
  readonly mono = (): number => this.#now;
  /** The number of timers that are set. */
  get waiting(): number {
    return this.#due.length;
  }

  readonly after = (ms: number, run: () => void): (() => void) => {
    const due = { at: this.#now + ms, run };
    this.#due.push(due);
    return () => {
      this.#due = this.#due.filter((one) => one !== due);
    };
  };

  /** Sets the wall clock by this many ms, as the user or a time server may. */
  setWall(ms: number): void {
    this.#setMs += ms;
  }

  pass(ms: number): Promise<void> {
    return this.passUntil(this.#now + ms);
  }

  /** Advances to `until`, running due timers; resolves when everything has come to rest. */
  async passUntil(until: number, enough: () => boolean = () => false): Promise<void> {
    await this.rest();
    for (;;) {
      const next = this.#due.reduce<Due | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
      const at = Math.min(next?.at ?? until, until);
      if (at > this.#now) {
        const ms = at - this.#now;
        this.#now = at;
        await this.#moved(ms);
      }
      if (next === null || next.at > until || enough()) return;
      this.#due = this.#due.filter((one) => one !== next);
      next.run();
      await this.rest();
    }
  }

  async rest(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = this.#busy() ? 0 : quiet + 1) await tick();
  }
}
