/** Reads CSV with comma, semicolon or tab, any line end and an optional byte-order mark. */
import type { Separator } from '../history/csv-cell.ts';
import { CsvFault, CsvReader, type CsvRow } from '../history/csv-reader.ts';

export type CsvResult =
  | { readonly ok: true; readonly separator: Separator; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Returns every row that has anything in it: spreadsheets write rows of empty cells. Never throws. */
export function readCsv(source: string): CsvResult {
  const text = source.replace(/^\u{feff}/u, '').replaceAll(/\r(?!\n)/g, '\n');
  const separator = separatorOf(text);
  const csv = new CsvReader(separator);
  try {
    const rows = [...csv.push(text), ...csv.end()].filter(({ cells }) =>
      cells.some((cell) => cell.trim() !== ''),
    );
    return { ok: true, separator, rows };
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    return { ok: false, line: error.line, message: error.message };
  }
}

/** Returns the separator that the first line with anything in it uses most outside quotes; a comma if it has none. */
function separatorOf(text: string): Separator {
  const lines = text.replaceAll(/"[^"]*"/g, 'x').split(/[\r\n]/);
  const first = lines.find((line) => /[^\s,;]/.test(line)) ?? '';
  let best: Separator = ',';
  for (const one of [',', ';', '\t'] as const) {
    if (first.split(one).length > first.split(best).length) best = one;
  }
  return best;
}
