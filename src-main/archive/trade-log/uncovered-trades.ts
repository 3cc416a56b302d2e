/** Finds trades whose order is not in the archived order history, so that the PnL of what they closed is unknown. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { QUARTER_HOUR_MS } from './periods.ts';

export interface Uncovered {
  /** Its id in the string table. */
  readonly symbol: number;
  /** Time of the first of them, ms. */
  readonly time: number;
  readonly count: number;
}
const CHUNK = 10_000;

export class UncoveredTrades {
  readonly #uncovered: StatementSync;
  readonly #counted: StatementSync;
  /** By row: 1 if its order is stored, which never changes back. */
  #covered = new Uint8Array(0);

  constructor(db: DatabaseSync) {
    this.#uncovered = db.prepare(
      `SELECT json_group_array(t.seq) AS list FROM json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value
       WHERE NOT EXISTS (SELECT 1 FROM history_order AS o WHERE o.id = t.order_id)`,
    );
    this.#counted = db.prepare(
      `SELECT t.symbol, min(t.trade_time) AS time, count(*) AS count
       FROM json_each(?) AS part CROSS JOIN trade AS t ON t.seq = part.value
       GROUP BY t.symbol, t.trade_time / ${QUARTER_HOUR_MS}`,
    );
  }

  /** Returns those among `rows`; equal symbols may repeat. Yields between chunks. */
  *of(rows: Uint32Array): Generator<undefined, readonly Uncovered[]> {
    this.#grow(rows.reduce((most, row) => Math.max(most, row), 0));
    const covered = this.#covered;
    const unknown = rows.filter((row) => covered[row] === 0);
    const found: Uncovered[] = [];
    for (let at = 0; at < unknown.length; at += CHUNK) {
      const some = unknown.subarray(at, at + CHUNK);
      const list = asText(this.#uncovered.get(JSON.stringify(Array.from(some)))?.['list']);
      for (const row of some) this.#covered[row] = 1;
      for (const row of JSON.parse(list) as number[]) this.#covered[row] = 0;
      if (list !== '[]')
        for (const row of this.#counted.iterate(list))
          found.push({
            symbol: asInteger(row['symbol']),
            time: asInteger(row['time']),
            count: asInteger(row['count']),
          });
      yield;
    }
    return found;
  }

  #grow(highest: number): void {
    if (highest < this.#covered.length) return;
    const larger = new Uint8Array(Math.ceil(highest * 1.25) + CHUNK);
    larger.set(this.#covered);
    this.#covered = larger;
  }
}
