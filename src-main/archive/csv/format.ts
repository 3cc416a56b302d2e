/**
 * CSV as RFC 4180 has it (CRLF, quotes doubled; comma or another separator), safe to open in a spreadsheet and exact
 * to read back.
 *
 * One rule for readers: a cell's leading `'` is never data; take exactly one away. `csv-cell.ts` says before which
 * texts it stands; in spreadsheet-safe mode also before ids of more than 15 digits or with leading zeros, which would
 * lose digits.
 */
import { plainDecimal } from '../../../src-shared/amount.ts';
import { csvCell, textForFigure } from '../../../src-shared/domain/history/csv-cell.ts';

/** Spreadsheets keep numbers as doubles: 15 digits are safe, the 16th may change. */
export const SAFE_DIGITS = 15;

export const CRLF = '\r\n';

/** The sign between two cells, by its name in a query. */
export const SEPARATOR_SIGNS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = (typeof SEPARATOR_SIGNS)[keyof typeof SEPARATOR_SIGNS];

/** A text cell, ready to stand between two separators. */
export const textCell = (text: string, separator: Separator = ','): string => csvCell(text, separator);

/** More digits than are calculated with. */
export const LONG_FIGURE = /^-?\d+(?:[.,]\d+)?$/;

/** A figure as it came: digit for digit, an exponent included; what is none is marked text. */
export function figureCell(received: string, separator: Separator, comma: boolean): string {
  const isNumber = plainDecimal(received) !== null || LONG_FIGURE.test(received);
  if (!isNumber) return received === '' ? '' : textForFigure(received, separator);
  return comma ? received.replace('.', ',') : received;
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
