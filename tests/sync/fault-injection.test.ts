import { expect, it } from 'vitest';
import { injectSyncFaults } from './fault-injection.ts';

// `npm run test:stress -- sync` is the long form: 200 seeds.
it('stores what the exchange lists, nothing missing or duplicated', async () => {
  for (const seed of [3, 12, 13]) {
    const { missing, doubled, trades, orders } = await injectSyncFaults(seed);
    expect({ seed, missing, doubled }).toEqual({ seed, missing: 0, doubled: 0 });
    expect(Math.min(trades, orders)).toBeGreaterThan(50);
  }
});
