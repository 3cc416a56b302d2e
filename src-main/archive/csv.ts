/**
 * CSV as RFC 4180 has it (comma, CRLF, quotes doubled), safe to open in a spreadsheet and exact to read back.
 *
 * One rule for readers: a cell's leading `'` is never data; take exactly one away. Writers put it before
 * - text a spreadsheet would run as a formula (starts with = + - @, TAB or CR) and that is no number,
 * - text that starts with `'` itself, which keeps the rule unambiguous,
 * - in spreadsheet-safe mode, ids of more than 15 digits or with leading zeros, which would lose digits.
 */
import { isDecimal } from '../../src-shared/amount.ts';

const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
/** Spreadsheets keep numbers as doubles: 15 digits are safe, the 16th may change. */
export const SAFE_DIGITS = 15;

export const CRLF = '\r\n';

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A text cell, ready to stand between two commas. */
export function textCell(text: string): string {
  const risky = text.startsWith("'") || (FORMULA_START.test(text) && !isDecimal(text));
  return quoted(risky ? `'${text}` : text);
}

/** What a text or id cell said before `textCell` wrote it; `cell` as a CSV parser returns it. */
export const cellText = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

export const headerLine = (columns: readonly string[]): string => columns.map(textCell).join(',') + CRLF;
