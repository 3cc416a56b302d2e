/** Reads a file of trades with the layout Full, piece by piece. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { CsvFault, CsvReader, type CsvRow } from '../csv/reader.ts';
import { importFault, rowReader, separatorOf } from './rows.ts';

interface Piece {
  readonly trades: readonly Trade[];
  /** Percent of the file read so far. */
  readonly share: number;
}

const PIECE_BYTES = 128 * 1024;

/** Yields the file's trades in pieces. Throws ArchiveFault for invalid content, else the system's error. */
export function* readTrades(path: string): Generator<Piece, void> {
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
      yield { trades: parser.push(text, isLast), share: Math.min(100, (100 * done) / size) };
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
  #tradeOf: ((row: CsvRow) => Trade) | null = null;

  /** Returns the trades this text completes. Throws ArchiveFault. */
  push(text: string, isLast: boolean): readonly Trade[] {
    if (this.#csv !== null) return this.#read(this.#csv, text, isLast);
    this.#head += text;
    const end = this.#head.search(/[\r\n]/);
    if (end < 0 && !isLast && this.#head.length < PIECE_BYTES) return [];
    const separator = separatorOf(end < 0 ? this.#head : this.#head.slice(0, end));
    if (separator === null) throw importFault('Line 1 is not the header of a file with the layout Full.');
    this.#separator = separator;
    this.#csv = new CsvReader(separator);
    return this.#read(this.#csv, this.#head, isLast);
  }

  #read(csv: CsvReader, text: string, isLast: boolean): readonly Trade[] {
    try {
      const rows = csv.push(text);
      return this.#trades(isLast ? [...rows, ...csv.end()] : rows);
    } catch (error) {
      if (error instanceof CsvFault) throw importFault(`Line ${error.line}: ${error.message}.`);
      throw error;
    }
  }

  #trades(rows: readonly CsvRow[]): readonly Trade[] {
    if (this.#tradeOf !== null) return rows.map(this.#tradeOf);
    const [header, ...others] = rows;
    if (header === undefined) return [];
    this.#tradeOf = rowReader(header, this.#separator);
    return others.map(this.#tradeOf);
  }
}
