/** RISK_CASES=10000 runs the long form, as does `npm run test:stress -- risk`. */
import { describe, expect, it } from 'vitest';
import { compareWithOracle, crossCase, isolatedCase } from './oracle-cases.ts';

const CASES = Number(process.env['RISK_CASES'] ?? '2500');

describe('the oracle', () => {
  it.each([
    ['isolated liquidation', isolatedCase, 1],
    ['cross liquidation, hedge legs together', crossCase, 2],
  ] as const)('agrees on %s', { timeout: 120_000 }, (_, kind, seed) => {
    const { disagreements, by } = compareWithOracle(kind, CASES, seed);
    expect(disagreements).toEqual([]);
    // The cases reach every branch: a biased generator would test little.
    expect(Math.min(...Object.values(by))).toBeGreaterThan(CASES / 100);
  });
});
