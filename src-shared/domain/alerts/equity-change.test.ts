import fc from 'fast-check';
import { expect, it } from 'vitest';
import { print } from '../../amount.ts';
import { equityMove, type EquityPast, withEquity } from './equity-change.ts';

const WINDOW_MS = 120_000;
/** One of the 120 that a window is divided into. */
const INTERVAL_MS = 1_000;

it('has the extremes of the window, by its intervals, in a bounded number of them', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 1, max: 999 })), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(steps, (drawn) => {
      let past: EquityPast = [];
      let now = 0;
      const all: { at: number; value: number }[] = [];
      for (const [ms, value] of drawn) {
        now += ms;
        all.push({ at: now, value });
        past = withEquity(past, String(value), now, 2);
      }
      const since = (ms: number) => all.filter(({ at }) => at >= now - ms).map(({ value }) => value);
      const [high, low] = [
        Math.max(...past.map((one) => parseInt(one.high, 10))),
        Math.min(...past.map((one) => parseInt(one.low, 10))),
      ];
      const [most, least] = [since(WINDOW_MS), since(WINDOW_MS - INTERVAL_MS)];
      expect(high).toBeLessThanOrEqual(Math.max(...most));
      expect(high).toBeGreaterThanOrEqual(Math.max(...least));
      expect(low).toBeGreaterThanOrEqual(Math.min(...most));
      expect(low).toBeLessThanOrEqual(Math.min(...least));
      expect(past.length).toBeLessThanOrEqual(121);
    }),
    { numRuns: 60 },
  );
});

it('drops what is as old as the window and a ms, and what a clock that was set back left in the future', () => {
  const span = (from: number) => ({ from, low: '1', high: '1' });
  const past = [span(0), span(1), span(500_000)];
  expect(withEquity(past, '2', WINDOW_MS + 1, 2).map(({ from }) => from)).toEqual([1, WINDOW_MS + 1]);
  expect(withEquity([span(5)], '2', 5, 2)).toEqual([{ from: 5, low: '1', high: '2' }]);
});

it('is the larger of fall and rise by its share, from a value above 0', () => {
  const past = [{ from: 0, low: '50', high: '200' }];
  const move = (equity: string) => {
    const found = equityMove(past, equity);
    return found && [found.from, print(found.size), found.fell];
  };
  // At 100 the share of the fall, a half, is less than that of the rise, the whole.
  expect(move('100')).toEqual(['50', '50', false]);
  expect(move('60')).toEqual(['200', '140', true]);
  expect(move('-10')).toEqual(['200', '210', true]);
  expect(equityMove([{ from: 0, low: '-5', high: '0' }], '3')).toBeNull();
});
