/**
 * Computes when the exchange may have created an order, by the clock of its records. Its offset is uncertain: the
 * `Date` header may come from another clock, and this computer's may be wrong. Every possible offset counts until an
 * accepted order, whose record has its creation time, shows which one is right.
 */

/** An order may appear created this long before its send (clock errors), and may be this long after its deadline. */
const BEFORE_SEND_MS = 5_000;
const AFTER_DEADLINE_MS = 120_000;
/** Precision of the `Date` header. */
const CLOCK_MS = 1_000;
/** Offsets this close make one window, which includes everything between them. */
const NEAR_MS = 120_000;

export interface CreationWindow {
  /** By the clock of the exchange's records, ms; both ends included. */
  readonly from: number;
  readonly to: number;
}

/** An accepted order, whose record shows the exchange's clock. */
export interface AcceptedOrder {
  /** By this computer's clock, ms. */
  readonly sentAt: number;
  /** `Date` header − this computer's clock when it was sent, in ms. */
  readonly headerMs: number | null;
  /** By the exchange's record, ms. */
  readonly createdAt: number;
}

/**
 * Returns the possible offsets (exchange − this computer) for a send; `headerMs` is the `Date` header's. If header and
 * computer still differ about as much as at the `accepted` order, neither was set since, and its offset alone counts.
 */
export function clockReadings(
  headerMs: number | null,
  accepted: AcceptedOrder | null,
  timeoutMs: number,
): readonly number[] {
  const header = headerMs ?? 0;
  // Zero, the header's offset, and one in between that joins both into one window if the header is only a little off.
  const unsure = [0, header, header - Math.sign(header) * Math.min(Math.abs(header), NEAR_MS)];
  if (accepted === null) return unsure;
  const byHere = accepted.createdAt - accepted.sentAt;
  const since = headerMs === null || accepted.headerMs === null ? null : headerMs - accepted.headerMs;
  // The order may have been created at any time between its send and its deadline.
  const measured = [byHere, byHere + (since ?? 0)].flatMap((offset) => [offset - timeoutMs, offset]);
  return since !== null && Math.abs(since) <= NEAR_MS ? measured : [...unsure, ...measured];
}

/** Returns disjoint windows, oldest first. `sentAt` is this computer's clock, `timeoutMs` the send's time-out. */
export function creationWindows(
  sentAt: number,
  timeoutMs: number,
  offsets: readonly number[],
): readonly CreationWindow[] {
  const windows: { from: number; to: number }[] = [];
  let before: number | null = null;
  for (const offset of offsets.toSorted((a, b) => a - b)) {
    const to = sentAt + offset + timeoutMs + AFTER_DEADLINE_MS + CLOCK_MS;
    const last = windows.at(-1);
    if (last !== undefined && before !== null && offset - before <= NEAR_MS) last.to = to;
    else windows.push({ from: sentAt + offset - BEFORE_SEND_MS - CLOCK_MS, to });
    before = offset;
  }
  return windows;
}
