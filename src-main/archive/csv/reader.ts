/**
 * Reads CSV as RFC 4180 has it, a piece at a time: cells as they were before they were quoted, and the line each row
 * begins on. Strict, since a file that was damaged on its way must not be taken for another one; LF alone is taken as
 * an end of line too, because editors write it.
 */
export interface CsvRow {
  /** Counted from 1, as an editor does. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Why the text is no CSV, in words. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export interface CsvReader {
  /** Whole rows found so far. Throws CsvFault. */
  push(text: string): CsvRow[];
  /** The last row, when the file does not end with a line end. Throws CsvFault: a quote is still open. */
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
