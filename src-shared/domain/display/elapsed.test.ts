import { expect, it } from 'vitest';
import { elapsed } from './elapsed.ts';

const since = { wall: 1_000_000, mono: 500 };

it.each([
  ['what both clocks agree on', { wall: 1_005_000, mono: 5_500 }, 5_000],
  [
    'by the monotonic clock when the wall clock was set back an hour',
    { wall: 1_005_000 - 3_600_000, mono: 5_500 },
    5_000,
  ],
  ['by the wall clock when the computer slept', { wall: 1_005_000, mono: 600 }, 5_000],
  ['in whole ms', { wall: 1_000_000, mono: 1_700.6 }, 1_201],
  ['never less than 0', { wall: 0, mono: 0 }, 0],
])('counts %s', (_what, now, ms) => {
  expect(elapsed(since, now)).toBe(ms);
});
