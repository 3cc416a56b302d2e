/** Round trips of a filter by end; computed from their trades when requested. */
import type { DatabaseSync } from 'node:sqlite';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { TripBook, type RoundTrip } from '../../../src-shared/domain/history/round-trips.ts';
import { asText } from '../sqlite/row-types.ts';
import { unitsText } from '../lib/decimal-column.ts';
import { HAS_UNREAD } from './totals.ts';
import { sortedBy } from '../lib/radix-sort.ts';
import { idText } from '../trades/codec.ts';
import type { TripBoundaries, TripContract } from './trip-boundaries.ts';
import type { StringTable } from '../sqlite/string-table.ts';

export interface TripList {
  /** Latest end first. */
  readonly order: Uint32Array;
  /** Trip numbers are below it. */
  readonly size: number;
  /** Returns these trips, in this order. Yields between chunks of trades. */
  trips(numbers: readonly number[]): Generator<undefined, readonly RoundTrip[]>;
  /** Returns trip numbers by contract; computed in this order each trade is read once. */
  byContract(): Uint32Array;
}

const CHUNK = 1_000;
const STEP = 50_000;
/** Most cached trips: a few screens. */
const MAX_CACHED = 2_000;
type Fill = readonly [number, number, string, string, string, string, number, number, number];

export function* tripList(
  db: DatabaseSync,
  strings: StringTable,
  boundaries: TripBoundaries,
  times: Float64Array,
  filter: TradeFilter,
): Generator<undefined, TripList> {
  const { contracts, symbol, ordinal, first, last } = boundaries;
  const cache = new Map<number, RoundTrip>();
  const ended = new Float64Array(symbol.length);
  const fits = new Uint32Array(symbol.length);
  let length = 0;
  for (let trip = 0; trip < symbol.length; trip++) {
    if (trip % STEP === STEP - 1) yield;
    const { rows } = contractOf(trip);
    ended[trip] = times[rows[last[trip]!]!]!;
    const opened = times[rows[first[trip]!]!]!;
    if (ended[trip]! >= (filter.from ?? 0) && opened <= (filter.to ?? Infinity)) fits[length++] = trip;
  }
  const order = yield* sortedBy(fits.subarray(0, length), ended);

  function contractOf(trip: number): TripContract {
    const contract = contracts.get(symbol[trip]!);
    if (contract === undefined) throw new TypeError(`trip ${trip} has no contract`);
    return contract;
  }
  const read = db.prepare(
    `SELECT json_group_array(json_array(t.side, t.trade_time, ${idText('t.order_id')}, t.executed_qty,
       t.executed_quote_qty, t.fee, t.fee_asset, t.liquidity, ${HAS_UNREAD})) AS list
     FROM json_each(?) AS part CROSS JOIN trade t ON t.seq = part.value`,
  );
  const taker = strings.find('TAKER');

  /** Computes trips `from` … `to` (inclusive) of a contract. */
  function* tripsBetween(
    of: TripContract,
    from: number,
    to: number,
  ): Generator<undefined, readonly RoundTrip[]> {
    const head = of.trips[from]!;
    const place = first[head]!;
    const name = strings.valueOf(of.symbol);
    const time = times[of.rows[place]!]!;
    let same = place;
    while (same > 0 && times[of.rows[same - 1]!] === time) same--;
    const held = boundaries.before(head);
    const book = new TripBook({
      symbol: name,
      position: unitsText(held ?? 0n),
      seen: place > 0,
      time,
      atTime: place - same,
    });
    const end = last[of.trips[to]!]! + 1;
    for (let at = place; at < end; at += CHUNK) {
      const part = JSON.stringify(Array.from(of.rows.subarray(at, Math.min(end, at + CHUNK))));
      const list = JSON.parse(asText(read.get(part)?.['list'])) as Fill[];
      for (const [side, when, orderId, qty, quote, fee, feeAsset, liquidity, unread] of list)
        book.take({
          symbol: name,
          side: strings.valueOf(side),
          time: when,
          orderId,
          qty,
          quote,
          fee,
          feeAsset: strings.valueOf(feeAsset),
          taker: liquidity === taker,
          inverse: of.inverse,
          unread: unread === 1,
        });
      yield;
    }
    // A reversing first trade also closes the trip before it.
    return book.trips().slice(held === null ? 0 : 1);
  }

  /** Computes trips together with their neighbours, since one order may close parts of two. */
  function* cacheTrips(wanted: readonly number[]): Generator<undefined, void> {
    for (const [number, trips] of Map.groupBy(wanted, (trip) => symbol[trip]!)) {
      const of = contracts.get(number);
      if (of === undefined) continue;
      const own = trips.map((trip) => ordinal[trip]!).sort((a, b) => a - b);
      for (let at = 0; at < own.length;) {
        let until = at;
        while (until + 1 < own.length && own[until + 1]! - own[until]! <= 2) until++;
        const from = Math.max(0, own[at]! - 1);
        const to = Math.min(of.trips.length - 1, own[until]! + 1);
        const found = yield* tripsBetween(of, from, to);
        for (; at <= until; at++) cache.set(of.trips[own[at]!]!, found[own[at]! - from]!);
      }
    }
  }
  return {
    order: order.toReversed(),
    size: symbol.length,
    byContract: () => order.toSorted((a, b) => symbol[a]! - symbol[b]! || ordinal[a]! - ordinal[b]!),
    *trips(numbers) {
      if (cache.size > MAX_CACHED) cache.clear();
      yield* cacheTrips(numbers.filter((trip) => !cache.has(trip)));
      return numbers.map((trip) => cache.get(trip)).filter((one) => one !== undefined);
    },
  };
}
