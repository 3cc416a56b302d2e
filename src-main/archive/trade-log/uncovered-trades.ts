/** Finds trades whose order is not in the archived order history, so that the PnL of what they closed is unknown. */
import type { DatabaseSync } from 'node:sqlite';
import { asInteger } from '../sqlite/row-types.ts';
import { CHUNK } from './column-cache.ts';
import type { OrderColumns } from './order-columns.ts';
import { QUARTER_HOUR_MS } from './periods.ts';

export interface Uncovered {
  /** Its id in the string table. */
  readonly symbol: number;
  /** Time of the first of them, ms. */
  readonly time: number;
  readonly count: number;
}

/** Returns those among `rows`; equal symbols may repeat. Yields between chunks. */
export function* uncoveredTrades(
  db: DatabaseSync,
  orders: OrderColumns,
  rows: Uint32Array,
): Generator<undefined, readonly Uncovered[]> {
  yield* orders.find(rows);
  const counted = db.prepare(
    `SELECT t.symbol, min(t.trade_time) AS time, count(*) AS count
     FROM json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value
     GROUP BY t.symbol, t.trade_time / ${QUARTER_HOUR_MS}`,
  );
  const uncovered = rows.filter((row) => orders.orderOf(row) === 0);
  const found: Uncovered[] = [];
  for (let at = 0; at < uncovered.length; at += CHUNK) {
    const some = JSON.stringify(Array.from(uncovered.subarray(at, at + CHUNK)));
    for (const row of counted.iterate(some))
      found.push({
        symbol: asInteger(row['symbol']),
        time: asInteger(row['time']),
        count: asInteger(row['count']),
      });
    yield;
  }
  return found;
}
