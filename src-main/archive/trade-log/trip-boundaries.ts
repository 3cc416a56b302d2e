/**
 * Where round trips begin and end, found in the columns in memory: a million trades are walked through without a text or
 * a decimal for each. What a trip is says `src-shared/domain/history/round-trips.ts`, which makes its figures from the trades
 * between the borders.
 */
import { createRunning, type DecimalColumn, type Running } from '../lib/decimal-column.ts';
import type { TradeColumns } from './column-cache.ts';

export interface TripQuery {
  /** Trades in time order. */
  readonly rows: Uint32Array;
  /** Rows in the columns. */
  readonly count: number;
  /** Numbers of the words. */
  readonly buy: number | null;
  readonly sell: number | null;
  readonly isInverse: (symbol: number) => boolean;
}

/** A contract's own trades, and its trips in the order they began. */
export interface TripContract {
  readonly symbol: number;
  readonly inverse: boolean;
  /** Trades in time order; a trip's borders are places in it. */
  readonly rows: Uint32Array;
  readonly trips: number[];
}
/** Trips in the order they closed, then what is open; each at one place of every list. */
export interface TripBorders {
  readonly contracts: ReadonlyMap<number, TripContract>;
  readonly symbol: readonly number[];
  /** Which of its contract's trips it is. */
  readonly ordinal: readonly number[];
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Position before its first trade, 10^-40: null where it was flat, not where that trade turned it over. */
  before(trip: number): bigint | null;
}

interface TripScan extends TripContract {
  readonly rows: Uint32Array;
  readonly size: DecimalColumn;
  readonly position: Running;
  place: number;
  /** Place of the first trade of the trip in hand; null: flat. */
  began: number | null;
}

const STEP = 20_000;

export function* tripBorders(
  columns: TradeColumns,
  { rows, count, buy, sell, isInverse }: TripQuery,
): Generator<number | undefined, TripBorders> {
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
      position: createRunning(column),
      place: 0,
      began: null,
    };
  }

  const symbol: number[] = [];
  const ordinal: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  function end(of: TripScan, began: number, place: number): void {
    const trip = symbol.length;
    symbol.push(of.symbol);
    ordinal.push(of.trips.length);
    first.push(began);
    last.push(place);
    of.trips.push(trip);
    of.began = null;
  }
  const sideOf = (row: number): 1 | -1 | 0 => (sides[row] === buy ? 1 : sides[row] === sell ? -1 : 0);
  /** Added up again from the last time it was flat: half of all trips may begin so, and few are looked at. */
  function before(trip: number): bigint | null {
    const of = scans[symbol[trip]!]!;
    const isTurned = (at: number): boolean => at > 0 && last[of.trips[at - 1]!] === first[of.trips[at]!];
    let flat = ordinal[trip]!;
    if (!isTurned(flat)) return null;
    while (isTurned(flat)) flat--;
    const position = createRunning(of.size);
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
    of.began ??= place;
    if (side === 0) continue;
    position.add(row, side);
    const signed = side * of.size.signOf(row);
    if (held === 0 || held < 0 === signed < 0) continue;
    const left = position.sign();
    if (left === held) continue;
    end(of, of.began, place);
    if (left !== 0) of.began = place;
  }
  // `filter` passes over the numbers of other words.
  const contracts = scans.filter(({ place }) => place > 0);
  for (const of of contracts) {
    const { began } = of as Readonly<TripScan>;
    if (began !== null) end(of, began, of.place - 1);
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
