/**
 * The exchange's clock, learned from the HTTP `Date` header, which has whole seconds. Each reply bounds the offset:
 * the header was written between send and receipt, and the true time lies within the second after it. The bounds of
 * several replies are intersected, so that the estimate sharpens instead of wandering within its ±1 s.
 */
export interface ServerClock {
  /** One reply: local ms at send and at receipt, and the header in ms. */
  observe(sentAt: number, receivedAt: number, date: number): void;
  /**
   * Exchange time − local time, ms; 0 while the clocks agree within what can be measured; null before the first
   * reply.
   */
  offsetMs(): number | null;
}

/** Servers write the header from a cached text that may be a little old. */
const STALE_MS = 250;
/** Bounds older than this many replies are forgotten, so that a drifting clock is followed. */
const KEPT = 9;

export function createServerClock(): ServerClock {
  let bounds: { low: number; high: number }[] = [];
  return {
    observe(sentAt, receivedAt, date) {
      if (receivedAt < sentAt) return; // the local clock was set back meanwhile
      bounds.push({ low: date - receivedAt, high: date + 1000 + STALE_MS - sentAt });
      bounds = bounds.slice(-KEPT);
      // Bounds that no longer meet: a clock was set. Only the newest reply counts then.
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
