import { expect, it } from 'vitest';
import { injectFaults } from './fault-injection.ts';

/** The short form of tests/stress/orders.ts. */
it('sends nothing twice, gives no false verdict, reconciles what it can and flags the rest', async () => {
  const figures = await injectFaults(80, 3);
  expect(figures).toMatchObject({ duplicatePosts: 0, falseVerdicts: 0 });
  expect(figures.unknown).toBeGreaterThan(20);
  expect(figures.unique).toBeGreaterThan(10);
  expect(figures.within30s).toBe(figures.unique);
  expect(figures.ambiguousFlagged).toBe(figures.ambiguous);
  expect(figures.absentUnknown).toBe(figures.absent);
});
