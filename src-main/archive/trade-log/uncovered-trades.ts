/** Finds trades whose order is not in the archived order history, so that the PnL of what they closed is unknown. */
import type { DatabaseSync } from 'node:sqlite';
import { asInteger, asText } from '../sqlite/row-types.ts';

export interface Uncovered {
  /** Its id in the string table. */
  readonly symbol: number;
  /** Time of the first of them, ms. */
  readonly time: number;
  readonly count: number;
}
export interface UncoveredTrades {
  /** Returns those among `rows`; equal symbols may repeat. Yields between chunks. */
  of(rows: Uint32Array): Generator<undefined, readonly Uncovered[]>;
}

const CHUNK = 10_000;

export function createUncoveredTrades(db: DatabaseSync): UncoveredTrades {
  const uncovered = db.prepare(
    `SELECT json_group_array(t.seq) AS list FROM json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value
     WHERE NOT EXISTS (SELECT 1 FROM history_order AS o WHERE o.id = t.order_id)`,
  );
  // In every zone days begin at a multiple of 15 minutes.
  const counted = db.prepare(
    `SELECT t.symbol, min(t.trade_time) AS time, count(*) AS count
     FROM json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value
     GROUP BY t.symbol, t.trade_time / 900000`,
  );
  /** By row: 1 if its order is stored, which never changes back. */
  let covered = new Uint8Array(0);

  return {
    *of(rows) {
      const highest = rows.reduce((most, row) => Math.max(most, row), 0);
      if (highest >= covered.length) {
        const larger = new Uint8Array(Math.ceil(highest * 1.25) + CHUNK);
        larger.set(covered);
        covered = larger;
      }
      const unknown = rows.filter((row) => covered[row] === 0);
      const found: Uncovered[] = [];
      for (let at = 0; at < unknown.length; at += CHUNK) {
        const some = unknown.subarray(at, at + CHUNK);
        const list = asText(uncovered.get(JSON.stringify(Array.from(some)))?.['list']);
        for (const row of some) covered[row] = 1;
        for (const row of JSON.parse(list) as number[]) covered[row] = 0;
        if (list !== '[]')
          for (const row of counted.iterate(list))
            found.push({
              symbol: asInteger(row['symbol']),
              time: asInteger(row['time']),
              count: asInteger(row['count']),
            });
        yield;
      }
      return found;
    },
  };
}
