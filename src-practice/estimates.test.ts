/** PRACTICE_ACCOUNTS=1000 runs the long form, as does `npm run test:stress -- risk`. */
import { expect, it } from 'vitest';
import { checkAccounts } from '../tests/practice/estimate-accounts.ts';

const ACCOUNTS = Number(process.env['PRACTICE_ACCOUNTS'] ?? '60');

it(
  `finds the tier convention of ${ACCOUNTS} random accounts, and estimates liquidPrice, where each is liquidated`,
  {
    timeout: 900_000,
  },
  () => {
    const { misses, ...seen } = checkAccounts(ACCOUNTS);
    expect(misses).toEqual([]);
    // Every kind of position was covered.
    expect(Math.min(seen.isolated, seen.none, seen.higher, seen.named)).toBeGreaterThan(ACCOUNTS / 20);
  },
);
