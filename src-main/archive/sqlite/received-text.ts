/**
 * Stores received texts that a record's columns cannot hold (migration 7). A row is restored as received and read by
 * the same field table as a reply.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  readRecord,
  recordCheck,
  type FieldTable,
  type Received,
} from '../../../src-shared/exchange-api/fields.ts';
import { asText } from './row-types.ts';

type Table = 'trade_received' | 'order_received';
/** A record with the texts of values that could not be read. */
export type ReceivedRecord = Readonly<Record<string, unknown>> & { readonly received?: Received };

/** Returns SQL for a row's texts as one JSON object; `row` is the record's table in the query. */
export const receivedSql = (table: Table, row: string): string =>
  `(SELECT json_group_object(field, received) FROM ${table} AS r WHERE r.seq = ${row}.seq) AS received`;
const NO_TEXTS = '{}';

/** Returns a reader of rows selected with `receivedSql`; `raw` are the columns' values. */
export function rowReader<R>(
  table: FieldTable,
): (raw: Readonly<Record<string, unknown>>, received: SQLOutputValue | undefined) => R {
  const check = recordCheck(table);
  return (raw, received) => {
    const texts = asText(received);
    if (texts === NO_TEXTS && check(raw)) return raw as R;
    const came = { ...raw, ...(JSON.parse(texts) as Received) };
    return readRecord(table, came).record as R;
  };
}

/** The stored texts of one table; `''` stands for a missing value whose column is NOT NULL. */
export class ReceivedTexts {
  readonly #names: readonly string[];
  readonly #clear: StatementSync;
  readonly #insert: StatementSync;
  #any: boolean;

  constructor(db: DatabaseSync, table: Table, fields: FieldTable) {
    this.#names = Object.entries(fields)
      .filter(([, { optional, kind }]) => !optional && kind !== 'text' && kind !== 'id' && kind !== 'choice')
      .map(([name]) => name);
    this.#clear = db.prepare(`DELETE FROM ${table} WHERE seq = ?`);
    this.#insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`);
    this.#any = db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
  }

  /** Replaces the stored texts of row `seq`. */
  put(seq: number, record: ReceivedRecord): void {
    if (this.#any) this.#clear.run(seq);
    const { received } = record;
    for (const name of this.#names)
      if (record[name] === null && received?.[name] === undefined) this.#store(seq, name, '');
    for (const [name, text] of Object.entries(received ?? {})) this.#store(seq, name, text.toWellFormed());
  }

  #store(seq: number, name: string, text: string): void {
    this.#insert.run(seq, name, text);
    this.#any = true;
  }
}
