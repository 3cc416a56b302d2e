/** Converts CSV rows to trades; faults name line, column and value. */
import { tradeFields, type Trade } from '../../../src-shared/exchange-api/trade.ts';
import { readRecord, type Field } from '../../../src-shared/exchange-api/fields.ts';
import {
  cleanTag,
  cleanText,
  MAX_TAGS,
  noteFault,
  tagFault,
  type NoteText,
} from '../../../src-shared/domain/history/order-notes.ts';
import { NOTE_COLUMNS } from '../../../src-shared/ipc/exports.ts';
import { blockedFailure } from '../../../src-shared/ipc/failures.ts';
import { TRADE_COLUMNS } from '../../../src-shared/ipc/trades.ts';
import type { Separator } from '../../../src-shared/domain/history/csv-cell.ts';
import { cellText, isNumberText, SEPARATOR_SIGNS } from '../csv/format.ts';
import type { CsvRow } from '../../../src-shared/domain/history/csv-reader.ts';
import { readTime } from '../csv/time.ts';
import { ArchiveFault } from '../sqlite/errors.ts';
import { counted } from '../../../src-shared/domain/display/counted.ts';

const UNTOUCHED = 'Nothing was stored. Correct the file, or export it again with the layout Full.';

const KEPT_AS_TEXT = `Nothing was stored. Correct the cell, or put a ' before it to keep it as the exchange sent it.`;

export const importFault = (message: string, field = 'path', next = UNTOUCHED): ArchiveFault =>
  new ArchiveFault(blockedFailure(message, next, field));

/** Quotes a value for a message, without control characters and shortened. */
const quoted = (value: string): string =>
  `“${value.slice(0, 40).replace(/\p{C}/gu, '·')}${value.length > 40 ? '…' : ''}”`;

/** Returns the separator of a header line; null if it is no export's header. */
export function separatorOf(header: string): Separator | null {
  const found = Object.values(SEPARATOR_SIGNS).filter((sign) => header.includes(sign));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Reads a row's trade, and the note of its order where the file has one. */
export interface RowReader {
  readonly tradeOf: (row: CsvRow) => Trade;
  readonly noteOf: (row: CsvRow) => NoteText;
}
const KNOWN: readonly string[] = [...TRADE_COLUMNS, ...NOTE_COLUMNS];

/** Returns a reader of rows under this header. Throws ArchiveFault if a column is missing, unknown or repeated. */
export function rowReader(header: CsvRow, separator: Separator): RowReader {
  const names = header.cells;
  const unknown = names.find((name) => !KNOWN.includes(name));
  const missing = TRADE_COLUMNS.find((column) => !names.includes(column));
  if (unknown !== undefined)
    throw importFault(`Line ${header.line}: ${quoted(unknown)} is not a column of the layout Full.`);
  if (missing !== undefined)
    throw importFault(`Line ${header.line}: the column ${missing} is missing; all twelve are needed.`);
  if (new Set(names).size !== names.length)
    throw importFault(`Line ${header.line}: a column appears more than once.`);
  const columns = TRADE_COLUMNS.map((column) => [column, names.indexOf(column)] as const);
  // A comma separator cannot also be the decimal mark.
  const comma = separator !== ',';

  const tradeOf = (row: CsvRow): Trade => {
    if (row.cells.length !== names.length)
      throw importFault(
        `Line ${row.line} has ${counted(row.cells.length, 'cell')} where the header has ${names.length}.`,
      );
    const received: Record<string, unknown> = {};
    for (const [column, at] of columns)
      received[column] = fieldOf(tradeFields[column], column, row.cells[at] ?? '', row.line, comma);
    return readTrade(received);
  };
  const [tags, text] = NOTE_COLUMNS.map((name) => names.indexOf(name)) as [number, number];
  return { tradeOf, noteOf: (row) => readNote(row.line, row.cells[tags] ?? '', row.cells[text] ?? '') };
}

/** Throws ArchiveFault for a tag or a text beyond the limits. */
function readNote(line: number, tags: string, text: string): NoteText {
  const note = {
    text: cleanText(cellText(text)),
    tags: cellText(tags)
      .split(',')
      .map(cleanTag)
      .filter((tag) => tag !== ''),
  };
  const wrong = note.tags.find((tag) => tagFault(tag) !== null);
  if (wrong !== undefined) throw noteColumnFault(line, 'Tags', quoted(wrong), tagFault(wrong));
  if (note.tags.length > MAX_TAGS)
    throw noteColumnFault(line, 'Tags', `${note.tags.length} tags`, `At most ${MAX_TAGS}`);
  if (noteFault(note.text) !== null)
    throw noteColumnFault(line, 'Note', quoted(note.text), noteFault(note.text));
  return note;
}
const noteColumnFault = (line: number, column: string, value: string, why: string | null): ArchiveFault =>
  importFault(
    `Line ${line}, ${column}: ${value} cannot be stored. ${why ?? ''}.`,
    column,
    'Nothing was stored. Correct the cell, or remove the columns Tags and Note.',
  );
/** Reads a trade like a reply of the exchange: a number with an exponent keeps its text. */
const readTrade = (received: Readonly<Record<string, unknown>>): Trade =>
  readRecord(tradeFields, received).record as Trade;

/** Returns the cell as a reply would contain it. Throws ArchiveFault if the exchange could not have sent it. */
function fieldOf(field: Field, column: string, cell: string, line: number, comma: boolean): unknown {
  const isNumber = isNumberField(field);
  if (isNumber && cell.startsWith("'")) return cellText(cell);
  const value = isNumber ? numberOf(cell, comma) : field.kind === 'time' ? readTime(cell) : cellText(cell);
  // A number of any length and form may have been received, also one that the field cannot hold.
  if (isNumber ? value !== null : field.accepts(value)) return value;
  throw importFault(
    `Line ${line}, ${column}: ${quoted(cell)} cannot be read (expected: ${field.expected}).`,
    column,
    isNumber ? KEPT_AS_TEXT : UNTOUCHED,
  );
}

/** Fields of digits; a leading `'` marks text that the exchange sent in their place. */
const isNumberField = ({ kind, required }: Field): boolean =>
  !required && (kind === 'decimal' || kind === 'integer' || kind === 'id');

/** Returns the number of a cell as received, '' for an empty one; null if it is none. */
function numberOf(cell: string, comma: boolean): string | null {
  const text = comma ? cell.replace(',', '.') : cell;
  return text === '' || isNumberText(text) ? text : null;
}
