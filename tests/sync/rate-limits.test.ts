import { expect, it } from 'vitest';
import { simulateDay } from './rate-limits.ts';

/** The short form of tests/stress/rate-limits.ts. */
it('requests nothing inside Retry-After, after 418 or twice at once, however the clock jumps', async () => {
  const figures = await simulateDay(1, 6);
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
