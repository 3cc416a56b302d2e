import { expect, it } from 'vitest';
import { agoText, leftText } from './time-left.ts';

it('writes how long ago something was, and how long a pause lasts', () => {
  expect([75, 119, 120, 3_599, 3_600, 28_537, 410_400].map(agoText)).toEqual([
    ...['75 s', '119 s', '2 min', '59 min', '1 h 0 min', '7 h 55 min', '4 d 18 h'],
  ]);
  expect([-1, 1_001, 125_000].map(leftText)).toEqual(['0 s', '2 s', '2 min 5 s']);
});
