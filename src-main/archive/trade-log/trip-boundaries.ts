/**
 * Finds the boundaries of round trips in the column cache, a million trades without text or decimals for each. Round
 * trips are defined in `src-shared/domain/history/round-trips.ts`, which computes them from the trades in between.
 */
import { RunningSum, type DecimalColumn } from '../lib/decimal-column.ts';
import type { TradeColumns } from './column-cache.ts';
import type { Build } from './sorted-views.ts';

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
  readonly size: DecimalColumn;
  readonly position: RunningSum;
  /** Trades taken so far. */
  place: number;
  /** Index of the open trip's first trade; null if flat. */
  openedAt: number | null;
}
type SideOf = (row: number) => 1 | -1 | 0;

const STEP = 20_000;

export function* tripBoundaries(columns: TradeColumns, query: TripQuery): Build<TripBoundaries> {
  const { rows, count, buy, sell } = query;
  yield* columns.load(['symbol', 'side', 'executedQty'], count);
  const symbols = yield* columns.numbers('symbol', count);
  const sides = yield* columns.numbers('side', count);
  yield 0.6;
  const scans = yield* scansOf(columns, symbols, query);
  const sideOf: SideOf = (row) => (sides[row] === buy ? 1 : sides[row] === sell ? -1 : 0);
  const scanner = new TripScanner(scans, sideOf);
  for (let at = 0; at < rows.length; at++) {
    if (at % STEP === STEP - 1) yield 0.8 + (0.2 * at) / rows.length;
    const row = rows[at]!;
    scanner.take(scans[symbols[row]!]!, row);
  }
  return scanner.finish();
}

/** Returns an empty scan for each contract, by the id of its symbol. */
function* scansOf(
  columns: TradeColumns,
  symbols: Float64Array,
  { rows, count, isInverse }: TripQuery,
): Generator<undefined, readonly TripScan[]> {
  const totals = new Map<number, number>();
  for (let at = 0; at < rows.length; at++) {
    const symbol = symbols[rows[at]!]!;
    totals.set(symbol, (totals.get(symbol) ?? 0) + 1);
    if (at % STEP === STEP - 1) yield;
  }
  const scans: TripScan[] = [];
  for (const [symbol, total] of totals) {
    const inverse = isInverse(symbol);
    const size = yield* columns.decimals(inverse ? 'executedQuoteQty' : 'executedQty', count);
    const position = new RunningSum(size);
    const rowsOf = new Uint32Array(total);
    scans[symbol] = { symbol, inverse, rows: rowsOf, trips: [], size, position, place: 0, openedAt: null };
  }
  return scans;
}

/** Takes trades in time order and ends a trip where its position becomes flat or turns. */
class TripScanner {
  readonly #scans: readonly TripScan[];
  readonly #sideOf: SideOf;
  readonly #symbol: number[] = [];
  readonly #ordinal: number[] = [];
  readonly #first: number[] = [];
  readonly #last: number[] = [];

  constructor(scans: readonly TripScan[], sideOf: SideOf) {
    this.#scans = scans;
    this.#sideOf = sideOf;
  }

  take(scan: TripScan, row: number): void {
    const place = scan.place++;
    scan.rows[place] = row;
    scan.openedAt ??= place;
    const side = this.#sideOf(row);
    if (side === 0) return;
    const { position } = scan;
    const held = position.sign();
    position.add(row, side);
    const signed = side * scan.size.signOf(row);
    if (held === 0 || held < 0 === signed < 0) return;
    const left = position.sign();
    if (left === held) return;
    this.#end(scan, scan.openedAt, place);
    scan.openedAt = left === 0 ? null : place;
  }

  /** Ends what is still open and returns all trips. */
  finish(): TripBoundaries {
    // `filter` skips the ids of other strings.
    const scans = this.#scans.filter(({ place }) => place > 0);
    for (const scan of scans) if (scan.openedAt !== null) this.#end(scan, scan.openedAt, scan.place - 1);
    return {
      contracts: new Map(scans.map((scan) => [scan.symbol, scan])),
      symbol: this.#symbol,
      ordinal: this.#ordinal,
      first: this.#first,
      last: this.#last,
      before: (trip) => this.#before(trip),
    };
  }

  #end(scan: TripScan, openedAt: number, place: number): void {
    const trip = this.#symbol.length;
    this.#symbol.push(scan.symbol);
    this.#ordinal.push(scan.trips.length);
    this.#first.push(openedAt);
    this.#last.push(place);
    scan.trips.push(trip);
  }

  /** Recomputed from the last flat position: half of all trips may need it, and few are shown. */
  #before(trip: number): bigint | null {
    const scan = this.#scans[this.#symbol[trip]!]!;
    const isTurned = (at: number): boolean =>
      at > 0 && this.#last[scan.trips[at - 1]!] === this.#first[scan.trips[at]!];
    let flat = this.#ordinal[trip]!;
    if (!isTurned(flat)) return null;
    while (isTurned(flat)) flat--;
    const position = new RunningSum(scan.size);
    for (let place = this.#first[scan.trips[flat]!]!; place < this.#first[trip]!; place++) {
      const row = scan.rows[place]!;
      const side = this.#sideOf(row);
      if (side !== 0) position.add(row, side);
    }
    return position.units();
  }
}
