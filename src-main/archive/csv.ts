/**
 * CSV as RFC 4180 has it (CRLF, quotes doubled; comma or another separator), safe to open in a spreadsheet and exact
 * to read back.
 *
 * One rule for readers: a cell's leading `'` is never data; take exactly one away. Writers put it before
 * - text a spreadsheet would run as a formula (starts with = + - @, TAB or CR) and that is no number,
 * - text that starts with `'` itself, which keeps the rule unambiguous,
 * - in spreadsheet-safe mode, ids of more than 15 digits or with leading zeros, which would lose digits.
 */
import { isDecimal } from '../../src-shared/amount.ts';

const FORMULA_START = /^[=+\-@\t\r]/;
/** Spreadsheets keep numbers as doubles: 15 digits are safe, the 16th may change. */
export const SAFE_DIGITS = 15;

export const CRLF = '\r\n';

/** The sign between two cells, by its name in a query. */
export const SEPARATOR_SIGNS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = (typeof SEPARATOR_SIGNS)[keyof typeof SEPARATOR_SIGNS];

const NEEDS_QUOTES: Readonly<Record<Separator, RegExp>> = {
  ',': /[",\r\n]/,
  ';': /[";\r\n]/,
  '\t': /["\t\r\n]/,
};

/** A text cell, ready to stand between two separators. */
export function textCell(text: string, separator: Separator = ','): string {
  const risky = text.startsWith("'") || (FORMULA_START.test(text) && !isDecimal(text));
  const safe = risky ? `'${text}` : text;
  return NEEDS_QUOTES[separator].test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** An id, protected in spreadsheet-safe mode where a spreadsheet would change its digits. */
export function idCell(id: string, spreadsheetSafe: boolean): string {
  const changed = id.length > SAFE_DIGITS || /^0\d/.test(id);
  return spreadsheetSafe && changed ? `'${id}` : id;
}

/** What a text or id cell said before `textCell` wrote it; `cell` as a CSV parser returns it. */
export const cellText = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

export const headerLine = (columns: readonly string[], separator: Separator = ','): string =>
  columns.map((name) => textCell(name, separator)).join(separator) + CRLF;
