import { expect, it } from 'vitest';
import { injectBatchFaults } from './batch-faults.ts';

/** The short form of tests/stress/batch.ts. */
it.each([{ callSize: 20 }, { callSize: 1 }])(
  'ends each of 200 rows correctly, $callSize per call, after a half rejected call and a lost reply',
  async ({ callSize }) => {
    const figures = await injectBatchFaults({ rows: 200, callSize, seed: 1 });
    expect(figures).toMatchObject({ rows: 200, neverSent: 0, wrong: 0, duplicatePosts: 0 });
    // A rejection, a lost reply and the rest; one more when a hold outlasts the watch on a slow machine.
    expect(figures.batches).toBeGreaterThanOrEqual(3);
    expect(figures.placed).toBeGreaterThan(180);
    // One by one, only the rejected row does not exist.
    expect(figures).toMatchObject(callSize === 1 ? { absent: 1, ambiguous: 0 } : { absent: 9, ambiguous: 2 });
  },
);
