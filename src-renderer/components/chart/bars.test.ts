import { expect, it } from 'vitest';
import { heightsOf } from './bars.ts';

it('draws the largest as 1 and nothing as 0', () => {
  expect(heightsOf(['5', '-10', '0'])).toEqual([0.5, 1, 0]);
  expect(heightsOf(['0', '0'])).toEqual([0, 0]);
});
