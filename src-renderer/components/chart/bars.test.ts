import { expect, it } from 'vitest';
import { barScale, heightsOf } from './bars.ts';

it('draws the largest as 1 and nothing as 0', () => {
  expect(heightsOf(['5', '-10', '0'])).toEqual([0.5, 1, 0]);
  expect(heightsOf(['0', '0'])).toEqual([0, 0]);
});

it('draws sums of more digits than a received figure has', () => {
  const sum = `1${'0'.repeat(40)}`;
  expect(heightsOf([sum, '0'])).toEqual([1, 0]);
  expect(barScale([sum, `-${sum}`])).toMatchObject({ zero: 0.5, heights: [0.5, 0.5] });
});

it('gives gains and losses the height they need', () => {
  const { zero, heights } = barScale(['1', '-3', '0']);
  expect([zero, heights]).toEqual([0.25, [0.25, 0.75, 0]]);
  expect(barScale(['2', '4'])).toMatchObject({ zero: 1, heights: [0.5, 1] });
  expect(barScale(['-2'])).toMatchObject({ zero: 0, heights: [1] });
  expect(barScale(['0'])).toMatchObject({ zero: 0.5, heights: [0] });
});
