import { describe, expect, it } from 'vitest';
import { RowSelection } from './row-selection.svelte.ts';

const range = ({ ranges, size }: RowSelection) => [ranges[0]?.first, ranges.at(-1)?.last, size];

describe('the selection of rows', () => {
  it('starts at the row that had the focus if the first step already extends it', () => {
    const selection = new RowSelection();
    selection.go(3, true, 2);
    expect(range(selection)).toEqual([2, 3, 2]);
  });

  it('follows its rows in a list that got another one above, and is the same selection', () => {
    const selection = new RowSelection();
    selection.go(0, false);
    selection.go(1, true);
    const { version } = selection;
    selection.follow(['a', 'b', 'c'], ['new', 'a', 'b', 'c']);
    expect(range(selection)).toEqual([1, 2, 2]);
    expect(selection.version).toBe(version);
  });

  it('toggles single rows, and begins the next range at the last of them', () => {
    const selection = new RowSelection();
    selection.go(4, false);
    expect([selection.has(4), selection.isShown]).toEqual([false, false]);
    selection.toggle(1);
    expect(selection.rows()).toEqual([1, 4]);
    expect([selection.has(4), selection.has(2), selection.size]).toEqual([true, false, 2]);
    selection.toggle(4);
    expect([selection.rows(), selection.isShown]).toEqual([[1], true]);
    selection.toggle(6);
    selection.go(8, true);
    expect(selection.rows()).toEqual([6, 7, 8]);
    selection.go(2, false);
    expect([selection.rows(), selection.isShown]).toEqual([[2], false]);
  });

  it('takes single rows out of a million without listing the others', () => {
    const selection = new RowSelection();
    selection.all(1_000_000);
    selection.toggle(500);
    selection.toggle(0);
    selection.toggle(502);
    expect(selection.size).toBe(999_997);
    expect([0, 1, 500, 501, 502, 999_999].map((row) => selection.has(row))).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    selection.moved(10);
    selection.toggle(510);
    expect(selection.ranges).toEqual([
      { first: 11, last: 511 },
      { first: 513, last: 1_000_009 },
    ]);
  });

  it('follows single rows wherever they go, and ends when one is gone', () => {
    const selection = new RowSelection();
    selection.toggle(0);
    selection.toggle(2);
    const { version } = selection;
    selection.follow(['a', 'b', 'c'], ['c', 'new', 'b', 'a']);
    expect(selection.rows()).toEqual([0, 3]);
    expect(selection.version).toBe(version);
    selection.follow(['c', 'new', 'b', 'a'], ['c', 'new', 'b']);
    expect([selection.size, selection.isShown]).toEqual([0, false]);
  });

  it('ends when one of its rows is gone or another is between them: no other row is ever selected', () => {
    for (const now of [['a', 'c'], ['a', 'new', 'b', 'c'], ['b', 'a', 'c'], []]) {
      const selection = new RowSelection();
      selection.go(0, false);
      selection.go(1, true);
      selection.follow(['a', 'b', 'c'], now);
      expect(selection.size).toBe(0);
    }
  });
});
