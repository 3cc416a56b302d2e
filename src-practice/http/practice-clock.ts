import { elapsed, type Moment, momentOf } from '../../src-shared/domain/display/elapsed.ts';
import type { MonotonicClock } from '../../src-shared/time.ts';

/** The exchange's time: the system's at speed 1, a multiple of it at higher speeds, set by the controls at speed 0. */
export class PracticeClock {
  private readonly system: MonotonicClock;
  private since: Moment;
  private anchor: number;
  private rate: number;

  /** The system's clock, the time to show, ms since 1970, and the moment at which it is shown. */
  constructor(system: MonotonicClock, start: number, speed: number, shownAt = momentOf(system)) {
    this.system = system;
    this.since = shownAt;
    this.anchor = start;
    this.rate = speed;
  }

  get speed(): number {
    return this.rate;
  }

  /** Whole milliseconds since 1970. */
  now(): number {
    return this.anchor + Math.trunc(elapsed(this.since, momentOf(this.system)) * this.rate);
  }

  setSpeed(speed: number): void {
    this.anchor = this.now();
    this.since = momentOf(this.system);
    this.rate = speed;
  }

  advance(ms: number): void {
    this.anchor += ms;
  }
}
