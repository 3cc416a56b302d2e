import { describe, expect, it } from 'vitest';
import { TableModel } from './table-model.svelte.ts';

const column = (key: string, wideOnly: boolean) => ({ key, label: key, value: () => null, wideOnly });
const widths = new Map([
  ['a', 100],
  ['b', 100],
  ['c', 60],
  ['d', 80],
]);

function table(): TableModel<string> {
  const columns = [column('a', false), column('b', true), column('c', true), column('d', false)];
  return new TableModel<string>({ id: 'room', columns: () => columns, rows: () => [], rowKey: (row) => row });
}
const shown = (model: TableModel<string>): string => model.visible.map((one) => one.key).join('');

describe('columns without room', () => {
  it('leave one by one, the last of those that may, until the rest fits', () => {
    const model = table();
    model.fit(300, 340, widths);
    expect(shown(model)).toBe('abd');
    model.fit(200, 280, widths);
    expect(shown(model)).toBe('ad');
  });
  it('never takes one that stays in a narrow window, and says which found no room', () => {
    const model = table();
    model.fit(100, 340, widths);
    expect(shown(model)).toBe('ad');
    expect(model.columns.filter((one) => !model.hasRoomFor(one)).map((one) => one.key)).toEqual(['b', 'c']);
  });
  it('come back with the room they need', () => {
    const model = table();
    model.fit(200, 340, widths);
    model.fit(279, 180, widths);
    expect(shown(model)).toBe('ad');
    model.fit(280, 180, widths);
    expect(shown(model)).toBe('abd');
    model.fit(340, 280, widths);
    expect(shown(model)).toBe('abcd');
  });
});
