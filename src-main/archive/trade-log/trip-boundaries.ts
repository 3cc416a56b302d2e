/**
 * Finds the boundaries of round trips in the column cache, a million trades without text or decimals for each. Round
 * trips are defined in `src-shared/domain/history/round-trips.ts`, which computes them from the trades in between.
 */
import { lastFit } from '../lib/binary-search.ts';
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
  /** The column that its positions are counted in. */
  readonly size: DecimalColumn;
  readonly trips: number[];
}
interface TripScan extends TripContract {
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
  const boundaries = new TripBoundaries(scans, sideOf);
  for (let at = 0; at < rows.length; at++) {
    if (at % STEP === STEP - 1) yield 0.8 + (0.2 * at) / rows.length;
    const row = rows[at]!;
    boundaries.add(symbols[row]!, row);
  }
  boundaries.end();
  return boundaries;
}

/** Returns an empty scan for each contract, by the id of its symbol. */
function* scansOf(
  columns: TradeColumns,
  symbols: Float64Array,
  { rows, count, isInverse }: TripQuery,
): Generator<undefined, ReadonlyMap<number, TripScan>> {
  const totals = new Map<number, number>();
  for (let at = 0; at < rows.length; at++) {
    const symbol = symbols[rows[at]!]!;
    totals.set(symbol, (totals.get(symbol) ?? 0) + 1);
    if (at % STEP === STEP - 1) yield;
  }
  const scans = new Map<number, TripScan>();
  for (const [symbol, total] of totals) {
    const inverse = isInverse(symbol);
    const size = yield* columns.decimals(inverse ? 'executedQuoteQty' : 'executedQty', count);
    const position = new RunningSum(size);
    const rowsOf = new Uint32Array(total);
    const contract = { symbol, inverse, rows: rowsOf, size, trips: [] };
    scans.set(symbol, { ...contract, position, place: 0, openedAt: null });
  }
  return scans;
}

/** Returns a row's place among its contract's, which are in time order. */
export function placeOf({ rows }: TripContract, times: Float64Array, row: number): number {
  const before = lastFit(rows.length, (place) => times[rows[place]!]! < times[row]!);
  return rows.indexOf(row, before);
}

/** Trips by close, then open ones; a trip has the same index in every list. Only `add` and `end` change them. */
export class TripBoundaries {
  readonly symbol: number[] = [];
  /** Index among its contract's trips. */
  readonly ordinal: number[] = [];
  readonly first: number[] = [];
  readonly last: number[] = [];
  /** Returns a trade's side: 1 bought, -1 sold, 0 unknown. */
  readonly sideOf: SideOf;
  readonly #scans: ReadonlyMap<number, TripScan>;

  /** @param scans by the id of the symbol; each contract has trades */
  constructor(scans: ReadonlyMap<number, TripScan>, sideOf: SideOf) {
    this.#scans = scans;
    this.sideOf = sideOf;
  }

  get contracts(): ReadonlyMap<number, TripContract> {
    return this.#scans;
  }
  contractOf(trip: number): TripContract {
    return this.#scanOf(this.symbol[trip]!);
  }
  /** Reports whether the trip's first trade reversed the position: it also ended the trip before. */
  isReversal(trip: number): boolean {
    const before = this.contractOf(trip).trips[this.ordinal[trip]! - 1];
    return before !== undefined && this.last[before] === this.first[trip];
  }
  /** Returns the trip of a place; of a reversing trade, the one it opened. */
  tripAt({ trips }: TripContract, place: number): number {
    return trips[lastFit(trips.length, (at) => this.first[trips[at]!]! <= place)]!;
  }
  /**
   * Returns the position before its first trade, in 10^-40; null if flat. Recomputed from the last flat position: half of all
   * trips may need it, and few are shown.
   */
  before(trip: number): bigint | null {
    if (!this.isReversal(trip)) return null;
    const { trips, rows, size } = this.contractOf(trip);
    let flat = trip;
    while (this.isReversal(flat)) flat = trips[this.ordinal[flat]! - 1]!;
    const position = new RunningSum(size);
    for (let place = this.first[flat]!; place < this.first[trip]!; place++) {
      const row = rows[place]!;
      const side = this.sideOf(row);
      if (side !== 0) position.add(row, side);
    }
    return position.units();
  }

  /** Adds a contract's next trade in time; ends its trip where the position becomes flat or turns. */
  add(symbol: number, row: number): void {
    const scan = this.#scanOf(symbol);
    const place = scan.place++;
    scan.rows[place] = row;
    scan.openedAt ??= place;
    const side = this.sideOf(row);
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
  /** Ends what is still open, after the last trade. */
  end(): void {
    for (const scan of this.#scans.values())
      if (scan.openedAt !== null) this.#end(scan, scan.openedAt, scan.place - 1);
  }

  #scanOf(symbol: number): TripScan {
    const scan = this.#scans.get(symbol);
    if (scan === undefined) throw new TypeError(`no contract has the symbol ${symbol}`);
    return scan;
  }
  #end(scan: TripScan, openedAt: number, place: number): void {
    const trip = this.symbol.length;
    this.symbol.push(scan.symbol);
    this.ordinal.push(scan.trips.length);
    this.first.push(openedAt);
    this.last.push(place);
    scan.trips.push(trip);
  }
}
