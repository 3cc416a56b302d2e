import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('reports the first step, then at most one per interval, and every step with 0', () => {
  const reported: number[] = [];
  const all: number[] = [];
  const report = throttle<number>(50, (step) => reported.push(step));
  const reportAll = throttle<number>(0, (step) => all.push(step));
  for (let step = 0; step < 120; step++) {
    report(step);
    reportAll(step);
    vi.advanceTimersByTime(1);
  }
  expect(reported).toEqual([0, 50, 100]);
  expect(all).toHaveLength(120);
});
