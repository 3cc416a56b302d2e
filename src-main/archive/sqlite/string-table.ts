/** String table (SQLite table `word`): repeated strings are stored once and referenced by id. Cached in memory. */
import type { DatabaseSync } from 'node:sqlite';
import { asInteger, asText } from './row-types.ts';

export interface StringTable {
  /**
   * Returns the id of `value`, inserting it if new. Requires a transaction. Lone surrogates, which JSON can contain and
   * UTF-8 cannot, become U+FFFD.
   */
  idOf(value: string): number;
  /** Returns the id of `value`; null if it is not stored. */
  find(value: string): number | null;
  valueOf(id: number): string;
  ids(): Iterable<number>;
  /** Reads the table again, after a rolled-back transaction. */
  reload(): void;
}

export function createStringTable(db: DatabaseSync): StringTable {
  const insert = db.prepare('INSERT INTO word (id, value) VALUES (?, ?)');
  const all = db.prepare('SELECT id, value FROM word');
  const ids = new Map<string, number>();
  const values = new Map<number, string>();
  let last = 0;

  function add(id: number, value: string): void {
    ids.set(value, id);
    values.set(id, value);
    last = Math.max(last, id);
  }
  function reload(): void {
    ids.clear();
    values.clear();
    last = 0;
    for (const row of all.iterate()) add(asInteger(row['id']), asText(row['value']));
  }
  reload();

  function idOf(value: string): number {
    const known = ids.get(value);
    if (known !== undefined) return known;
    if (!value.isWellFormed()) return idOf(value.toWellFormed());
    const id = last + 1;
    insert.run(id, value);
    add(id, value);
    return id;
  }

  return {
    idOf,
    find: (value) => ids.get(value) ?? null,
    ids: () => values.keys(),
    valueOf(id) {
      const value = values.get(id);
      if (value === undefined) throw new TypeError(`the string table has no id ${id}`);
      return value;
    },
    reload,
  };
}
