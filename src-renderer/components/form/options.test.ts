import { expect, it } from 'vitest';
import { optionList } from './options.ts';

it('lists labels in the order they were written, and a value alone as its own label', () => {
  expect(optionList({ last: 'Last', all: 'All' })).toEqual([
    { value: 'last', label: 'Last' },
    { value: 'all', label: 'All' },
  ]);
  const named = { value: 'more', label: 'More', disabled: true };
  expect(optionList(['one', 2, named])).toEqual([
    { value: 'one', label: 'one' },
    { value: 2, label: '2' },
    named,
  ]);
});
