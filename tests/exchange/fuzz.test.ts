import { expect, it } from 'vitest';
import { fuzzOutcomes } from './fuzz-outcomes.ts';

/** The short form of tests/stress/fuzz.ts. */
it('never calls an order more than is proven of it', () => {
  const { faults, accepted } = fuzzOutcomes(2_000);
  expect(faults).toEqual([]);
  expect(accepted).toBeGreaterThan(50);
});
