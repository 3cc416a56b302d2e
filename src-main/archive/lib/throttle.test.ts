import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('reports the first step, then at most one per interval, and every step with 0', () => {
  const told: number[] = [];
  const all: number[] = [];
  const tell = throttle<number>(50, (step) => told.push(step));
  const tellAll = throttle<number>(0, (step) => all.push(step));
  for (let step = 0; step < 120; step++) {
    tell(step);
    tellAll(step);
    vi.advanceTimersByTime(1);
  }
  expect(told).toEqual([0, 50, 100]);
  expect(all).toHaveLength(120);
});
