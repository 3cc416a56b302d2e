import { expect, it } from 'vitest';
import { fuzzOutcomes } from './testing/fuzz-outcomes.ts';

/** The short form of scripts/drills/fuzz.ts. */
it('never calls an order more than is proven of it', () => {
  const { faults, accepted } = fuzzOutcomes(2_000);
  expect(faults).toEqual([]);
  expect(accepted).toBeGreaterThan(50);
});
