/**
 * Plans a backfill of the order history. There are no pages, so a window that may be cut is halved, down to 1 ms per
 * symbol; if that is full too, it is a gap. Windows are 1 ms wider on each side: whether bounds are inclusive is not
 * documented.
 */
import * as v from 'valibot';
import { integer } from '../../checked-json.ts';
import { MAX_RESULTS, mayBeLimited, type OrderHistoryQuery } from '../../exchange-api/endpoints.ts';

const windowSchema = v.object({
  /** Range to read in ms, inclusive. */
  from: integer,
  to: integer,
  /** null means all symbols. */
  symbol: v.nullable(v.string()),
  /** State of a full millisecond: the next of PROBES and the rows of those before. */
  probe: v.optional(v.object({ at: integer, rows: integer })),
  /** Tests whether both bounds are inclusive, at a time that has an order. */
  isTest: v.optional(v.boolean()),
});
export type OrderWindow = v.InferOutput<typeof windowSchema>;

/** A backfill in progress, stored in the sync's checkpoint. */
export const orderPassSchema = v.object({
  from: integer,
  to: integer,
  /** Windows still to read; the last one is next. */
  left: v.array(windowSchema),
  /** Most rows of one reply. */
  most: integer,
  /** Whether both bounds are inclusive; learned at a full millisecond. */
  bothIncluded: v.optional(v.boolean()),
});
export type OrderPass = v.InferOutput<typeof orderPassSchema>;

export const beginOrderPass = (from: number, to: number): OrderPass => ({
  from,
  to,
  left: [{ from, to: Math.max(from, to), symbol: null }],
  most: 0,
});

interface Margin {
  readonly before: number;
  readonly after: number;
}
/** Contains the window whatever the bounds mean. */
const WIDE: Margin = { before: 1, after: 1 };
const EXACT: Margin = { before: 0, after: 0 };
/** Requests for one millisecond if both bounds, only startTime, or only endTime are inclusive. */
const PROBES: readonly Margin[] = [EXACT, { before: 0, after: 1 }, { before: 1, after: 0 }];

/** Returns the next request, or null when the backfill is complete. */
export function nextWindow(pass: OrderPass): OrderHistoryQuery | null {
  const next = pass.left.at(-1);
  if (next === undefined) return null;
  const isExact = pass.bothIncluded === true || next.isTest === true;
  const margin = isExact ? EXACT : ((next.probe && PROBES[next.probe.at]) ?? WIDE);
  return {
    // Never 0, which an exchange may take for none.
    startTime: Math.max(1, next.from - margin.before),
    endTime: next.to + margin.after,
    limit: MAX_RESULTS,
    ...(next.symbol === null ? {} : { symbolId: next.symbol }),
  };
}

/**
 * Reports whether a reply may be cut: at the requested limit, or at a round number (the exchange's own cap). For 1 ms,
 * a round number must also be the most rows ever seen.
 */
function mayBeCut(rows: number, window: OrderWindow, most: number): boolean {
  if (rows >= MAX_RESULTS) return true;
  return mayBeLimited(rows) && (window.from < window.to || rows === most);
}

export interface WindowRead {
  readonly pass: OrderPass;
  /** A window that could not be read completely. */
  readonly gap: OrderWindow | null;
}

/** Content of a reply, rows of other symbols included. */
export interface Listed {
  readonly rows: number;
  /** Creation time of one of the orders; null without one. */
  readonly time: number | null;
}

/** Applies a reply. `symbols` are all known symbols, listed or once traded. */
export function afterWindow(pass: OrderPass, listed: Listed, symbols: readonly string[]): WindowRead {
  const window = pass.left.at(-1);
  if (window === undefined) throw new RangeError('the backfill is complete');
  const { rows, time } = listed;
  const left = pass.left.slice(0, -1);
  const read = { ...pass, most: Math.max(pass.most, rows) };
  const next = (more: readonly OrderWindow[], gap: OrderWindow | null = null): WindowRead => ({
    pass: { ...read, left: [...left, ...more] },
    gap,
  });
  const { from, to, symbol, probe } = window;
  if (window.isTest === true) return { pass: { ...read, left, bothIncluded: rows > 0 }, gap: null };
  if (!mayBeCut(rows, window, pass.most)) {
    if (probe === undefined || pass.bothIncluded === true) return next([]);
    const met = probe.rows + rows;
    // Rows between equal bounds mean both are inclusive, and these are all.
    if (probe.at === 0 && rows > 0) return next([]);
    if (probe.at + 1 < PROBES.length) return next([{ ...window, probe: { at: probe.at + 1, rows: met } }]);
    // No rows either way mean neither bound is inclusive: the wide window was this full millisecond.
    if (met > 0) return next([]);
  }
  if (from < to) {
    const middle = Math.floor((from + to) / 2);
    // The newer half goes last, so it is read first.
    return next([
      { ...window, to: middle },
      { ...window, from: middle + 1 },
    ]);
  }
  if (probe === undefined && pass.bothIncluded !== true) {
    const test = { from: time ?? from, to: time ?? to, symbol: null, isTest: true };
    const isKnown = pass.bothIncluded !== undefined || time === null;
    return next([{ ...window, probe: { at: 0, rows: 0 } }, ...(isKnown ? [] : [test])]);
  }
  if (symbol !== null || symbols.length === 0) return next([], { from, to, symbol });
  return next([...symbols].sort().map((one) => ({ from, to, symbol: one })));
}

/** Returns the percentage of the range already read, 0–100. */
export function orderPercent(pass: OrderPass): number {
  const whole = pass.to - pass.from + 1;
  const waiting = new Map(pass.left.map(({ from, to }) => [`${from} ${to}`, to - from + 1]));
  let left = 0;
  for (const span of waiting.values()) left += span;
  return whole <= 0 ? 100 : Math.max(0, Math.min(100, (100 * (whole - left)) / whole));
}
