import { expect, it } from 'vitest';
import { feeEffect, makerText, winText } from './sum-text.ts';

it('shows what a fee does to the balance, digit for digit', () => {
  expect(['0.50', '-0.10', '0.00', '-0'].map(feeEffect)).toEqual(['-0.50', '0.10', '0', '0']);
});
it('counts the trades marked MAKER, of all trades', () => {
  expect(makerText({ makers: 1, trades: 3 })).toBe('33.33%');
  expect(makerText({ makers: 0, trades: 0 })).toBe('—');
  expect(winText({ wins: 1, losses: 1, counted: 3, open: 0, unknown: 0 })).toBe('50.00%');
});
