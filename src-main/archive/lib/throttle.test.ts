import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seldom } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('tells the first step at once, then one each so often; with 0 every one', () => {
  const told: number[] = [];
  const all: number[] = [];
  const tell = seldom<number>(50, (step) => told.push(step));
  const tellAll = seldom<number>(0, (step) => all.push(step));
  for (let step = 0; step < 120; step++) {
    tell(step);
    tellAll(step);
    vi.advanceTimersByTime(1);
  }
  expect(told).toEqual([0, 50, 100]);
  expect(all).toHaveLength(120);
});
