/**
 * Planning of a walk over the order history, as plain data. The interface has no pages here, only a time window and
 * a limit, so a window that may hold more than was told is halved; a full window of one millisecond is asked for
 * contract by contract, and what is full even then is a gap. Newest first.
 */
import * as v from 'valibot';
import { MAX_RESULTS, type OrderHistoryQuery } from '../interface/endpoints.ts';

const integer = v.pipe(v.number(), v.safeInteger());
const windowSchema = v.object({
  /** Both inclusive, ms. */
  from: integer,
  to: integer,
  /** null: all contracts. */
  symbol: v.nullable(v.string()),
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
});
export type OrderWalk = v.InferOutput<typeof orderWalkSchema>;

export const beginOrderWalk = (from: number, to: number): OrderWalk => ({
  from,
  to,
  left: [{ from, to: Math.max(from, to), symbol: null }],
  most: 0,
});

/** The next request, or null when the walk is over. */
export function nextWindow(walk: OrderWalk): OrderHistoryQuery | null {
  const next = walk.left.at(-1);
  if (next === undefined) return null;
  return {
    startTime: next.from,
    endTime: next.to,
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

/** After an answer with `rows` orders. `symbols`: every contract known, listed or once traded. */
export function afterWindow(walk: OrderWalk, rows: number, symbols: readonly string[]): WindowRead {
  const window = walk.left.at(-1);
  if (window === undefined) throw new RangeError('the walk is over');
  const left = walk.left.slice(0, -1);
  const most = Math.max(walk.most, rows);
  const next = (more: readonly OrderWindow[], gap: OrderWindow | null = null): WindowRead => ({
    walk: { ...walk, left: [...left, ...more], most },
    gap,
  });
  if (!mayBeCut(rows, window, walk.most)) return next([]);
  if (window.from < window.to) {
    const middle = Math.floor((window.from + window.to) / 2);
    // The newer half last, so that it is read first.
    return next([
      { ...window, to: middle },
      { ...window, from: middle + 1 },
    ]);
  }
  if (window.symbol !== null || symbols.length === 0) return next([], window);
  return next([...symbols].sort().map((symbol) => ({ ...window, symbol })));
}

/** Share of the walk's time that was read, 0–100. */
export function orderShare(walk: OrderWalk): number {
  const whole = walk.to - walk.from + 1;
  const waiting = new Map(walk.left.map(({ from, to }) => [`${from} ${to}`, to - from + 1]));
  let left = 0;
  for (const span of waiting.values()) left += span;
  return whole <= 0 ? 100 : Math.max(0, Math.min(100, (100 * (whole - left)) / whole));
}
