/** Reads CSV with comma, semicolon or tab, any line end and an optional byte-order mark. */
import type { Separator } from '../history/csv-cell.ts';
import { CsvFault, CsvReader, type CsvRow } from '../history/csv-reader.ts';

export type CsvResult =
  | { readonly ok: true; readonly separator: Separator; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Returns every row, without empty lines. Never throws. */
export function readCsv(source: string): CsvResult {
  const text = source.replace(/^\u{feff}/u, '').replaceAll(/\r(?!\n)/g, '\n');
  const separator = separatorOf(text);
  const csv = new CsvReader(separator);
  try {
    const rows = [...csv.push(text), ...csv.end()].filter(({ cells }) => cells.length > 0);
    return { ok: true, separator, rows };
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    return { ok: false, line: error.line, message: error.message };
  }
}

/** Returns the separator the first line uses most outside quotes; a comma if it has none. */
function separatorOf(text: string): Separator {
  const [first = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/);
  let best: Separator = ',';
  for (const one of [',', ';', '\t'] as const) {
    if (first.split(one).length > first.split(best).length) best = one;
  }
  return best;
}
