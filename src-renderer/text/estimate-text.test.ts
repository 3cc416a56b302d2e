import { expect, it } from 'vitest';
import { roundedMoney } from './estimate-text.ts';

it.each([
  ['0.6', 2, '0.60'],
  ['0.600004', 2, '0.60'],
  ['-0.5', 2, '-0.50'],
  ['0', 2, '0.00'],
  ['0.99999', 2, '1.00'],
  ['0.000628277', 2, '0.0006283'],
  ['0.125', 2, '0.125'],
  ['1234.565', 2, '1234.57'],
  ['0.5', 8, '0.50000000'],
])('rounds %s to at least %i decimals', (exact, digits, shown) => {
  expect(roundedMoney(exact, digits)).toBe(shown);
});
