/**
 * Reads CSV (RFC 4180) in chunks: unquoted cells and the line each row begins on. Strict, so that a damaged file is
 * rejected; a bare LF also ends a line, since editors write it.
 */
import type { Separator } from './csv-cell.ts';

export interface CsvRow {
  /** Counted from 1. */
  readonly line: number;
  /** None of an empty line. */
  readonly cells: readonly string[];
}

/** Invalid CSV, with the line and a readable reason. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Most characters of a row: without a bound a quote that is never closed would take memory for the whole file. */
const MAX_ROW = 4_000_000;

export class CsvReader {
  readonly #separator: Separator;
  #state: 'start' | 'bare' | 'quoted' | 'closing' | 'return' = 'start';
  #cell = '';
  #cells: string[] = [];
  #line = 1;
  /** The line the current row begins on. */
  #firstLine = 1;
  #isRowEmpty = true;
  /** Characters of the current row that may still follow. */
  #left = MAX_ROW;
  #rows: CsvRow[] = [];

  constructor(separator: Separator) {
    this.#separator = separator;
  }

  /** Returns the rows completed by this text. Throws CsvFault. */
  push(text: string): readonly CsvRow[] {
    this.#rows = [];
    for (let at = 0; at < text.length; at++) this.#take(text.charAt(at));
    return this.#rows;
  }

  /** Returns a last row without a line end. Throws CsvFault if a quote is still open. */
  end(): readonly CsvRow[] {
    if (this.#state === 'quoted') throw new CsvFault(this.#firstLine, 'a quote opened here is never closed');
    if (this.#state === 'return') throw this.#bareReturn();
    this.#rows = [];
    if (!this.#isRowEmpty) this.#endRow();
    return this.#rows;
  }

  #take(sign: string): void {
    if (--this.#left < 0)
      throw new CsvFault(
        this.#firstLine,
        'a row has more than 4,000,000 characters; a closing quote may be missing',
      );
    if (this.#state === 'return') {
      if (sign !== '\n') throw this.#bareReturn();
      return this.#endRow();
    }
    if (sign !== '\r' && sign !== '\n') this.#isRowEmpty = false;
    if (this.#state === 'quoted') return this.#takeQuoted(sign);
    if (this.#state === 'closing' && sign === '"') {
      this.#cell += sign;
      this.#state = 'quoted';
    } else if (sign === this.#separator) this.#endCell();
    else if (sign === '\r') this.#state = 'return';
    else if (sign === '\n') this.#endRow();
    else if (this.#state === 'closing')
      throw new CsvFault(this.#line, 'there is text after the closing quote of a cell');
    else if (sign === '"') {
      if (this.#state === 'bare')
        throw new CsvFault(this.#line, 'a cell that is not quoted contains a quote');
      this.#state = 'quoted';
    } else {
      this.#cell += sign;
      this.#state = 'bare';
    }
  }

  #takeQuoted(sign: string): void {
    if (sign === '"') {
      this.#state = 'closing';
      return;
    }
    this.#cell += sign;
    if (sign === '\n') this.#line += 1;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start';
  }

  #endRow(): void {
    if (!this.#isRowEmpty) this.#endCell();
    this.#rows.push({ line: this.#firstLine, cells: this.#cells });
    this.#cells = [];
    this.#line += 1;
    this.#firstLine = this.#line;
    this.#isRowEmpty = true;
    this.#left = MAX_ROW;
    this.#state = 'start';
  }

  #bareReturn(): CsvFault {
    return new CsvFault(this.#line, 'a CR outside of quotes is not followed by LF');
  }
}
