import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src-shared/time.ts';
import { pauseAfter } from './backoff.ts';

const MINUTE = 60_000;

it('waits longer from round to round, then by the age of the order', () => {
  expect([1, 2, 3, 4, 5].map((round) => pauseAfter(round, 0, 0))).toEqual([
    1_000, 2_000, 5_000, 10_000, 15_000,
  ]);
  expect(
    [0, 5 * MINUTE - 1, 5 * MINUTE, 60 * MINUTE - 1, 60 * MINUTE].map((age) => pauseAfter(6, age, 0)),
  ).toEqual([20_000, 20_000, MINUTE, MINUTE, 10 * MINUTE]);
  expect([DAY_MS - 1, DAY_MS].map((age) => pauseAfter(6, age, 0))).toEqual([10 * MINUTE, 60 * MINUTE]);
});

it('comes back sooner after a failure, and never later than planned', () => {
  expect([1, 2, 3, 4, 9, 10, 40].map((failures) => pauseAfter(6, 60 * MINUTE, failures))).toEqual([
    2_000, 4_000, 8_000, 16_000, 512_000, 512_000, 512_000,
  ]);
  expect(pauseAfter(1, 0, 3)).toBe(1_000);
});
