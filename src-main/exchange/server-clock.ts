/**
 * Estimates the exchange's clock from the HTTP `Date` header, which has whole seconds. Each reply bounds the offset: the
 * header was written between send and receipt, and the true time lies within the second after it. Intersecting the
 * bounds of several replies narrows the estimate.
 */
import type { Moment } from '../../src-shared/domain/display/elapsed.ts';

/** Servers may write the header from a slightly old cached text. */
const STALE_MS = 250;
/** Number of replies used, so that a drifting clock is followed. */
const MAX_BOUNDS = 9;
/** A wall clock that fell behind the monotonic one by more than this, and than what the two drift apart, was set back. */
const SET_BACK_MS = 1_000;
/** Share of the time by which they may: a system corrects its wall clock by up to 0.5 ‰. */
const DRIFT = 0.001;

export class ServerClock {
  #bounds: readonly { readonly low: number; readonly high: number }[] = [];
  #last: Moment | null = null;

  /** Adds a reply: the moments of send and receipt, and the header, ms. */
  observe(sent: Moment, received: Moment, date: number): void {
    // The earlier of two: the wall clock may be set back during a request, the monotonic one may stand still in sleep.
    const sentAt = Math.min(sent.wall, received.wall - (received.mono - sent.mono));
    const bound = { low: date - received.wall, high: date + 1000 + STALE_MS - sentAt };
    this.#bounds = [...this.#bounds, bound].slice(-MAX_BOUNDS);
    // Bounds that do not intersect mean a clock was set; only the newest reply counts then.
    if (low(this.#bounds) > high(this.#bounds)) this.#bounds = [bound];
    this.#last = received;
  }

  /**
   * Returns exchange time − local time at `now`, ms; 0 while the clocks agree within the measurable; null before the
   * first reply.
   */
  offsetMs(now: Moment): number | null {
    const last = this.#last;
    if (last === null) return null;
    const [from, to] = [low(this.#bounds), high(this.#bounds)];
    const found = from <= 0 && to >= 0 ? 0 : Math.round((from + to) / 2);
    // Not where it is ahead: the monotonic clock may stand still during sleep.
    const setBack = last.wall - last.mono - (now.wall - now.mono);
    return setBack > SET_BACK_MS + (now.mono - last.mono) * DRIFT ? found + Math.round(setBack) : found;
  }
}

const low = (bounds: readonly { low: number }[]) => Math.max(...bounds.map((one) => one.low));
const high = (bounds: readonly { high: number }[]) => Math.min(...bounds.map((one) => one.high));
