import { describe, expect, it } from 'vitest';
import { TableModel } from './table-model.svelte.ts';

const column = (key: string, minWidth?: number) => ({
  key,
  label: key.toUpperCase(),
  value: () => null,
  ...(minWidth === undefined ? {} : { minWidth }),
});
const columns = [column('a'), column('b', 900), column('c', 1000), column('d')];
const table = (): TableModel<string> =>
  new TableModel<string>({ id: 'width', columns: () => columns, rows: () => [], rowKey: (row) => row });
const shown = (model: TableModel<string>): string => model.visible.map((one) => one.key).join('');

describe('the columns of a table', () => {
  it('are a fixed set for each width', () => {
    const model = table();
    expect(shown(model)).toBe('abcd');
    for (const [width, set] of [
      [1000, 'abcd'],
      [999, 'abd'],
      [899, 'ad'],
      [1000, 'abcd'],
    ] as const) {
      model.width = width;
      expect(shown(model)).toBe(set);
    }
  });
  it('are shown at any width when the user asks for them, also after a restart', () => {
    const model = table();
    model.width = 800;
    model.setVisible(columns[1]!, true);
    expect(shown(model)).toBe('abd');
    const again = table();
    again.width = 800;
    expect(shown(again)).toBe('abd');
    again.resetLayout();
    expect(shown(again)).toBe('ad');
  });
  it('lists left-out columns by reason', () => {
    const model = table();
    model.width = 950;
    model.setVisible(columns[3]!, false);
    const { narrow, hidden } = model.leftOut;
    expect([narrow, hidden].map((list) => list.map((one) => one.label))).toEqual([['C'], ['D']]);
  });
});

describe('a column that only a wide table has', () => {
  const wide = { ...column('w'), off: true, from: 1500 };
  const model = (): TableModel<string> =>
    new TableModel<string>({
      id: 'wide',
      columns: () => [column('a'), wide],
      rows: () => [],
      rowKey: (row) => row,
    });
  it('is shown from its width on, but not before the width is measured', () => {
    const one = model();
    expect(shown(one)).toBe('a');
    one.width = 1499;
    expect([shown(one), one.leftOut.narrow.length, one.leftOut.hidden.length]).toEqual(['a', 0, 0]);
    one.width = 1500;
    expect(shown(one)).toBe('aw');
  });
  it('follows the user’s choice at any width', () => {
    const one = model();
    one.width = 1000;
    one.setVisible(wide, true);
    expect(shown(one)).toBe('aw');
    one.width = 2000;
    one.setVisible(wide, false);
    expect([shown(one), one.leftOut.hidden.map(({ key }) => key)]).toEqual(['a', ['w']]);
    one.width = 1000;
    expect(shown(one)).toBe('a');
    one.width = 2000;
    one.setVisible(wide, true);
    expect(shown(one)).toBe('aw');
  });
});

it('gives columns of one scale the same decimals, row by row', () => {
  const quantity = (key: 'part' | 'sum') => ({
    key,
    label: key,
    decimal: true,
    scale: 'quantity',
    scaleBy: (row: Row) => row.symbol,
    value: (row: Row) => row[key],
  });
  type Row = Readonly<Record<'symbol' | 'part' | 'sum', string>>;
  const [part, sum] = [quantity('part'), quantity('sum')];
  const rows: readonly Row[] = [
    { symbol: 'BTC', part: '0.085', sum: '0.17' },
    { symbol: 'SOL', part: '32', sum: '64.5' },
  ];
  const model = new TableModel<Row>({
    id: 'scales',
    columns: () => [part, sum],
    rows: () => rows,
    rowKey: (row) => row.symbol,
  });
  expect(rows.map((row) => [model.scaleOf(part, row), model.scaleOf(sum, row)])).toEqual([
    [3, 3],
    [1, 1],
  ]);
});
