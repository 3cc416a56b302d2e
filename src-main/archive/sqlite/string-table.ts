/** String table (SQLite table `word`): repeated strings are stored once and referenced by id. Cached in memory. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { bareName, spellingsOf } from '../../../src-shared/domain/instrument/traded-contract.ts';
import { asInteger, asText } from './row-types.ts';

export class StringTable {
  readonly #insert: StatementSync;
  readonly #all: StatementSync;
  readonly #ids = new Map<string, number>();
  readonly #values = new Map<number, string>();
  readonly #byName = new Map<string, string[]>();
  #last = 0;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('INSERT INTO word (id, value) VALUES (?, ?)');
    this.#all = db.prepare('SELECT id, value FROM word');
    this.reload();
  }

  /**
   * Returns the id of `value`, inserting it if new. Requires a transaction. Lone surrogates, which JSON can contain and
   * UTF-8 cannot, become U+FFFD.
   */
  idOf(value: string): number {
    const known = this.#ids.get(value);
    if (known !== undefined) return known;
    if (!value.isWellFormed()) return this.idOf(value.toWellFormed());
    const id = this.#last + 1;
    this.#insert.run(id, value);
    this.#add(id, value);
    return id;
  }

  /** Returns the id of `value`; null if it is not stored. */
  find(value: string): number | null {
    return this.#ids.get(value) ?? null;
  }

  /** Returns the ids of those `values` that are stored. */
  known(values: readonly string[]): number[] {
    return values.map((value) => this.find(value)).filter((id) => id !== null);
  }

  /** Returns the ids of the words that name these contracts: trades may spell them differently than orders. */
  ofContracts(symbols: readonly string[]): number[] {
    const spelled = symbols.flatMap((one) => spellingsOf(one, this.#byName.get(bareName(one)) ?? []));
    return this.known([...new Set(spelled)]);
  }

  valueOf(id: number): string {
    const value = this.#values.get(id);
    if (value === undefined) throw new TypeError(`the string table has no id ${id}`);
    return value;
  }

  ids(): Iterable<number> {
    return this.#values.keys();
  }

  /** Returns the largest id; 0 while the table is empty. */
  largestId(): number {
    return this.#last;
  }

  /** Reads the table again, after a rolled-back transaction. */
  reload(): void {
    this.#ids.clear();
    this.#values.clear();
    this.#byName.clear();
    this.#last = 0;
    for (const row of this.#all.iterate()) this.#add(asInteger(row['id']), asText(row['value']));
  }

  #add(id: number, value: string): void {
    this.#ids.set(value, id);
    this.#values.set(id, value);
    const name = bareName(value);
    const sameName = this.#byName.get(name);
    if (sameName === undefined) this.#byName.set(name, [value]);
    else sameName.push(value);
    this.#last = Math.max(this.#last, id);
  }
}
