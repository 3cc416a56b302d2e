import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount } from '../../amount.ts';
import { decimalText } from '../../../tests/domain/arbitraries.ts';
import { minus, order, over, parse, rational, times, ZERO } from '../../../tests/domain/rational.ts';
import { distanceGrade, gradeOf, isWorse, printDistance } from './severity.ts';

const graded = (distance: string, side: string) => distanceGrade(amount(distance), side);

describe('the grade of a distance to liquidation', () => {
  it('depends on the distance left', () => {
    expect(['-0.049', '-0.05', '-0.099', '-0.1'].map((one) => graded(one, 'BUY'))).toEqual([
      'danger',
      'caution',
      'caution',
      'healthy',
    ]);
    expect(graded('0.3', 'SELL')).toBe('healthy');
  });
  it('is danger past the liquidation price, however far', () => {
    for (const share of ['0', '0.02', '0.5', '12']) {
      expect(graded(share, 'BUY')).toBe('danger');
      expect(graded(share === '0' ? '0' : `-${share}`, 'SELL')).toBe('danger');
    }
  });
  it('counts either direction if the side is unknown', () => {
    expect(graded('0.3', 'NET')).toBe('healthy');
    expect(graded('-0.03', 'NET')).toBe('danger');
    expect(graded('-0.3', 'NET')).toBe('healthy');
  });
});

it('grades a margin ratio: caution from 50 %, danger from 80 %', () => {
  const ratios = ['0', '0.499', '0.5', '0.799', '0.8', '1', '7'];
  expect(ratios.map((one) => gradeOf(amount(one)))).toEqual([
    ...['healthy', 'healthy', 'caution', 'caution', 'danger', 'danger', 'danger'],
  ]);
});

it('ranks danger above caution above healthy', () => {
  const grades = ['healthy', 'caution', 'danger'] as const;
  for (const [at, one] of grades.entries())
    expect(grades.map((other) => isWorse(one, other))).toEqual([at > 0, at > 1, false]);
});

it('shows a distance in percent cut to two decimals, never larger than it is', () => {
  const shown = (share: string): string => printDistance(amount(share));
  expect(['0.049999', '0.05', '0.1', '0', '-0.012399'].map(shown)).toEqual([
    ...['4.99', '5.00', '10.00', '0.00', '-1.23'],
  ]);
  const cent = over(rational(1n), rational(100n));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (units) => {
      const share = decimalText(units, 9);
      const left = minus(times(parse(share), rational(100n)), parse(shown(share)));
      if (order(left, ZERO) < 0 || order(left, cent) >= 0)
        expect.fail(`${share} is shown as ${shown(share)}`);
    }),
  );
});
