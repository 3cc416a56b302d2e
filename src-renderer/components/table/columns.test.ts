import { describe, expect, it } from 'vitest';
import { type Column, sortRows } from './columns.ts';

interface Row {
  readonly name: string;
  readonly size: string | null;
}
const rows: readonly Row[] = [
  { name: 'a', size: '9' },
  { name: 'b', size: null },
  { name: 'c', size: '10' },
  { name: 'd', size: '-2.5' },
  { name: 'e', size: '' },
  { name: 'f', size: '9.0' },
];
const size: Column<Row> = { key: 'size', label: 'Size', decimal: true, value: (row) => row.size };
const names = (list: readonly Row[]): string => list.map((row) => row.name).join('');

describe('sorting', () => {
  it('compares decimals by value, keeps equal ones in order, and puts missing ones last both ways', () => {
    expect(names(sortRows(rows, size, false))).toBe('dafcbe');
    expect(names(sortRows(rows, size, true))).toBe('cafdbe');
  });

  it('sorts texts in natural order', () => {
    const contract: Column<string> = { key: 'c', label: 'Contract', value: (row) => row };
    expect(sortRows(['C10-USDT-M', 'C9-USDT-M', 'BTC-USDT-M'], contract, false)).toEqual([
      'BTC-USDT-M',
      'C9-USDT-M',
      'C10-USDT-M',
    ]);
  });
});
