import { expect, it } from 'vitest';
import { feeEffect } from './fee-text.ts';

it('shows what a fee does to the balance, digit for digit', () => {
  expect(['0.50', '-0.10', '0.00', '-0'].map(feeEffect)).toEqual(['-0.50', '0.10', '0', '0']);
});
