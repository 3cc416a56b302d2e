import { describe, expect, it } from 'vitest';
import { readImport, TEMPLATE } from './import.ts';
import { NO_CELLS, readRow, ROW_FIELDS } from './row.ts';

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

  const rowsOf = (text: string) => {
    const result = read(text);
    if (!result.ok) throw new Error(result.message);
    return result.file;
  };

  it('has empty cells where the file has no column, and takes names and cells without spaces around', () => {
    const { columns, rows } = rowsOf(
      " symbolId , side,type,quantity,note\n BTC-USDT-M ,BUY,MARKET, 1 ,X'=Y\n",
    );
    expect(columns).toEqual(['symbolId', 'side', 'type', 'quantity']);
    const cells = { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: '1' };
    expect(rows).toStrictEqual([{ line: 2, cells: { ...NO_CELLS, ...cells }, fault: null }]);
    expect(readRow(rows[0]!.cells).faults).toEqual([]);
  });

  it("removes no ' inside a cell", () => {
    expect(rowsOf("symbolId,side,type,quantity\nX'=Y,BUY,LIMIT,1\n").rows[0]?.cells.symbolId).toBe("X'=Y");
  });

  it('trusts no row with fewer cells, or with more of which one has anything in it', () => {
    const faultOf = (row: string) => rowsOf(`symbolId,side,type,quantity\n${row}\n`).rows[0]?.fault ?? null;
    expect(['X,BUY,LIMIT,1', 'X,BUY,LIMIT,1,', 'X,BUY,LIMIT,1,, '].map(faultOf)).toEqual([null, null, null]);
    for (const row of ['X,BUY,LIMIT', 'X,,', 'X,BUY,LIMIT,1,2', 'X,BUY,LIMIT,1,,2', 'X,BUY,LIMIT,1,2,'])
      expect(faultOf(row)).toMatch(/where the header has 4/);
  });

  it('names a column without a name only if a row has anything in it', () => {
    const unknown = (...rows: readonly string[]) =>
      rowsOf(`symbolId,side,type,quantity,\n${rows.join('\n')}\n`).unknown;
    expect(unknown('X,BUY,LIMIT,1,', 'X,BUY,LIMIT,1, ', 'X,BUY,LIMIT,1')).toEqual([]);
    expect(unknown('X,BUY,LIMIT,1,', 'X,BUY,LIMIT,1,9')).toEqual(['']);
  });

  it('finds a column that appears twice after unknown ones, and shortens a header that names none', () => {
    const messageOf = (text: string): string => {
      const result = read(text);
      return result.ok ? '' : result.message;
    };
    expect(messageOf('a,b,symbolId,symbol,side,type,quantity\n')).toContain('symbolId appears twice');
    const many = Array.from({ length: 20 }, (_, n) => `c${n}`);
    expect(messageOf(`${many.join(',')}\n`)).toMatch(/Found: “c0, .*, c14”/);
    expect(messageOf(`${'x'.repeat(500)},a\n`)).toMatch(/Found: “x{120}”/);
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
    expect(readImport(`symbolId,side,type,quantity\n${'X,BUY,LIMIT,1\n'.repeat(2)}`, 2).ok).toBe(true);
  });

  it('reads its own template without a fault', () => {
    const result = read(TEMPLATE);
    if (!result.ok) throw new Error(result.message);
    expect(result.file.columns).toEqual([...ROW_FIELDS]);
    for (const row of result.file.rows) expect(readRow(row.cells).faults).toEqual([]);
  });
});
