/**
 * Converts records of the exchange API to rows and back by their field table: ids digit for digit, words by their id in
 * the string table, text well-formed. Each field has a column of its name, in snake case; a new field needs a migration
 * that adds it.
 */
import type { SQLOutputValue } from 'node:sqlite';
import { compareText } from '../../../src-shared/amount.ts';
import type { FieldTable } from '../../../src-shared/exchange-api/fields.ts';
import { idText } from './ids.ts';
import { receivedSql, rowReader, type ReceivedRecord } from './received-text.ts';
import { asInteger, asText } from './row-types.ts';
import type { StringTable } from './string-table.ts';

/** Fields the API calls a text that hold an id. */
const ID_TEXTS: readonly string[] = ['tradeId', 'conditionOrderId', 'uid'];

/** How a field is stored: a decimal as its text, a word by its id in the string table, an id by `storedId`. */
function storageOf(
  name: string,
  kind: FieldTable[string]['kind'],
): 'decimal' | 'integer' | 'flag' | 'word' | 'id' {
  if (kind === 'id' || ID_TEXTS.includes(name)) return 'id';
  if (kind === 'decimal' || kind === 'flag') return kind;
  return kind === 'choice' || kind === 'text' ? 'word' : 'integer';
}

/** @param alias the table's name in the query */
export function recordCodec<R extends ReceivedRecord>(
  fields: FieldTable,
  received: Parameters<typeof receivedSql>[0],
  alias: string,
) {
  const columns = Object.entries(fields).map(([field, { kind, optional }]) => {
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const storage = storageOf(field, kind);
    return {
      field,
      column,
      storage,
      kind,
      isOptional: optional,
      name: storage === 'id' ? `${column}_text` : column,
    };
  });
  const texts = columns.filter(({ storage }) => storage === 'word' || storage === 'id');
  const readRow = rowReader<R>(fields);
  return {
    columns,
    /** The columns as `recordOf` reads them; ids as text, since no number holds them. */
    selected: [
      ...columns.map(({ column, storage, name }) =>
        storage === 'id' ? `${idText(`${alias}.${column}`)} AS ${name}` : `${alias}."${column}"`,
      ),
      receivedSql(received, alias),
    ].join(', '),
    recordOf: (row: Record<string, SQLOutputValue>, strings: StringTable): R => {
      const raw: Record<string, unknown> = {};
      for (const { field, name, storage } of columns) {
        const value = row[name];
        if (value === null) raw[field] = null;
        else if (storage === 'decimal' || storage === 'id') raw[field] = asText(value);
        else raw[field] = storage === 'word' ? strings.valueOf(asInteger(value)) : asInteger(value);
      }
      return readRow(raw, row['received']);
    },
    /** Returns the record with lone surrogates replaced by U+FFFD, as UTF-8 stores them; else it would look changed. */
    wellFormed: (record: R): R => {
      const broken = texts.filter(({ field }) => wellFormedText(record[field]) !== record[field]);
      if (broken.length === 0) return record;
      const mended = broken.map(({ field }) => [field, wellFormedText(record[field])] as const);
      return { ...record, ...Object.fromEntries(mended) };
    },
    /**
     * Reports whether two records are equal: decimals by value (`1.5` = `1.50`), flags by truth, unreadable values by
     * their received text.
     */
    isSame: (a: R, b: R): boolean => columns.every(({ field, kind }) => isSameValue(a, b, field, kind)),
  };
}

const wellFormedText = (value: unknown): unknown =>
  typeof value === 'string' && !value.isWellFormed() ? value.toWellFormed() : value;

function isSameValue(a: ReceivedRecord, b: ReceivedRecord, name: string, kind: string): boolean {
  const [one, other] = [a[name], b[name]];
  if (one === null || other === null) return one === other && a.received?.[name] === b.received?.[name];
  if (typeof one === 'string' && typeof other === 'string' && kind === 'decimal')
    return one === other || compareText(one, other) === 0;
  if (kind === 'flag') return (one === true || one === 1) === (other === true || other === 1);
  return one === other;
}
