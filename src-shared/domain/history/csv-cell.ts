/**
 * Encodes a text as a CSV cell. A leading `'` is added before text a spreadsheet would run (= + - @, TAB or CR, unless
 * a plain number) and before text that starts with `'`. Readers remove exactly one (docs/archive.md, "The CSV").
 */
import { isDecimal } from '../../amount.ts';

const FORMULA_START = /^[=+\-@\t\r]/;

/** Returns the cell for RFC 4180: quoted if needed, quotes doubled. */
export function csvCell(text: string, separator: ',' | ';' | '\t'): string {
  const risky = text.startsWith("'") || (FORMULA_START.test(text) && !isDecimal(text));
  const safe = risky ? `'${text}` : text;
  const quoted = safe.includes(separator) || /["\r\n]/.test(safe);
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}
