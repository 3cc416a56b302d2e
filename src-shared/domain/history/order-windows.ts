/**
 * Planning of a walk over the order history, as plain data. The interface has no pages here, only a time window and
 * a limit, so a window that may hold more than was told is halved; a full window of one millisecond is asked for
 * contract by contract, and what is full even then is a gap. Newest first.
 *
 * Whether startTime and endTime are included is not described: windows are asked for a millisecond wider on each side.
 * Where that is too much for one millisecond, it is asked for by each way its bounds may be meant.
 */
import * as v from 'valibot';
import { MAX_RESULTS, type OrderHistoryQuery } from '../../exchange-api/endpoints.ts';

const integer = v.pipe(v.number(), v.safeInteger());
const windowSchema = v.object({
  /** What is to be read, both inclusive, ms. */
  from: integer,
  to: integer,
  /** null: all contracts. */
  symbol: v.nullable(v.string()),
  /** A crowded millisecond: which of PROBES is next, and how many rows those before it had. */
  probe: v.optional(v.object({ at: integer, rows: integer })),
  /** Asks whether both bounds are included, at a time that has an order. */
  isTest: v.optional(v.boolean()),
});
export type OrderWindow = v.InferOutput<typeof windowSchema>;

/** A walk in progress; kept in the sync's checkpoint. */
export const orderWalkSchema = v.object({
  from: integer,
  to: integer,
  /** Windows still to read; the last one is next. */
  left: v.array(windowSchema),
  /** Most rows one answer held. */
  most: integer,
  /** Whether both bounds are included; learned where a millisecond is crowded. */
  bothIncluded: v.optional(v.boolean()),
});
export type OrderWalk = v.InferOutput<typeof orderWalkSchema>;

export const beginOrderWalk = (from: number, to: number): OrderWalk => ({
  from,
  to,
  left: [{ from, to: Math.max(from, to), symbol: null }],
  most: 0,
});

interface Margin {
  readonly before: number;
  readonly after: number;
}
/** Holds the window whatever the bounds mean. */
const WIDE: Margin = { before: 1, after: 1 };
const EXACT: Margin = { before: 0, after: 0 };
/** One millisecond, where both bounds, startTime alone, or endTime alone are included. */
const PROBES: readonly Margin[] = [EXACT, { before: 0, after: 1 }, { before: 1, after: 0 }];

/** The next request, or null when the walk is over. */
export function nextWindow(walk: OrderWalk): OrderHistoryQuery | null {
  const next = walk.left.at(-1);
  if (next === undefined) return null;
  const isExact = walk.bothIncluded === true || next.isTest === true;
  const margin = isExact ? EXACT : ((next.probe && PROBES[next.probe.at]) ?? WIDE);
  return {
    startTime: Math.max(0, next.from - margin.before),
    endTime: next.to + margin.after,
    limit: MAX_RESULTS,
    ...(next.symbol === null ? {} : { symbolId: next.symbol }),
  };
}

/** Limits are round numbers. An exchange that gives fewer than it was asked for is seen by that. */
const ROUND = 50;

/**
 * Whether an answer may have been cut: at the limit asked for, or at a round number (a cap of the exchange's own).
 * A millisecond cannot be halved, so there a round number must also be the most ever seen.
 */
function mayBeCut(rows: number, window: OrderWindow, most: number): boolean {
  if (rows >= MAX_RESULTS) return true;
  if (rows < ROUND || rows % ROUND !== 0) return false;
  return window.from < window.to || rows === most;
}

export interface WindowRead {
  readonly walk: OrderWalk;
  /** A window that could not be read whole. */
  readonly gap: OrderWindow | null;
}

/** What an answer listed, rows of other contracts included. */
export interface Listed {
  readonly rows: number;
  /** When one of these orders was made; null without one. */
  readonly time: number | null;
}

/** After an answer. `symbols`: every contract known, listed or once traded. */
export function afterWindow(walk: OrderWalk, listed: Listed, symbols: readonly string[]): WindowRead {
  const window = walk.left.at(-1);
  if (window === undefined) throw new RangeError('the walk is over');
  const { rows, time } = listed;
  const left = walk.left.slice(0, -1);
  const read = { ...walk, most: Math.max(walk.most, rows) };
  const next = (more: readonly OrderWindow[], gap: OrderWindow | null = null): WindowRead => ({
    walk: { ...read, left: [...left, ...more] },
    gap,
  });
  const { from, to, symbol, probe } = window;
  if (window.isTest === true) return { walk: { ...read, left, bothIncluded: rows > 0 }, gap: null };
  if (!mayBeCut(rows, window, walk.most)) {
    if (probe === undefined || walk.bothIncluded === true) return next([]);
    const met = probe.rows + rows;
    // Rows between equal bounds: both are included, and these are all.
    if (probe.at === 0 && rows > 0) return next([]);
    if (probe.at + 1 < PROBES.length) return next([{ ...window, probe: { at: probe.at + 1, rows: met } }]);
    // With no row either way, neither bound is included: the wide window was this millisecond, and full.
    if (met > 0) return next([]);
  }
  if (from < to) {
    const middle = Math.floor((from + to) / 2);
    // The newer half last, so that it is read first.
    return next([
      { ...window, to: middle },
      { ...window, from: middle + 1 },
    ]);
  }
  if (probe === undefined && walk.bothIncluded !== true) {
    const test = { from: time ?? from, to: time ?? to, symbol: null, isTest: true };
    const isKnown = walk.bothIncluded !== undefined || time === null;
    return next([{ ...window, probe: { at: 0, rows: 0 } }, ...(isKnown ? [] : [test])]);
  }
  if (symbol !== null || symbols.length === 0) return next([], { from, to, symbol });
  return next([...symbols].sort().map((one) => ({ from, to, symbol: one })));
}

/** Share of the walk's time that was read, 0–100. */
export function orderShare(walk: OrderWalk): number {
  const whole = walk.to - walk.from + 1;
  const waiting = new Map(walk.left.map(({ from, to }) => [`${from} ${to}`, to - from + 1]));
  let left = 0;
  for (const span of waiting.values()) left += span;
  return whole <= 0 ? 100 : Math.max(0, Math.min(100, (100 * (whole - left)) / whole));
}
