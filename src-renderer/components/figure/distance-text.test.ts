import { plainText } from '../../text/shown-text.ts';
import { expect, it } from 'vitest';
import { distanceText } from './distance-text.ts';

const of = (share: string | null, side: string) => {
  const shown = distanceText(share, side);
  return [plainText(shown), shown.className.replace('percent distance', '').trim()];
};

it('grades the distance, counts a passed price as danger, and shows no digits beyond 1,000 %', () => {
  expect(of('-0.0449', 'BUY')).toEqual(['−4.49%', 'danger']);
  expect(of('-0.0985', 'BUY')).toEqual(['−9.85%', 'warn']);
  expect(of('-0.9308', 'BUY')).toEqual(['−93.08%', '']);
  expect(of('0.3', 'BUY')).toEqual(['+30.00%', 'danger']);
  expect(of('-0.3', 'SELL')).toEqual(['−30.00%', 'danger']);
  expect(of('22.08', 'SELL')).toEqual(['>1,000%', '']);
  expect(of('10', 'SELL')).toEqual(['+1,000.0%', '']);
  expect(of(null, 'BUY')).toEqual(['—', '']);
});
