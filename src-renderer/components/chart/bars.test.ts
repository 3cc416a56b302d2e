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

it('gives gains and losses the height they need, up to a round tick', () => {
  const { ticks, zero, heights } = barScale(['10', '-30', '0', '12']);
  expect(heights).toEqual([10 / 60, 0.5, 0, 0.2]);
  expect(zero).toBe(20 / 60);
  expect(ticks).toEqual([
    { at: 1, label: '−40', zero: false },
    { at: 40 / 60, label: '−20', zero: false },
    { at: zero, label: '0', zero: true },
    { at: 0, label: '+20', zero: false },
  ]);
  expect(barScale(['2', '4'])).toMatchObject({ zero: 1, heights: [0.5, 1] });
  expect(barScale(['-2'])).toMatchObject({ zero: 0, heights: [1] });
});

it('labels zero as 0 between ticks with decimals', () => {
  expect(barScale(['-0.000018']).ticks.map(({ label }) => label)).toEqual([
    '−0.000020',
    '−0.000015',
    '−0.000010',
    '−0.000005',
    '0',
  ]);
});

it('has only the tick of zero where nothing was gained or lost', () => {
  expect(barScale(['0', '0'])).toEqual({
    ticks: [{ at: 0.5, label: '0', zero: true }],
    zero: 0.5,
    heights: [0, 0],
  });
});
