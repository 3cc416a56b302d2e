/**
 * When the exchange may have made an order, by the clock of its own records. That clock is not known for sure: the
 * `Date` header may come from another one, and this computer's may be wrong. So each reading counts until accepted
 * orders, whose times are in the records, have shown which is right.
 */

/** How long before the send an order may seem created (clocks), and how long after giving up it may still be. */
const BEFORE_SEND_MS = 5_000;
const AFTER_DEADLINE_MS = 120_000;
/** What the exchange's clock is known to. */
const CLOCK_MS = 1_000;
/** Readings this close are taken for one, with all between them. */
const NEAR_MS = 120_000;

export interface CreationWindow {
  /** By the clock of the exchange's records, ms; both ends included. */
  readonly from: number;
  readonly to: number;
}

/** An accepted order: what its own record says of the exchange's clock. */
export interface AcceptedOrder {
  /** By this computer's clock, ms. */
  readonly sentAt: number;
  /** `Date` header − here at its send, ms. */
  readonly headerMs: number | null;
  /** By the exchange's record, ms. */
  readonly createdAt: number;
}

/**
 * Possible offsets, exchange − here, for a send with the header's `headerMs`. `accepted` alone counts where neither clock
 * was set since, which the header and this computer's clock have to agree on.
 */
export function clockReadings(
  headerMs: number | null,
  accepted: AcceptedOrder | null,
  answerWithinMs: number,
): readonly number[] {
  const header = headerMs ?? 0;
  // A header a little off stands between this computer's clock and its own reading.
  const unsure = [0, header, header - Math.sign(header) * Math.min(Math.abs(header), NEAR_MS)];
  if (accepted === null) return unsure;
  const byHere = accepted.createdAt - accepted.sentAt;
  const since = headerMs === null || accepted.headerMs === null ? null : headerMs - accepted.headerMs;
  // It may have been made at any time until its answer had to be there.
  const learned = [byHere, byHere + (since ?? 0)].flatMap((offset) => [offset - answerWithinMs, offset]);
  return since !== null && Math.abs(since) <= NEAR_MS ? learned : [...unsure, ...learned];
}

/** `sentAt` by this computer's clock, `answerWithinMs` the time-out of the send. Oldest first, apart from each other. */
export function creationWindows(
  sentAt: number,
  answerWithinMs: number,
  offsets: readonly number[],
): readonly CreationWindow[] {
  const windows: { from: number; to: number }[] = [];
  let before: number | null = null;
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    const to = sentAt + offset + answerWithinMs + AFTER_DEADLINE_MS + CLOCK_MS;
    const last = windows.at(-1);
    if (last !== undefined && before !== null && offset - before <= NEAR_MS) last.to = to;
    else windows.push({ from: sentAt + offset - BEFORE_SEND_MS - CLOCK_MS, to });
    before = offset;
  }
  return windows;
}
