/**
 * Finds the boundaries of round trips in the column cache, a million trades without text or decimals for each. Round
 * trips are defined in `src-shared/domain/history/round-trips.ts`, which computes them from the trades in between.
 */
import { createRunningSum, type DecimalColumn, type RunningSum } from '../lib/decimal-column.ts';
import type { TradeColumns } from './column-cache.ts';

export interface TripQuery {
  /** Trades in time order. */
  readonly rows: Uint32Array;
  /** Number of rows in the columns. */
  readonly count: number;
  /** Ids of the strings; null if not stored. */
  readonly buy: number | null;
  readonly sell: number | null;
  readonly isInverse: (symbol: number) => boolean;
}

/** A contract's trades, and its trips by start. */
export interface TripContract {
  readonly symbol: number;
  readonly inverse: boolean;
  /** Trades in time order; boundaries are indexes into it. */
  readonly rows: Uint32Array;
  readonly trips: number[];
}
/** Trips by close, then open ones; a trip has the same index in every list. */
export interface TripBoundaries {
  readonly contracts: ReadonlyMap<number, TripContract>;
  readonly symbol: readonly number[];
  /** Index among its contract's trips. */
  readonly ordinal: readonly number[];
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Returns the position before its first trade, in 10^-40; null if flat, that is unless that trade reversed it. */
  before(trip: number): bigint | null;
}

interface TripScan extends TripContract {
  readonly rows: Uint32Array;
  readonly size: DecimalColumn;
  readonly position: RunningSum;
  place: number;
  /** Index of the open trip's first trade; null if flat. */
  openedAt: number | null;
}

const STEP = 20_000;

export function* tripBoundaries(
  columns: TradeColumns,
  { rows, count, buy, sell, isInverse }: TripQuery,
): Generator<number | undefined, TripBoundaries> {
  yield* columns.load(['symbol', 'side', 'executedQty'], count);
  const symbols = yield* columns.numbers('symbol', count);
  const sides = yield* columns.numbers('side', count);
  yield 0.6;
  const totals = new Map<number, number>();
  for (let at = 0; at < rows.length; at++) {
    const symbol = symbols[rows[at]!]!;
    totals.set(symbol, (totals.get(symbol) ?? 0) + 1);
    if (at % STEP === STEP - 1) yield;
  }
  const scans: TripScan[] = [];
  for (const [symbol, total] of totals) {
    const inverse = isInverse(symbol);
    const column = yield* columns.decimals(inverse ? 'executedQuoteQty' : 'executedQty', count);
    scans[symbol] = {
      symbol,
      inverse,
      rows: new Uint32Array(total),
      trips: [],
      size: column,
      position: createRunningSum(column),
      place: 0,
      openedAt: null,
    };
  }

  const symbol: number[] = [];
  const ordinal: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  function end(of: TripScan, openedAt: number, place: number): void {
    const trip = symbol.length;
    symbol.push(of.symbol);
    ordinal.push(of.trips.length);
    first.push(openedAt);
    last.push(place);
    of.trips.push(trip);
    of.openedAt = null;
  }
  const sideOf = (row: number): 1 | -1 | 0 => (sides[row] === buy ? 1 : sides[row] === sell ? -1 : 0);
  /** Recomputed from the last flat position: half of all trips may need it, and few are shown. */
  function before(trip: number): bigint | null {
    const of = scans[symbol[trip]!]!;
    const isTurned = (at: number): boolean => at > 0 && last[of.trips[at - 1]!] === first[of.trips[at]!];
    let flat = ordinal[trip]!;
    if (!isTurned(flat)) return null;
    while (isTurned(flat)) flat--;
    const position = createRunningSum(of.size);
    for (let place = first[of.trips[flat]!]!; place < first[trip]!; place++) {
      const side = sideOf(of.rows[place]!);
      if (side !== 0) position.add(of.rows[place]!, side);
    }
    return position.units();
  }
  for (let at = 0; at < rows.length; at++) {
    if (at % STEP === STEP - 1) yield 0.8 + (0.2 * at) / rows.length;
    const row = rows[at]!;
    const of = scans[symbols[row]!]!;
    const place = of.place++;
    of.rows[place] = row;
    const side = sideOf(row);
    const { position } = of;
    const held = position.sign();
    of.openedAt ??= place;
    if (side === 0) continue;
    position.add(row, side);
    const signed = side * of.size.signOf(row);
    if (held === 0 || held < 0 === signed < 0) continue;
    const left = position.sign();
    if (left === held) continue;
    end(of, of.openedAt, place);
    if (left !== 0) of.openedAt = place;
  }
  // `filter` skips the ids of other strings.
  const contracts = scans.filter(({ place }) => place > 0);
  for (const of of contracts) {
    const { openedAt } = of as Readonly<TripScan>;
    if (openedAt !== null) end(of, openedAt, of.place - 1);
  }
  return {
    contracts: new Map(contracts.map((of) => [of.symbol, of])),
    symbol,
    ordinal,
    first,
    last,
    before,
  };
}
