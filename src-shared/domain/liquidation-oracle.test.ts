import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crossLiquidation, isolatedLiquidation } from './liquidation.ts';
import type { ContractSide } from './margin.ts';
import { contractSide, type Drawn, isolated, marginOf, position } from './testing/arbitraries.ts';
import { type Finding, scan, standing } from './testing/oracle.ts';
import { minus, order, over, parse, plus, type Rational, rational, ZERO } from './testing/rational.ts';

/** 20 significant digits rounded half up are within half a unit of the 20th, so within 5 × 10^−20 of 1. */
const CLOSE = rational(5n, 10n ** 20n);

function agrees(found: string | null, expected: Finding | null): void {
  if (found === null || expected === null) {
    expect({ found, expected }).toEqual({ found: null, expected: null });
    return;
  }
  const difference = over(minus(parse(found), expected.price), expected.price);
  const apart = difference.n < 0n ? minus(ZERO, difference) : difference;
  if (order(apart, CLOSE) > 0) expect.fail(`${found} is not ${expected.price.n}/${expected.price.d}`);
  expect(found).toMatch(/^\d+(\.\d+)?$/);
}

/** Proof that the cases reach every branch: a generator gone one-sided would agree about nothing much. */
function tally(): { count: (finding: Finding | null) => void; least: () => number } {
  const seen = { start: 0, inside: 0, border: 0, none: 0 };
  return {
    count: (finding) => {
      seen[finding?.how ?? 'none'] += 1;
    },
    least: () => Math.min(...Object.values(seen)),
  };
}

describe('the oracle', () => {
  it('agrees on isolated liquidation', { timeout: 30_000 }, () => {
    const cases = tally();
    fc.assert(
      fc.property(isolated, (drawn) => {
        const entry = parse(drawn.position.entryPrice);
        const expected = scan(parse(drawn.margin), [drawn.position], entry, drawn.position.side === 'BUY');
        cases.count(expected);
        agrees(isolatedLiquidation({ ...drawn.position, margin: drawn.margin }), expected);
      }),
      { numRuns: 10_000, seed: 1 },
    );
    expect(cases.least()).toBeGreaterThan(100);
  });

  it('agrees on cross liquidation, hedge legs together', { timeout: 30_000 }, () => {
    const cases = tally();
    fc.assert(
      fc.property(crossCase, ({ wallet, positions, accountFee }) => {
        const found = crossLiquidation({ walletBalance: wallet, positions, feeRate: accountFee });
        expect(found).toHaveLength(positions.length);
        positions.forEach((moved, index) => {
          const expected = crossExpected(wallet, positions, accountFee, moved);
          cases.count(expected);
          agrees(found[index] ?? null, expected);
        });
      }),
      { numRuns: 2_500, seed: 2 },
    );
    expect(cases.least()).toBeGreaterThan(50);
  });
});

type CrossDrawn = Omit<Drawn, 'feeRate'> & {
  feeRate?: string | undefined;
  symbolId?: string | undefined;
  markPrice: string;
};

/** Symbols share a contract side; A is linear or inverse with the coin, the odd one out trades alone. */
const crossPosition = (contract: ContractSide): fc.Arbitrary<CrossDrawn> =>
  fc
    .tuple(position(contract), fc.constantFrom('A', 'A', 'B', undefined), position(contract), fc.boolean())
    .map(([drawn, symbolId, other, ownFee]) => ({
      ...drawn,
      symbolId,
      feeRate: ownFee ? drawn.feeRate : undefined,
      // One mark a symbol, as an exchange has; a position without symbol brings its own.
      markPrice: symbolId === 'A' ? '250.00' : symbolId === 'B' ? '400.5' : other.entryPrice,
    }));

const crossCase = contractSide.chain((contract) =>
  fc.array(crossPosition(contract), { minLength: 1, maxLength: 4 }).chain((positions) =>
    fc.record({
      positions: fc.constant(positions),
      // About what the positions would post, and more than that where several share the account.
      wallet: fc.oneof(...positions.map((one) => marginOf({ ...one, feeRate: '0' }))),
      accountFee: fc.constantFrom('0', '0.0006'),
    }),
  ),
);

function crossExpected(
  wallet: string,
  positions: CrossDrawn[],
  accountFee: string,
  moved: CrossDrawn,
): Finding | null {
  const withFee = (one: CrossDrawn): Drawn => ({ ...one, feeRate: one.feeRate ?? accountFee });
  const together = positions.filter(
    (one) => one === moved || (one.symbolId !== undefined && one.symbolId === moved.symbolId),
  );
  const fixed = positions
    .filter((one) => !together.includes(one))
    .reduce<Rational>((sum, one) => plus(sum, standing(withFee(one), parse(one.markPrice))), parse(wallet));
  return scan(fixed, together.map(withFee), parse(moved.markPrice), moved.side === 'BUY');
}
