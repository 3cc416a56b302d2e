import { expect, it } from 'vitest';
import { createGate } from '../../src-main/sync/gate.ts';
import { politeDay } from './polite.ts';

/** The short form of tests/stress/rate-limits.ts. */
it('asks nothing inside Retry-After, after 418 or twice at once, however the clock jumps', async () => {
  const figures = await politeDay(1, 6);
  expect(figures).toMatchObject({
    insideRetryAfter: 0,
    afterBareLimit: 0,
    afterStop: 0,
    throughBreaker: 0,
    twoInFlight: 0,
    wronglyFresh: 0,
    stuck: 0,
  });
  expect(figures.limits).toBeGreaterThan(3);
  expect(figures.clockJumps).toBeGreaterThan(3);
});

it('counts a pause by a clock that nobody sets', () => {
  let mono = 0;
  const gate = createGate(() => mono);
  gate.failed({ kind: 'limited', status: 429, message: '', next: '', retryAt: 61_000 }, 1_000);
  expect(gate.enter(3_600_000)).toBe(false);
  mono = 59_999;
  expect(gate.enter(3_600_000)).toBe(false);
  mono = 60_000;
  expect(gate.enter(-3_600_000)).toBe(true);
});
