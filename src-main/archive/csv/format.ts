/**
 * CSV as RFC 4180 has it (CRLF, quotes doubled; comma or another separator), safe to open in a spreadsheet and exact
 * to read back.
 *
 * Readers remove exactly one leading `'` of a cell: it is never data. `csv-cell.ts` defines which texts get one; in
 * spreadsheet-safe mode also ids of more than 15 digits or with leading zeros, which would lose digits.
 */
import type { NoteText } from '../../../src-shared/domain/history/order-notes.ts';
import { csvCell, type Separator, textForFigure } from '../../../src-shared/domain/history/csv-cell.ts';

/** Spreadsheets keep numbers as doubles: 15 digits are safe, the 16th may change. */
export const SAFE_DIGITS = 15;

/** Separators by their name in a query. */
export const SEPARATOR_SIGNS = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** A number in any form that `plainDecimal` reads, but with more digits than amounts have, too. */
const NUMBER = /^[+-]?(?=\.?\d)\d*(?:\.\d*)?(?:e[+-]?\d+)?$/i;

/** Reports whether a received text is a number, of any length; other texts get a leading `'` in its column. */
export const isNumberText = (received: string): boolean => NUMBER.test(received);

/** Returns a number as received, digit for digit, exponents included; anything else as marked text. */
export function figureCell(received: string, separator: Separator, comma: boolean): string {
  if (!isNumberText(received)) return received === '' ? '' : textForFigure(received, separator);
  return comma ? received.replace('.', ',') : received;
}

/** Returns an id, with a leading `'` in spreadsheet-safe mode if a spreadsheet would change its digits. */
export function idCell(id: string, spreadsheetSafe: boolean): string {
  const changed = id.length > SAFE_DIGITS || /^0\d/.test(id);
  return spreadsheetSafe && changed ? `'${id}` : id;
}

/** Returns the original text of a text or id cell; `cell` as a CSV parser returns it. */
export const cellText = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

/** Returns the cells of `NOTE_COLUMNS`. */
export const noteCells = (
  { tags, text }: NoteText,
  separator: Separator,
): readonly [tags: string, text: string] => [csvCell(tags.join(', '), separator), csvCell(text, separator)];
