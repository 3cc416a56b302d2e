import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src-shared/time.ts';
import { isGap } from './recording-gap.ts';

const TODAY = Date.parse('2026-11-21T00:00:00Z');

describe('a gap in the recorded equity', () => {
  it.each([
    [MINUTE_MS, 0, false],
    [4 * MINUTE_MS, 0, false],
    [5 * MINUTE_MS, 0, true],
    // One point stands for an hour, so an hour between two points is no gap.
    [90 * MINUTE_MS, 60 * MINUTE_MS, false],
    [5 * 60 * MINUTE_MS, 60 * MINUTE_MS, true],
  ])('%i ms apart, one point for %i ms: %s', (apart, stretch, gap) => {
    expect(isGap(TODAY - apart, TODAY, TODAY, stretch)).toBe(gap);
  });
  it('depends on the sampling interval, which grows with age', () => {
    const old = TODAY - 30 * DAY_MS;
    expect(isGap(old, old + 15 * MINUTE_MS, TODAY, 0)).toBe(false);
    expect(isGap(old, old + 61 * MINUTE_MS, TODAY, 0)).toBe(true);
  });
});
