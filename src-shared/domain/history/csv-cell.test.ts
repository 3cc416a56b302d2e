import { describe, expect, it } from 'vitest';
import { csvCell } from './csv-cell.ts';

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
