import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from './csv.ts';

const cells = (text: string): readonly (readonly string[])[] => {
  const result = readCsv(text);
  if (!result.ok) throw new Error(result.message);
  return result.rows.map((one) => one.cells);
};

describe('CSV', () => {
  it('detects comma, semicolon or tab from the first line, outside quotes', () => {
    expect(cells('a,b\n1,2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(cells('"a,x";b\n1;2')).toEqual([
      ['a,x', 'b'],
      ['1', '2'],
    ]);
    expect(cells('a\tb\n1\t2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('finds the separator past lines of separators alone, a comma where two are as frequent', () => {
    expect(cells(';;;\n \na,b\n')).toContainEqual(['a', 'b']);
    expect(cells('a,b;c')).toEqual([['a', 'b;c']]);
    expect(cells('a,b;c;d')).toEqual([['a,b', 'c', 'd']]);
  });

  it('keeps a byte-order mark that does not begin the file', () => {
    expect(cells('a,\u{feff}b')).toEqual([['a', '\u{feff}b']]);
  });

  it('accepts a byte-order mark, any line end, blank lines, doubled quotes and line ends in quotes', () => {
    const result = readCsv('\u{feff}a,b\r\n\r\n"x\r\ny","say ""no"""\r1,2\n');
    expect(result).toEqual({
      ok: true,
      separator: ',',
      rows: [
        { line: 1, cells: ['a', 'b'] },
        { line: 3, cells: ['x\r\ny', 'say "no"'] },
        { line: 5, cells: ['1', '2'] },
      ],
    });
  });

  it.each([',', ';', '\t'])(
    'leaves out rows with nothing in them, before the first line too: %j',
    (separator) => {
      const blank = [separator, separator].join(' ');
      const text = ['', blank, ['a', 'b'].join(separator), blank, ['1', '2'].join(separator), blank, ''].join(
        '\n',
      );
      expect(readCsv(text)).toEqual({
        ok: true,
        separator,
        rows: [
          { line: 3, cells: ['a', 'b'] },
          { line: 5, cells: ['1', '2'] },
        ],
      });
    },
  );

  it.each([
    ['a,b\n"x,2', 2, 'never closed'],
    ['a,b\n"x"y,2', 2, 'text after the closing quote'],
    ['a,b\nx"y,2', 2, 'not quoted contains a quote'],
  ])('rejects %j with its line', (text, line, message) => {
    const result = readCsv(text);
    expect(result).toMatchObject({ ok: false, line });
    expect(result.ok ? '' : result.message).toContain(message);
  });

  const cell = fc.string({
    unit: fc.constantFrom('a', '1', '.', ',', ';', '\t', '"', '\n', '\r\n', ' ', 'é'),
    maxLength: 6,
  });
  it('reads generated files as csv-parse does', () => {
    const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        (rows, separator, end) => {
          const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
          const text = [['h1', 'h2', 'h3'], ...rows].map((row) => row.map(quote).join(separator)).join(end);
          expect(cells(text)).toEqual(
            parse(text, {
              delimiter: separator,
              record_delimiter: end,
              bom: true,
              skip_records_with_empty_values: true,
            }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('agrees with csv-parse on any text: the same records, or both reject it', () => {
    const text = fc
      .string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', ' '), maxLength: 24 })
      .map((body) => `h,h\n${body}`);
    fc.assert(
      fc.property(text, (one) => {
        const mine = readCsv(one);
        let theirs: unknown;
        try {
          theirs = parse(one, {
            delimiter: ',',
            record_delimiter: '\n',
            relax_column_count: true,
            skip_empty_lines: true,
            skip_records_with_empty_values: true,
          });
        } catch {
          theirs = null;
        }
        expect(mine.ok ? mine.rows.map((row) => row.cells) : null).toEqual(theirs);
      }),
      { numRuns: 500 },
    );
  });
});
