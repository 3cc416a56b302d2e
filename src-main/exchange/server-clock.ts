/**
 * Estimates the exchange's clock from the HTTP `Date` header, which has whole seconds. Each reply bounds the offset: the
 * header was written between send and receipt, and the true time lies within the second after it. Intersecting the
 * bounds of several replies narrows the estimate.
 */
export interface ServerClock {
  /** Adds a reply: local time at send and receipt, and the header, in ms. */
  observe(sentAt: number, receivedAt: number, date: number): void;
  /**
   * Returns exchange time − local time, ms; 0 while the clocks agree within the measurable; null before the first
   * reply.
   */
  offsetMs(): number | null;
}

/** Servers may write the header from a slightly old cached text. */
const STALE_MS = 250;
/** Number of replies used, so that a drifting clock is followed. */
const MAX_BOUNDS = 9;

export function createServerClock(): ServerClock {
  let bounds: { low: number; high: number }[] = [];
  return {
    observe(sentAt, receivedAt, date) {
      if (receivedAt < sentAt) return; // the local clock was set back meanwhile
      bounds.push({ low: date - receivedAt, high: date + 1000 + STALE_MS - sentAt });
      bounds = bounds.slice(-MAX_BOUNDS);
      // Bounds that do not intersect mean a clock was set; only the newest reply counts then.
      if (low(bounds) > high(bounds)) bounds = bounds.slice(-1);
    },
    offsetMs() {
      if (bounds.length === 0) return null;
      const [from, to] = [low(bounds), high(bounds)];
      return from <= 0 && to >= 0 ? 0 : Math.round((from + to) / 2);
    },
  };
}

const low = (bounds: readonly { low: number }[]) => Math.max(...bounds.map((one) => one.low));
const high = (bounds: readonly { high: number }[]) => Math.min(...bounds.map((one) => one.high));
