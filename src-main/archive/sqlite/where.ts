/** Builds the conditions of a `WHERE`, each with its values. A part that is null restricts nothing. */
import type { SQLInputValue } from 'node:sqlite';
import type { TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { storedId } from './ids.ts';
import type { StringTable } from './string-table.ts';

export interface Where {
  /** `… AND …`; `1` if everything matches. */
  readonly where: string;
  readonly values: readonly SQLInputValue[];
}

type Part = readonly [sql: string, ...values: SQLInputValue[]] | null;

/** Joins the parts by AND, with their values in order. */
export function allOf(parts: readonly Part[]): Where {
  const restricting = parts.filter((part) => part !== null);
  return {
    where: restricting.map(([sql]) => sql).join(' AND ') || '1',
    values: restricting.flatMap(([, ...values]) => values),
  };
}

/** `sql` with its value; null without one. */
export const given = (sql: string, value: SQLInputValue): Part => (value === null ? null : [sql, value]);

/** Matches a column's words. Those that are not in the string table match nothing: `IN ()`. */
export const among = (column: string, words: readonly string[], strings: StringTable): Part =>
  words.length === 0 ? null : amongIds(column, strings.known(words));

/** Matches a column's contracts, however they are spelled. */
export const amongContracts = (column: string, symbols: readonly string[], strings: StringTable): Part =>
  symbols.length === 0 ? null : amongIds(column, strings.ofContracts(symbols));

function amongIds(column: string, known: readonly number[]): Part {
  return known.length === 1
    ? [`${column} = ?`, ...known]
    : [`${column} IN (${known.map(() => '?').join(', ')})`, ...known];
}

/** Matches the order of a row, whose id is in `column`, by its id and its notes. */
export const byOrder = (column: string, { orderId, noted }: TradeFilter): readonly Part[] => [
  given(`${column} = ?`, orderId === null ? null : storedId(orderId)),
  given(
    `${column} IN (SELECT n.order_id FROM order_note AS n WHERE matches_noted(n.text, n.tags, ?))`,
    noted === null ? null : JSON.stringify(noted),
  ),
];
