import { expect, it } from 'vitest';
import { makerText, winText } from './sum-text.ts';

it('counts the trades marked MAKER, of all trades', () => {
  expect(makerText({ makers: 1, trades: 3 })).toBe('33.33%');
  expect(makerText({ makers: 0, trades: 0 })).toBe('—');
  expect(winText({ wins: 1, losses: 1, counted: 3, open: 0, unknown: 0 })).toBe('50.00%');
});
