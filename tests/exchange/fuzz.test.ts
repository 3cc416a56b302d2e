import { expect, it } from 'vitest';
import { fuzzOutcomes } from './fuzz-outcomes.ts';

/** The short form of tests/stress/fuzz.ts. */
it('never states more about an order than is confirmed', () => {
  const { faults, accepted } = fuzzOutcomes(2_000);
  expect(faults).toEqual([]);
  expect(accepted).toBeGreaterThan(50);
});
