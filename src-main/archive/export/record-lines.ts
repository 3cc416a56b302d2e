/** Prints whole records (orders, positions, balances) as CSV lines: every field under its API name. */
import type { ExportQuery } from '../../../src-shared/ipc/exports.ts';
import type { FieldTable, RecordOf } from '../../../src-shared/exchange-api/fields.ts';
import { CRLF, csvCell } from '../../../src-shared/domain/history/csv-cell.ts';
import { figureCell, idCell, SEPARATOR_SIGNS } from '../csv/format.ts';
import { timePrinter } from '../csv/time.ts';

export type Dialect = Pick<
  ExportQuery,
  'timeFormat' | 'timeZone' | 'decimalMark' | 'separator' | 'spreadsheetSafe'
>;

/** Returns text as it is, anything else as JSON. */
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const DIGITS = /^\d+$/;

/** Returns a printer of one record's line, CRLF included. Throws ArchiveFault for an unknown zone. */
export function recordLines<T extends FieldTable>(
  fields: T,
  dialect: Dialect,
): (record: RecordOf<T>) => string {
  const separator = SEPARATOR_SIGNS[dialect.separator];
  const timeText = timePrinter(dialect.timeFormat, dialect.timeZone);
  const kinds = Object.entries(fields).map(([name, field]) => [name, field.kind] as const);

  function cell(kind: FieldTable[string]['kind'], value: unknown): string {
    if (value === null || value === undefined) return '';
    switch (kind) {
      case 'time':
        return timeText(value as number);
      case 'decimal':
      case 'number':
        return dialect.decimalMark === 'comma' ? plain(value).replace('.', ',') : plain(value);
      case 'integer':
      case 'flag':
      case 'number-choice':
        return plain(value);
      case 'id':
      case 'text':
        if (DIGITS.test(plain(value))) return idCell(plain(value), dialect.spreadsheetSafe);
        return csvCell(plain(value), separator);
      case 'choice':
      case 'list':
      case 'object':
        return csvCell(plain(value), separator);
    }
  }
  return (record) =>
    kinds
      .map(([name, kind]) => {
        const came = record.received?.[name];
        return came === undefined
          ? cell(kind, record[name])
          : figureCell(came, separator, dialect.decimalMark === 'comma');
      })
      .join(separator) + CRLF;
}
