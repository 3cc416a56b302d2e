/** Reads a file of trades with the layout Full, piece by piece. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { CsvFault, CsvReader, type CsvRow } from '../../../src-shared/domain/history/csv-reader.ts';
import { isEmptyNote, type NoteText } from '../../../src-shared/domain/history/order-notes.ts';
import { importFault, rowReader, separatorOf, type RowReader } from './rows.ts';

interface Rows {
  readonly trades: readonly Trade[];
  /** The first note of each order that has one. */
  readonly notes: ReadonlyMap<string, NoteText>;
}
interface Piece extends Rows {
  /** Percent of the file read so far. */
  readonly percent: number;
}

const PIECE_BYTES = 128 * 1024;

/** Yields the file's trades in pieces. Throws ArchiveFault for invalid content, else the system's error. */
export function* readTrades(path: string): Generator<Piece, void> {
  // Opening a pipe would wait for its writer.
  if (!statSync(path).isFile()) throw importFault('It is not a file.', 'path', 'Choose a CSV file.');
  const file = openSync(path, 'r');
  try {
    const size = Math.max(fstatSync(file).size, 1);
    // Fatal: another encoding would change names. A byte order mark is skipped.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const bytes = Buffer.alloc(PIECE_BYTES);
    const parser = new TradeParser();
    let done = 0;
    for (let isLast = false; !isLast;) {
      const read = readSync(file, bytes, 0, PIECE_BYTES, null);
      done += read;
      isLast = read === 0;
      let text: string;
      try {
        text = decoder.decode(bytes.subarray(0, read), { stream: !isLast });
      } catch {
        throw importFault(`The file is not UTF-8 text (near byte ${done}).`);
      }
      yield { ...parser.push(text, isLast), percent: Math.min(100, (100 * done) / size) };
    }
  } finally {
    closeSync(file);
  }
}

/** Parses the text of a file as it is read; its first line says how. */
class TradeParser {
  /** The text up to the end of the first line. */
  #head = '';
  #csv: CsvReader | null = null;
  #separator: NonNullable<ReturnType<typeof separatorOf>> = ',';
  #reader: RowReader | null = null;

  /** Returns the rows this text completes. Throws ArchiveFault. */
  push(text: string, isLast: boolean): Rows {
    if (this.#csv !== null) return this.#read(this.#csv, text, isLast);
    this.#head += text;
    const end = this.#head.search(/[\r\n]/);
    if (end < 0 && !isLast && this.#head.length < PIECE_BYTES) return NO_ROWS;
    const separator = separatorOf(end < 0 ? this.#head : this.#head.slice(0, end));
    if (separator === null) throw importFault('Line 1 is not the header of a file with the layout Full.');
    this.#separator = separator;
    this.#csv = new CsvReader(separator);
    return this.#read(this.#csv, this.#head, isLast);
  }

  #read(csv: CsvReader, text: string, isLast: boolean): Rows {
    try {
      const rows = csv.push(text);
      return this.#rowsOf(isLast ? [...rows, ...csv.end()] : rows);
    } catch (error) {
      if (error instanceof CsvFault) throw importFault(`Line ${error.line}: ${error.message}.`);
      throw error;
    }
  }

  #rowsOf(rows: readonly CsvRow[]): Rows {
    const [header, ...others] = rows;
    if (this.#reader !== null) return readRows(this.#reader, rows);
    if (header === undefined) return NO_ROWS;
    this.#reader = rowReader(header, this.#separator);
    return readRows(this.#reader, others);
  }
}

const NO_ROWS: Rows = { trades: [], notes: new Map() };

function readRows({ tradeOf, noteOf }: RowReader, rows: readonly CsvRow[]): Rows {
  const notes = new Map<string, NoteText>();
  const trades = rows.map((row) => {
    const trade = tradeOf(row);
    const note = noteOf(row);
    if (!isEmptyNote(note) && !notes.has(trade.orderId)) notes.set(trade.orderId, note);
    return trade;
  });
  return { trades, notes };
}
