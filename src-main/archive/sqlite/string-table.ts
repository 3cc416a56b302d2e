/** Texts that repeat in every row, kept once and named by a small number. The whole dictionary is held in memory. */
import type { DatabaseSync } from 'node:sqlite';
import { asInteger, asText } from './row-types.ts';

export interface StringTable {
  /**
   * The word's number, made when it is new. Only inside a transaction. JSON can carry half a surrogate pair, UTF-8
   * cannot: such a word is mended, as every UTF-8 writer would mend it, and is the mended one.
   */
  idOf(value: string): number;
  /** The word's number, or null when no row has it. */
  find(value: string): number | null;
  valueOf(id: number): string;
  ids(): Iterable<number>;
  /** After a rolled-back transaction: its new words are gone. */
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
      if (value === undefined) throw new TypeError(`the archive names a word ${id} it does not have`);
      return value;
    },
    reload,
  };
}
