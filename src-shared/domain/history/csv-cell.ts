/**
 * Encodes a text as a CSV cell. A leading `'` is added before text a spreadsheet would run (= + - @, TAB or CR, unless
 * a plain number) and before text that starts with `'`. Readers remove exactly one (docs/archive.md, "The CSV").
 */
import { isDecimal } from '../../amount.ts';

const FORMULA_START = /^[=+\-@\t\r]/;

/** Returns the cell for RFC 4180: quoted if needed, quotes doubled. */
export function csvCell(text: string, separator: ',' | ';' | '\t'): string {
  const risky = text.startsWith("'") || (FORMULA_START.test(text) && !isDecimal(text));
  return quoted(risky ? `'${text}` : text, separator);
}

/** Returns the cell for text in place of a figure: always with a leading `'`, which an import requires to accept it. */
export const textForFigure = (text: string, separator: ',' | ';' | '\t'): string =>
  quoted(`'${text}`, separator);

function quoted(safe: string, separator: ',' | ';' | '\t'): string {
  const isSpecial = safe.includes(separator) || /["\r\n]/.test(safe);
  return isSpecial ? `"${safe.replaceAll('"', '""')}"` : safe;
}
