/** Converts order history records to rows and back (`sqlite/record-codec.ts`). */
import type { SQLInputValue } from 'node:sqlite';
import {
  orderHistoryFields,
  type HistoryOrder,
  type HistoryOrderField,
} from '../../../src-shared/exchange-api/order-history.ts';
import { storedId } from '../sqlite/ids.ts';
import { recordCodec } from '../sqlite/record-codec.ts';
import type { StringTable } from '../sqlite/string-table.ts';

const codec = recordCodec<HistoryOrder>(orderHistoryFields, 'order_received', 'o');
export const { recordOf: orderOf, wellFormed: orderWellFormed, isSame: sameOrder } = codec;
/** Columns of `history_order` as `orderOf` reads them. */
export const ORDER_ROW = `o.seq, o.is_final, ${codec.selected}`;
/** The columns of `orderRow`'s values. */
export const ORDER_COLUMNS = ['is_final', ...codec.columns.map(({ column }) => column)];

/** Returns the values of `ORDER_COLUMNS`, unreadable numbers as 0. Adds strings: requires a transaction. */
export function orderRow(order: HistoryOrder, strings: StringTable): SQLInputValue[] {
  const values = codec.columns.map(({ field, storage, isOptional }): SQLInputValue => {
    const value = order[field as HistoryOrderField];
    if (storage === 'flag') return value === true || value === 1 ? 1 : 0;
    if (value === null) return isOptional ? null : storage === 'decimal' ? '0' : 0;
    if (storage === 'word') return strings.idOf(String(value));
    return storage === 'id' ? storedId(String(value)) : typeof value === 'boolean' ? 0 : value;
  });
  return [isFinal(order) ? 1 : 0, ...values];
}

/** Reports whether the status is final; NEW and unknown ones are not. */
export const isFinal = ({ status }: HistoryOrder): boolean => status === 'FILLED' || status === 'CANCELED';
