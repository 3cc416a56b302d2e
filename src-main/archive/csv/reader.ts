/**
 * Reads CSV (RFC 4180) in chunks: unquoted cells and the line each row begins on. Strict, so that a damaged file is
 * rejected; a bare LF also ends a line, since editors write it.
 */
export interface CsvRow {
  /** Counted from 1. */
  readonly line: number;
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

export interface CsvReader {
  /** Returns the rows completed by this text. Throws CsvFault. */
  push(text: string): CsvRow[];
  /** Returns a last row without a line end. Throws CsvFault if a quote is still open. */
  end(): CsvRow[];
}

type State = 'start' | 'bare' | 'quoted' | 'closing' | 'return';

export function createCsvReader(separator: string): CsvReader {
  let state: State = 'start';
  let cell = '';
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  let empty = true;

  function finish(rows: CsvRow[]): void {
    cells.push(cell);
    rows.push({ line: begun, cells });
    cell = '';
    cells = [];
    line += 1;
    begun = line;
    empty = true;
    state = 'start';
  }

  function take(text: string, rows: CsvRow[]): void {
    for (let at = 0; at < text.length; at++) {
      const sign = text.charAt(at);
      if (state === 'return') {
        if (sign !== '\n') throw new CsvFault(line, 'a line ends with CR alone, outside of quotes');
        finish(rows);
        continue;
      }
      empty = false;
      if (state === 'quoted') {
        if (sign === '"') state = 'closing';
        else {
          cell += sign;
          if (sign === '\n') line += 1;
        }
        continue;
      }
      if (state === 'closing' && sign === '"') {
        cell += sign;
        state = 'quoted';
      } else if (sign === separator) {
        cells.push(cell);
        cell = '';
        state = 'start';
      } else if (sign === '\r') state = 'return';
      else if (sign === '\n') finish(rows);
      else if (state === 'closing')
        throw new CsvFault(line, 'there is text after the closing quote of a cell');
      else if (sign === '"') {
        if (state === 'bare') throw new CsvFault(line, 'a quote stands inside a cell that is not quoted');
        state = 'quoted';
      } else {
        cell += sign;
        state = 'bare';
      }
    }
  }
  return {
    push(text) {
      const rows: CsvRow[] = [];
      take(text, rows);
      return rows;
    },
    end() {
      if (state === 'quoted') throw new CsvFault(begun, 'a quote is opened here and never closed');
      if (state === 'return') throw new CsvFault(line, 'a line ends with CR alone, outside of quotes');
      const rows: CsvRow[] = [];
      if (!empty) finish(rows);
      return rows;
    },
  };
}
