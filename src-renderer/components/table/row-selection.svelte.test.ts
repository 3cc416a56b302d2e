import { describe, expect, it } from 'vitest';
import { RowSelection } from './row-selection.svelte.ts';

const range = ({ first, last, size }: RowSelection) => [first, last, size];

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
