/** Converts order history records to rows and back, like `trades/codec.ts` for trades. */
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { FieldTable } from '../../../src-shared/exchange-api/fields.ts';
import {
  orderHistoryFields,
  type HistoryOrder,
  type HistoryOrderField,
} from '../../../src-shared/exchange-api/order-history.ts';
import { asInteger, asText } from '../sqlite/row-types.ts';
import { receivedSql, rowReader } from '../sqlite/received-text.ts';
import { idText, sameFigure, storedId } from '../trades/codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

/** Fields the API calls a text that hold an id. */
const ID_TEXTS: readonly string[] = ['conditionOrderId', 'uid'] satisfies HistoryOrderField[];

/** How a field is stored: a decimal as its text, a word by its id in the string table, an id by `storedId`. */
function storageOf(
  name: string,
  kind: FieldTable[string]['kind'],
): 'decimal' | 'integer' | 'flag' | 'word' | 'id' {
  if (kind === 'id' || ID_TEXTS.includes(name)) return 'id';
  if (kind === 'decimal' || kind === 'flag') return kind;
  return kind === 'choice' || kind === 'text' ? 'word' : 'integer';
}

/** Each field has a column of `history_order` of its name, in snake case; a new field needs a migration that adds it. */
const COLUMNS = Object.entries(orderHistoryFields).map(([field, { kind, optional }]) => ({
  field: field as HistoryOrderField,
  column: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  storage: storageOf(field, kind),
  isOptional: optional,
}));
/** The columns of `orderRow`'s values. */
export const ORDER_COLUMNS = ['is_final', ...COLUMNS.map(({ column }) => column)];

/** Columns of `history_order` as `orderOf` reads them; ids as text, since no number holds them. `o` is the table. */
export const ORDER_ROW = `o.seq, o.is_final, ${COLUMNS.map(({ column, storage }) =>
  storage === 'id' ? `${idText(`o.${column}`)} AS ${column}_text` : `o.${column}`,
).join(', ')}, ${receivedSql('order_received', 'o')}`;

const readOrder = rowReader<HistoryOrder>(orderHistoryFields);

export function orderOf(row: Record<string, SQLOutputValue>, strings: StringTable): HistoryOrder {
  const raw: Record<string, unknown> = {};
  for (const { field, column, storage } of COLUMNS) {
    const value = row[column];
    if (storage === 'id') raw[field] = asText(row[`${column}_text`]);
    else if (value === null) raw[field] = null;
    else if (storage === 'decimal') raw[field] = asText(value);
    else raw[field] = storage === 'word' ? strings.valueOf(asInteger(value)) : asInteger(value);
  }
  return readOrder(raw, row['received']);
}

/** Returns the values of `ORDER_COLUMNS`, unreadable numbers as 0. Adds strings: requires a transaction. */
export function orderRow(order: HistoryOrder, strings: StringTable): SQLInputValue[] {
  const values = COLUMNS.map(({ field, storage, isOptional }): SQLInputValue => {
    const value = order[field];
    if (storage === 'flag') return value === true || value === 1 ? 1 : 0;
    if (value === null) return isOptional ? null : storage === 'decimal' ? '0' : 0;
    if (storage === 'word') return strings.idOf(String(value));
    return storage === 'id' ? storedId(String(value)) : typeof value === 'boolean' ? 0 : value;
  });
  return [isFinal(order) ? 1 : 0, ...values];
}

/** Reports whether the status is final; NEW and unknown ones are not. */
export const isFinal = ({ status }: HistoryOrder): boolean => status === 'FILLED' || status === 'CANCELED';

/** Returns the order with lone surrogates replaced by U+FFFD, as UTF-8 stores them. */
export function orderWellFormed(order: HistoryOrder): HistoryOrder {
  const broken = COLUMNS.flatMap(({ field }) => {
    const value = order[field];
    return typeof value === 'string' && !value.isWellFormed() ? [[field, value.toWellFormed()] as const] : [];
  });
  return broken.length === 0 ? order : { ...order, ...Object.fromEntries(broken) };
}

const NAMES = Object.entries(orderHistoryFields);

/** Reports whether two versions are equal: decimals by value (`1.5` = `1.50`), flags by truth. */
export function sameOrder(a: HistoryOrder, b: HistoryOrder): boolean {
  const came = (order: HistoryOrder, name: string): string | undefined => order.received?.[name];
  return NAMES.every(([name, { kind }]) => {
    if (kind === 'decimal') return sameFigure(a, b, name);
    const [one, other] = [a, b].map((order) => order[name as HistoryOrderField]);
    if (one === null || other === null) return one === other && came(a, name) === came(b, name);
    if (kind === 'flag') return (one === true || one === 1) === (other === true || other === 1);
    return one === other;
  });
}
