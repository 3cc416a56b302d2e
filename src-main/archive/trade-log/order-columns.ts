/**
 * Column cache of the order history: each trade's order and each order's profit before fees in memory, read on first use
 * and extended as trades and orders are added.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { ProfitConvention } from '../../../src-shared/domain/history/profit-fit.ts';
import { DecimalColumn } from '../lib/decimal-column.ts';
import { conventionReader, grossOfRow, PROFIT_COLUMNS } from '../orders/gross-profit.ts';
import { NO_PROFIT } from '../orders/left-out.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { capacityFor, CHUNK } from './column-cache.ts';

type OrderRow = readonly [seq: number, isKnown: 0 | 1, isFinal: 0 | 1, row: Record<string, SQLOutputValue>];

export class OrderColumns {
  readonly #newest: StatementSync;
  readonly #find: StatementSync;
  readonly #read: StatementSync;
  readonly #convention: () => ProfitConvention;
  /** By trade: its order’s `seq`, which never changes; 0 while it is not stored. */
  #orderOf = new Uint32Array(0);
  /** By order: its trades looked up so far. */
  #fills = new Uint32Array(0);
  #gross = new DecimalColumn(0);
  /** By order: 1 if it is final and its profit is known. */
  #known = new Uint8Array(0);
  #readUpTo = 0;
  #readAs: ProfitConvention | null = null;
  /** Orders that may change, to be read again. */
  #changing: number[] = [];

  constructor(db: DatabaseSync) {
    this.#convention = conventionReader(db);
    this.#newest = db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM history_order');
    this.#find = db.prepare(
      `SELECT json_group_array(coalesce(o.seq, 0)) AS list FROM json_each(?) AS part
       CROSS JOIN trade AS t ON t.seq = part.value LEFT JOIN history_order AS o ON o.id = t.order_id`,
    );
    this.#read = db.prepare(
      `SELECT json_group_array(json_array(seq, is_final AND NOT unread, is_final, json_object('profit', profit,
         'fee_amount', fee_amount, 'reduce_only', reduce_only, 'same_coin', same_coin))) AS list
       FROM (SELECT o.seq, o.is_final, ${NO_PROFIT} AS unread, ${PROFIT_COLUMNS}
         FROM json_each(?) AS part CROSS JOIN history_order AS o ON o.seq = part.value)`,
    );
  }

  /** Profits before fees, by order. */
  get gross(): DecimalColumn {
    return this.#gross;
  }
  /** Returns a trade’s order; 0 if it is not stored. */
  orderOf(row: number): number {
    return this.#orderOf[row] ?? 0;
  }
  fillsOf(order: number): number {
    return this.#fills[order] ?? 0;
  }
  isKnown(order: number): boolean {
    return this.#known[order] === 1;
  }

  /** Finds the orders of these trades. Yields between chunks. */
  *find(rows: Uint32Array): Generator<undefined, void> {
    const highest = rows.reduce((most, row) => Math.max(most, row), 0);
    if (highest >= this.#orderOf.length) this.#orderOf = grown(this.#orderOf, highest);
    const missing = rows.filter((row) => this.#orderOf[row] === 0);
    for (let at = 0; at < missing.length; at += CHUNK) {
      const some = missing.subarray(at, at + CHUNK);
      const newest = asInteger(this.#newest.get()?.['seq']);
      if (newest >= this.#fills.length) this.#fills = grown(this.#fills, newest);
      const list = asText(this.#find.get(JSON.stringify(Array.from(some)))?.['list']);
      for (const [place, order] of (JSON.parse(list) as number[]).entries()) {
        // Another build may have found it meanwhile.
        if (order === 0 || this.#orderOf[some[place]!] !== 0) continue;
        this.#orderOf[some[place]!] = order;
        this.#fills[order]!++;
      }
      yield;
    }
  }

  /** Reads the profits of all orders that are new or may have changed. Yields between chunks. */
  *readProfits(): Generator<undefined, void> {
    const convention = this.#convention();
    const newest = asInteger(this.#newest.get()?.['seq']);
    if (convention !== this.#readAs || newest >= this.#known.length) {
      this.#readAs = convention;
      this.#gross = new DecimalColumn(capacityFor(newest));
      this.#known = new Uint8Array(capacityFor(newest));
      this.#readUpTo = 0;
      this.#changing = [];
    }
    const again = this.#changing.splice(0);
    for (let at = 0; at < again.length; at += CHUNK) {
      this.#take(again.slice(at, at + CHUNK), convention);
      yield;
    }
    while (this.#readUpTo < newest) {
      const from = this.#readUpTo + 1;
      const length = Math.min(CHUNK, newest - this.#readUpTo);
      this.#readUpTo += length;
      this.#take(
        Array.from({ length }, (_, n) => from + n),
        convention,
      );
      yield;
    }
  }

  #take(orders: readonly number[], convention: ProfitConvention): void {
    const list = asText(this.#read.get(JSON.stringify(orders))?.['list']);
    for (const [seq, isKnown, isFinal, row] of JSON.parse(list) as OrderRow[]) {
      this.#known[seq] = isKnown;
      if (isFinal === 0) this.#changing.push(seq);
      // Set once: a column does not clear what it held.
      if (isKnown === 1) this.#gross.setText(seq, grossOfRow(row, convention));
    }
  }
}

function grown(column: Uint32Array<ArrayBuffer>, highest: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacityFor(highest));
  larger.set(column);
  return larger;
}
