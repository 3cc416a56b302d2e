/**
 * Parses CSV by RFC 4180 with comma, semicolon or tab, any line end and an optional byte-order mark. Quoting errors
 * that would shift columns are rejected with their line.
 */

export type Separator = ',' | ';' | '\t';

export interface CsvRecord {
  /** First line of the record in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type CsvResult =
  | { readonly ok: true; readonly separator: Separator; readonly records: readonly CsvRecord[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Returns every record, without empty lines. Never throws. */
export function readCsv(source: string): CsvResult {
  const text = source.startsWith('\u{feff}') ? source.slice(1) : source;
  const separator = separatorOf(text);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  let begunAt = 0;
  let at = 0;
  const end = (): void => {
    if (at > begunAt) records.push({ line: begun, cells });
    cells = [];
  };
  while (at <= text.length) {
    const cell = text[at] === '"' ? quoted(text, at, separator) : bare(text, at, separator);
    if (typeof cell === 'string') return { ok: false, line, message: cell };
    cells.push(cell.text);
    line += lineEnds(text.slice(at, cell.end));
    at = cell.end;
    if (text[at] === separator) at += 1;
    else {
      end();
      if (at >= text.length) break;
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
      begun = line;
      begunAt = at;
    }
  }
  return { ok: true, separator, records };
}

interface Cell {
  readonly text: string;
  /** Index of the separator, line end or end of text after it. */
  readonly end: number;
}

function quoted(text: string, start: number, separator: Separator): Cell | string {
  let content = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return 'A quote is never closed.';
    content += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const next = text[quote + 1];
      if (next === undefined || next === separator || next === '\r' || next === '\n') {
        return { text: content, end: quote + 1 };
      }
      return `Unexpected “${text.slice(quote + 1, quote + 13)}” after a closing quote. Double the quotes inside a cell.`;
    }
    content += '"';
    at = quote + 2;
  }
}

function bare(text: string, start: number, separator: Separator): Cell | string {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\r' && text[end] !== '\n') end += 1;
  const content = text.slice(start, end);
  if (content.includes('"'))
    return `Unexpected quote inside “${content.slice(0, 24)}”. Put the whole cell in quotes.`;
  return { text: content, end };
}

const lineEnds = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Returns the separator the first line uses most outside quotes; a comma if it has none. */
function separatorOf(text: string): Separator {
  const [first = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/);
  let best: Separator = ',';
  for (const one of [',', ';', '\t'] as const) {
    if (first.split(one).length > first.split(best).length) best = one;
  }
  return best;
}
