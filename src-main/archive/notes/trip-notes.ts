/**
 * Finds the round trips that the noted orders belong to, from the notes' side: they are few, round trips are not.
 *
 * A note is with an order, so it survives what changes round trips: an earlier trade that arrives later, two that
 * become one. An order belongs to each round trip it traded in, but one that closed a round trip and opened the next
 * belongs to the one it opened.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { OrderNote } from '../../../src-shared/domain/history/order-notes.ts';
import { asInteger } from '../sqlite/row-types.ts';
import { timeOrder } from '../trades/filter-sql.ts';
import { placeOf, type TripBoundaries, type TripContract } from '../trade-log/trip-boundaries.ts';
import { NOT_DELETED, NOTE_ROW, noteOf } from './store.ts';

/** Notes by the number of their round trip, in the order of their first trades. */
export type TripNotes = ReadonlyMap<number, readonly OrderNote[]>;

/** A noted order's trades of one contract. */
interface NotedOrder {
  readonly note: OrderNote;
  readonly contract: TripContract;
  readonly rows: Set<number>;
}
/** Noted orders per turn of the event loop. */
const STEP = 1_000;

/** @param times times of all rows, by row; @param count number of rows: later ones are left out */
export function* tripNotes(
  db: DatabaseSync,
  boundaries: TripBoundaries,
  times: Float64Array,
  count: number,
): Generator<undefined, TripNotes> {
  const found = new Map<number, OrderNote[]>();
  for (const [at, { note, contract, rows }] of notedOrders(db, boundaries, count).entries()) {
    const opens = (trip: number | undefined): boolean =>
      trip !== undefined && rows.has(contract.rows[boundaries.first[trip]!]!);
    const trips = new Set([...rows].map((row) => boundaries.tripAt(contract, placeOf(contract, times, row))));
    for (const trip of trips) {
      const next = contract.trips[boundaries.ordinal[trip]! + 1];
      if (opens(trip) || !opens(next)) found.set(trip, [...(found.get(trip) ?? []), note]);
    }
    if (at % STEP === STEP - 1) yield;
  }
  return found;
}

function notedOrders(db: DatabaseSync, { contracts }: TripBoundaries, count: number): readonly NotedOrder[] {
  const orders = new Map<string, NotedOrder>();
  const rows = db.prepare(
    `SELECT t.seq, t.symbol, ${NOTE_ROW} FROM order_note AS n
     CROSS JOIN trade AS t INDEXED BY trade_by_order ON t.order_id = n.order_id
     WHERE ${NOT_DELETED} AND t.seq <= ? ORDER BY ${timeOrder(false, 't.')}`,
  );
  for (const row of rows.iterate(count)) {
    const symbol = asInteger(row['symbol']);
    const contract = contracts.get(symbol);
    if (contract === undefined) continue;
    const note = noteOf(row);
    const key = `${symbol} ${note.orderId}`;
    const order = orders.get(key) ?? { note, contract, rows: new Set<number>() };
    orders.set(key, order);
    order.rows.add(asInteger(row['seq']));
  }
  return [...orders.values()];
}
