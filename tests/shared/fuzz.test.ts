import { expect, it } from 'vitest';
import { add, amount } from '../../src-shared/amount.ts';
import { fuzzDecimals } from './fuzz-decimals.ts';
import { fuzzJson } from './fuzz-json.ts';
import { fuzzRecords } from './fuzz-records.ts';

/** The short forms of tests/stress/fuzz.ts. */
it.each([
  ['decimals', fuzzDecimals],
  ['JSON', fuzzJson],
  ['records of every endpoint', fuzzRecords],
])('%s: generated inputs are accepted or rejected exactly as they should be', (_name, run) => {
  const { faults, accepted, refused } = run(2_000);
  expect(faults).toEqual([]);
  expect(accepted).toBeGreaterThan(500);
  expect(refused).toBeGreaterThan(200);
});

it('the arithmetic rejects a float at run time, too', () => {
  expect(() => add(amount('1'), 0.1 as never)).toThrow(TypeError);
});
