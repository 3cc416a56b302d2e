/**
 * Encodes texts as CSV cells (RFC 4180). A leading `'` is added before text a spreadsheet would run (= + - @, TAB or CR, unless
 * a plain number) and before text that starts with `'`. Readers remove exactly one (docs/archive.md, "The CSV").
 */
import { isDecimal } from '../../amount.ts';

export type Separator = ',' | ';' | '\t';
export const CRLF = '\r\n';
const FORMULA_START = /^[=+\-@\t\r]/;

/** Returns the cell, quoted if needed, quotes doubled. */
export function csvCell(text: string, separator: Separator = ','): string {
  const risky = text.startsWith("'") || (FORMULA_START.test(text) && !isDecimal(text));
  return quoted(risky ? `'${text}` : text, separator);
}

/** Returns the cell for text in place of a figure: always with a leading `'`, which an import requires to accept it. */
export const textForFigure = (text: string, separator: Separator): string => quoted(`'${text}`, separator);

/** Returns the line of these texts, with its end. */
export const csvLine = (texts: readonly string[], separator: Separator = ','): string =>
  texts.map((text) => csvCell(text, separator)).join(separator) + CRLF;

function quoted(safe: string, separator: Separator): string {
  const isSpecial = safe.includes(separator) || /["\r\n]/.test(safe);
  return isSpecial ? `"${safe.replaceAll('"', '""')}"` : safe;
}
