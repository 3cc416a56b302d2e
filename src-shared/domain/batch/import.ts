/** Reads a file of orders: rows as cells by a header in any order, and the columns that are unknown. */
import { readCsv } from './csv.ts';
import { NO_CELLS, ROW_FIELDS, type RowCells, type RowField } from './row.ts';
import { counted } from '../display/counted.ts';

export interface ImportedRow {
  /** Line in the file, from 1; the header is usually 1. */
  readonly line: number;
  readonly cells: RowCells;
  /** Set when the row has more or fewer cells than the header, so that none can be trusted. */
  readonly fault: string | null;
}

export interface ImportedFile {
  readonly columns: readonly RowField[];
  /** Unknown columns as written, which the user must remove or rename. */
  readonly unknown: readonly string[];
  readonly rows: readonly ImportedRow[];
}

export type ImportResult =
  | { readonly ok: true; readonly file: ImportedFile }
  | { readonly ok: false; readonly message: string; readonly next: string };

const NEEDED: readonly RowField[] = ['symbolId', 'side', 'type', 'quantity'];
const BY_NAME: ReadonlyMap<string, RowField> = new Map([
  ...ROW_FIELDS.map((field) => [field.toLowerCase(), field] as const),
  ['symbol', 'symbolId'],
]);

/** Reads a file or pasted text. Rejects it entirely with more than `most` rows. Never throws. */
export function readImport(text: string, most: number): ImportResult {
  const csv = readCsv(text);
  if (!csv.ok) return failure(`Line ${csv.line}: ${csv.message}.`, 'Correct the line and import again.');
  const [header, ...records] = csv.rows;
  if (header === undefined)
    return failure('The file is empty.', 'The first line must name the columns, as in the template.');
  const names = header.cells.map((name) => name.trim());
  const fields = names.map((name) => BY_NAME.get(name.toLowerCase()) ?? null);
  const twice = fields.find((field, index) => field !== null && fields.indexOf(field) !== index);
  if (twice !== undefined && twice !== null) {
    return failure(
      `Line ${header.line}: the column ${twice} appears twice.`,
      'Remove one of them and import again.',
    );
  }
  const missing = NEEDED.filter((field) => !fields.includes(field));
  if (missing.length > 0) {
    const found = names.slice(0, 15).join(', ').slice(0, 120);
    return failure(
      `Line ${header.line} must name the columns. Missing: ${missing.join(', ')}. Found: “${found}”.`,
      'See the template for all columns. Upper and lower case do not matter.',
    );
  }
  if (records.length === 0)
    return failure('The file has a header but no rows.', 'Add one row per order and import again.');
  if (records.length > most) {
    return failure(`The file has ${records.length} rows; a batch has at most ${most}.`, 'Split the file.');
  }
  const rows = records.map(({ line, cells }): ImportedRow => {
    const read: Record<RowField, string> = { ...NO_CELLS };
    for (const [index, field] of fields.entries()) {
      if (field !== null) read[field] = unguarded(cells[index] ?? '');
    }
    const uneven =
      cells.length !== names.length &&
      !(cells.length > names.length && cells.slice(names.length).every((cell) => cell.trim() === ''));
    const fault = uneven
      ? `The row has ${counted(cells.length, 'cell')} where the header has ${names.length}. Put a price with a comma in quotes, or use a point.`
      : null;
    return { line, cells: read, fault };
  });
  return {
    ok: true,
    file: {
      columns: fields.filter((field) => field !== null),
      unknown: names.filter(
        (name, index) =>
          fields[index] === null &&
          (name !== '' || records.some(({ cells }) => (cells[index] ?? '').trim() !== '')),
      ),
      rows,
    },
  };
}

const failure = (message: string, next: string): ImportResult => ({ ok: false, message, next });

/** Removes one leading ', which exports add before text a spreadsheet would run. */
const unguarded = (cell: string): string => (/^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell).trim();

/** A header with every column and two example rows. */
export const TEMPLATE = [
  ROW_FIELDS.join(','),
  'BTC-USDT-M,BUY,LIMIT,GTC,0.010,60000.0,false,true,false,NONE,,,NONE,,',
  'ETH-USDT-M,SELL,LIMIT,GTC,0.10,3300.00,false,false,false,NONE,,,NONE,,',
  '',
].join('\r\n');
