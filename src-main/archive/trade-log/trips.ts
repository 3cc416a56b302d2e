/** Round trips of a filter by end; computed from their trades when requested. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { matchesNoted } from '../../../src-shared/domain/history/order-notes.ts';
import {
  noteSharedOrders,
  TripBook,
  type RoundTrip,
} from '../../../src-shared/domain/history/round-trips.ts';
import { tripNotes, type TripNotes } from '../notes/trip-notes.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { unitsText } from '../lib/decimal-column.ts';
import { plainTrips, type PlainTripPorts, type PlainTrips } from './plain-trips.ts';
import { HAS_UNREAD } from './totals.ts';
import { sortedBy } from '../lib/radix-sort.ts';
import { idsAsJson, idText } from '../sqlite/ids.ts';
import { placeOf, type TripBoundaries, type TripContract } from './trip-boundaries.ts';
import type { StringTable } from '../sqlite/string-table.ts';

const CHUNK = 1_000;
const STEP = 50_000;
/** Most cached trips: a few screens. */
const MAX_CACHED = 2_000;
type FillRow = readonly [number, number, string, string, string, string, number, number, number];

/** What round trips are computed from. */
export interface TripSource {
  readonly db: DatabaseSync;
  readonly strings: StringTable;
  readonly boundaries: TripBoundaries;
  /** The column of trade times. */
  readonly times: Float64Array;
  /** Number of rows in its columns. */
  readonly count: number;
}

/** Returns the trips that overlap the filter's times and match its condition on notes. */
export function* tripList(source: TripSource, filter: TradeFilter): Generator<undefined, TripList> {
  const { db, boundaries, times, count } = source;
  const { noted } = filter;
  const notes = noted === null ? null : yield* tripNotes(db, boundaries, times, count);
  const isWanted = (trip: number): boolean => noted === null || matchesNoted(notes?.get(trip) ?? [], noted);
  const { symbol, first, last } = boundaries;
  const ended = new Float64Array(symbol.length);
  const found = new Uint32Array(symbol.length);
  let size = 0;
  for (let trip = 0; trip < symbol.length; trip++) {
    if (trip % STEP === STEP - 1) yield;
    const { rows } = boundaries.contractOf(trip);
    ended[trip] = times[rows[last[trip]!]!]!;
    const opened = times[rows[first[trip]!]!]!;
    if (ended[trip]! < (filter.from ?? 0) || opened > (filter.to ?? Infinity)) continue;
    if (isWanted(trip)) found[size++] = trip;
  }
  const byEnd = yield* sortedBy(found.subarray(0, size), ended);
  return new TripList(source, byEnd.toReversed());
}

export class TripList {
  /** Latest end first. */
  readonly order: Uint32Array;
  readonly #source: TripSource;
  readonly #read: StatementSync;
  readonly #rowsOf: StatementSync;
  readonly #maker: number | null;
  readonly #cache = new Map<number, RoundTrip>();
  #notes: { readonly revision: number; readonly byTrip: TripNotes } | null = null;

  constructor(source: TripSource, order: Uint32Array) {
    this.order = order;
    this.#source = source;
    this.#maker = source.strings.find('MAKER');
    this.#read = source.db.prepare(
      `SELECT json_group_array(json_array(t.side, t.trade_time, ${idText('t.order_id')}, t.executed_qty,
         t.executed_quote_qty, t.fee, t.fee_asset, t.liquidity, ${HAS_UNREAD})) AS list
       FROM json_each(?) AS part CROSS JOIN trade t ON t.seq = part.value`,
    );
    this.#rowsOf = source.db.prepare(
      `SELECT t.seq FROM json_each(?) AS part CROSS JOIN trade t INDEXED BY trade_by_order
         ON t.order_id = part.value WHERE t.symbol = ? AND t.seq <= ?`,
    );
  }

  /** Trip numbers are below it. */
  get size(): number {
    return this.#source.boundaries.symbol.length;
  }

  /** Returns trip numbers by contract; computed in this order each trade is read once. */
  byContract(): Uint32Array {
    const { symbol, ordinal } = this.#source.boundaries;
    return this.order.toSorted((a, b) => symbol[a]! - symbol[b]! || ordinal[a]! - ordinal[b]!);
  }

  /** Returns the trips whose sums need no computing, to be added up. */
  plain(ports: PlainTripPorts): Generator<undefined, PlainTrips> {
    return plainTrips(ports, this.#source.boundaries, this.#source.count);
  }

  /** Returns these trips, in this order. Yields between chunks of trades. */
  *trips(numbers: readonly number[]): Generator<undefined, readonly RoundTrip[]> {
    if (this.#cache.size > MAX_CACHED) this.#cache.clear();
    yield* this.#load(numbers.filter((trip) => !this.#cache.has(trip)));
    return numbers.map((trip) => this.#cache.get(trip)).filter((one) => one !== undefined);
  }

  /** Returns the notes of all trips. `revision`: of the notes now; read again when it changed. */
  *notes(revision: number): Generator<undefined, TripNotes> {
    const { db, boundaries, times, count } = this.#source;
    if (this.#notes?.revision !== revision)
      this.#notes = {
        revision,
        byTrip: yield* tripNotes(db, boundaries, times, count),
      };
    return this.#notes.byTrip;
  }

  /** Computes trips, and those that their closing orders also traded in: one order may close parts of several. */
  *#load(wanted: readonly number[]): Generator<undefined, void> {
    const { boundaries } = this.#source;
    for (const [contract, trips] of Map.groupBy(wanted, (trip) => boundaries.contractOf(trip))) {
      const own = yield* this.#compute(contract, trips);
      const others = yield* this.#compute(contract, this.#othersOf(contract, trips, own));
      const noted = noteSharedOrders([...own, ...others]);
      for (const [at, trip] of trips.entries()) this.#cache.set(trip, noted[at]!);
    }
  }

  /** Returns the trips beside `trips` that their closing orders have trades in. */
  #othersOf(contract: TripContract, trips: readonly number[], computed: readonly RoundTrip[]): number[] {
    const { boundaries, times, count } = this.#source;
    const known = new Set(trips);
    const ids = new Set(computed.flatMap(({ closingOrders }) => closingOrders));
    ids.delete('');
    const found = this.#rowsOf.all(idsAsJson(ids), contract.symbol, count).flatMap(({ seq }) => {
      const place = placeOf(contract, times, asInteger(seq));
      const trip = boundaries.tripAt(contract, place);
      const before = contract.trips[boundaries.ordinal[trip]! - 1];
      return before !== undefined && boundaries.last[before] === place ? [before, trip] : [trip];
    });
    return [...new Set(found)].filter((trip) => !known.has(trip));
  }

  /** Computes trips of a contract, in their order; neighbours at once. */
  *#compute(contract: TripContract, trips: readonly number[]): Generator<undefined, readonly RoundTrip[]> {
    const { ordinal } = this.#source.boundaries;
    const own = trips.map((trip) => ordinal[trip]!).sort((a, b) => a - b);
    const found = new Map<number, RoundTrip>();
    for (let at = 0; at < own.length;) {
      const from = own[at]!;
      let to = from;
      while (own[++at] === to + 1) to++;
      const made = yield* this.#between(contract, from, to);
      for (let place = from; place <= to; place++) found.set(place, made[place - from]!);
    }
    return trips.flatMap((trip) => found.get(ordinal[trip]!) ?? []);
  }

  /** Computes trips `from` … `to` (inclusive) of a contract. */
  *#between(contract: TripContract, from: number, to: number): Generator<undefined, readonly RoundTrip[]> {
    const { first, last } = this.#source.boundaries;
    const head = contract.trips[from]!;
    const held = this.#source.boundaries.before(head);
    const begin = first[head]!;
    const end = last[contract.trips[to]!]! + 1;
    const time = this.#source.times[contract.rows[begin]!]!;
    let same = begin;
    while (same > 0 && this.#source.times[contract.rows[same - 1]!] === time) same--;
    const symbol = this.#source.strings.valueOf(contract.symbol);
    const position = unitsText(held ?? 0n);
    const book = new TripBook({ symbol, position, seen: begin > 0, time, atTime: begin - same });
    for (let at = begin; at < end; at += CHUNK) {
      for (const fill of this.#fills(contract.rows.subarray(at, Math.min(end, at + CHUNK))))
        book.take({ ...fill, symbol, inverse: contract.inverse });
      yield;
    }
    // A reversing first trade also closes the trip before it.
    return book.trips().slice(held === null ? 0 : 1);
  }

  #fills(rows: Uint32Array) {
    const list = asText(this.#read.get(JSON.stringify(Array.from(rows)))?.['list']);
    return (JSON.parse(list) as FillRow[]).map(
      ([side, time, orderId, qty, quote, fee, feeAsset, liquidity, unread]) => ({
        side: this.#source.strings.valueOf(side),
        time,
        orderId,
        qty,
        quote,
        fee,
        feeAsset: this.#source.strings.valueOf(feeAsset),
        maker: liquidity === this.#maker,
        unread: unread === 1,
      }),
    );
  }
}
