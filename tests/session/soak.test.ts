/** The soak's short form; `npm run test:stress -- soak` is the whole month, with the heap's figure. */
import { expect, it } from 'vitest';
import { soak } from './soak.ts';

it('stays correct through trades, faults and kills, and never shows old data as fresh', async () => {
  const found = await soak({ seed: 4, fullMinutes: 5, sparseDays: 1, sessionMinutes: 2, busy: 0.8 });
  expect(found.kills).toBeGreaterThan(0);
  expect(found.faults).toBeGreaterThan(0);
  expect(found.orders).toBeGreaterThan(3);
  expect(found.fresh).toBeGreaterThan(0);
  expect(found).toMatchObject({
    complete: true,
    missing: 0,
    doubled: 0,
    duplicatePosts: 0,
    falseVerdicts: [],
    damagedLines: 0,
    staleShownFresh: 0,
  });
}, 240_000);
