import { describe, expect, it } from 'vitest';
import { csvCell, csvLine, textForFigure } from './csv-cell.ts';

describe('a text as a CSV cell', () => {
  it.each([
    ['BTC-USDT-M', 'BTC-USDT-M'],
    ['-1.5', '-1.5'],
    ['=1+1', "'=1+1"],
    ["'x", "''x"],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['@a\nb', '"\'@a\nb"'],
  ])('%j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});

it('marks every text in place of a figure, even one that looks like a number', () => {
  expect(['12', 'n/a', "'x", 'a;b'].map((text) => textForFigure(text, ';'))).toEqual([
    ...["'12", "'n/a", "''x", `"'a;b"`],
  ]);
});

it('ends a line with CR and LF, cells by comma if nothing else is said', () => {
  expect(csvLine(['a', '=b', 'c,d'])).toBe(`a,'=b,"c,d"\r\n`);
  expect(csvLine(['a', 'c,d'], '\t')).toBe('a\tc,d\r\n');
});
