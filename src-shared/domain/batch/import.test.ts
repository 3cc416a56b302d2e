import { describe, expect, it } from 'vitest';
import { readImport, TEMPLATE } from './import.ts';
import { readRow, ROW_FIELDS } from './row.ts';

const read = (text: string) => readImport(text, 1000);

describe('an import', () => {
  it('takes the header in any order and case, `symbol` too, and keeps the line of the file', () => {
    const result = read('Price;SYMBOL;quantity;side;TYPE\r\n96100.0;BTC-USDT-M;0.120;BUY;LIMIT\r\n');
    if (!result.ok) throw new Error(result.message);
    expect(result.file.columns).toEqual(['price', 'symbolId', 'quantity', 'side', 'type']);
    expect(result.file.rows[0]).toMatchObject({ line: 2, fault: null });
    expect(result.file.rows[0]?.cells).toMatchObject({
      symbolId: 'BTC-USDT-M',
      price: '96100.0',
      quantity: '0.120',
    });
  });

  it('names unknown columns, and rows with more or fewer cells than the header', () => {
    const result = read(
      'symbolId,side,type,quantity,price,reduce_only\nBTC-USDT-M,BUY,LIMIT,1,96,100.0,true\n',
    );
    if (!result.ok) throw new Error(result.message);
    expect(result.file.unknown).toEqual(['reduce_only']);
    expect(result.file.rows[0]?.fault).toContain('7 cells where the header has 6');
  });

  it("removes exactly one leading '", () => {
    const result = read("symbolId,side,type,quantity\n'-X,'=BUY,''LIMIT,'1\n");
    if (!result.ok) throw new Error(result.message);
    expect(result.file.rows[0]?.cells).toMatchObject({
      symbolId: '-X',
      side: '=BUY',
      type: "'LIMIT",
      quantity: "'1",
    });
  });

  it.each([
    ['', 'The file is empty.'],
    ['symbolId,side\nX,BUY', 'Missing: type, quantity. Found: “symbolId, side”.'],
    ['symbolId,symbol,side,type,quantity\n', 'the column symbolId appears twice'],
    ['symbolId,side,type,quantity\n', 'a header but no rows'],
    ['symbolId,side,type,quantity\n"a', 'Line 2: a quote opened here is never closed.'],
  ])('refuses %j', (text, message) => {
    const result = read(text);
    expect(result.ok ? '' : result.message).toContain(message);
  });

  it('rejects more rows than a batch accepts', () => {
    const result = readImport(`symbolId,side,type,quantity\n${'X,BUY,LIMIT,1\n'.repeat(3)}`, 2);
    expect(result.ok ? '' : result.message).toBe('The file has 3 rows; a batch has at most 2.');
  });

  it('reads its own template without a fault', () => {
    const result = read(TEMPLATE);
    if (!result.ok) throw new Error(result.message);
    expect(result.file.columns).toEqual([...ROW_FIELDS]);
    for (const row of result.file.rows) expect(readRow(row.cells).faults).toEqual([]);
  });
});
