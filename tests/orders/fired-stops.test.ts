import { expect, it } from 'vitest';
import { attack } from './attack.ts';

/** The short form of tests/stress/orders.ts. */
it('never takes what a trigger sent for a lost close, and finds the closes that were placed', async () => {
  const figures = await attack(16, 17);
  expect(figures).toMatchObject({ rounds: 16, duplicatePosts: 0, falseVerdicts: 0, wrongRows: 0 });
  expect(figures.found).toBe(figures.placed);
  expect(figures.refused).toBe(figures.foreign);
  for (const name of ['found', 'fired', 'moved', 'restored', 'refused'] as const)
    expect(figures[name], name).toBeGreaterThan(0);
});
