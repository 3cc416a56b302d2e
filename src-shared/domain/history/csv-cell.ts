/**
 * A text as a CSV cell, for spreadsheets and for readers: a leading `'` is never data, take exactly one away. It stands
 * before text that a spreadsheet would run (starts with = + - @, TAB or CR, and is no plain number) and before text
 * that starts with `'` itself, which keeps the rule unambiguous. The rules are those of the files (docs/archive.md, "The CSV").
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
