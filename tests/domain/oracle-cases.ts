/** Random cases of both kinds of liquidation, evaluated by the domain and by the oracle. */
import fc from 'fast-check';
import { crossLiquidation, isolatedLiquidation } from '../../src-shared/domain/margin/liquidation.ts';
import { contractSide, type Drawn, isolated, marginOf, position } from './arbitraries.ts';
import { type Finding, scan, excessOf } from './oracle.ts';
import { minus, order, over, parse, plus, type Rational, rational, ZERO } from './rational.ts';
import type { ContractSide } from '../../src-shared/exchange-api/enums.ts';

/** One price of a case by both. */
export interface Answer {
  readonly found: string | null;
  readonly expected: Finding | null;
}
export interface OracleCase {
  readonly drawn: unknown;
  readonly answers: readonly Answer[];
}

/** 20 significant digits rounded half up are within half a unit of the 20th, so within 5 × 10^−20 of 1. */
const CLOSE = rational(5n, 10n ** 20n);

/** Describes how the domain's price differs from the oracle's; null when they agree. */
export function disagreement({ found, expected }: Answer): string | null {
  if (found === null || expected === null)
    return found === expected ? null : `${found ?? 'none'} is not ${expected?.how ?? 'none'}`;
  const difference = over(minus(parse(found), expected.price), expected.price);
  const apart = difference.n < 0n ? minus(ZERO, difference) : difference;
  if (order(apart, CLOSE) > 0) return `${found} is not ${expected.price.n}/${expected.price.d}`;
  return /^\d+(\.\d+)?$/.test(found) ? null : `${found} is no plain decimal`;
}

export const isolatedCase: fc.Arbitrary<OracleCase> = isolated.map((drawn) => {
  const entry = parse(drawn.position.entryPrice);
  const expected = scan(parse(drawn.margin), [drawn.position], entry, drawn.position.side === 'BUY');
  const found = isolatedLiquidation({ ...drawn.position, margin: drawn.margin });
  return { drawn, answers: [{ found, expected }] };
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
      // One mark per symbol, as on an exchange; a position without symbol has its own.
      markPrice: symbolId === 'A' ? '250.00' : symbolId === 'B' ? '400.5' : other.entryPrice,
    }));

const account = contractSide.chain((contract) =>
  fc.array(crossPosition(contract), { minLength: 1, maxLength: 4 }).chain((positions) =>
    fc.record({
      positions: fc.constant(positions),
      // About what the positions would post, and more than that where several share the account.
      wallet: fc.oneof(...positions.map((one) => marginOf({ ...one, feeRate: '0' }))),
      accountFee: fc.constantFrom('0', '0.0006'),
    }),
  ),
);

/** Up to four cross positions of a coin, hedge legs together. */
export const crossCase: fc.Arbitrary<OracleCase> = account.map((drawn) => {
  const { wallet, positions, accountFee } = drawn;
  const found = crossLiquidation({ walletBalance: wallet, positions, feeRate: accountFee });
  const answers = positions.map((moved, index) => ({
    found: found[index] ?? null,
    expected: crossExpected(wallet, positions, accountFee, moved),
  }));
  return { drawn, answers };
});

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
    .reduce<Rational>((sum, one) => plus(sum, excessOf(withFee(one), parse(one.markPrice))), parse(wallet));
  return scan(fixed, together.map(withFee), parse(moved.markPrice), moved.side === 'BUY');
}

export interface CaseCounts {
  readonly cases: number;
  readonly prices: number;
  readonly by: Readonly<Record<Finding['how'] | 'none', number>>;
  readonly disagreements: readonly string[];
}

/** Evaluates `count` cases and counts where the price lies, to verify that all branches are reached. */
export function compareWithOracle(kind: fc.Arbitrary<OracleCase>, count: number, seed: number): CaseCounts {
  const by = { start: 0, inside: 0, border: 0, none: 0 };
  const disagreements: string[] = [];
  let prices = 0;
  for (const { drawn, answers } of fc.sample(kind, { numRuns: count, seed }))
    for (const result of answers) {
      prices += 1;
      by[result.expected?.how ?? 'none'] += 1;
      const fault = disagreement(result);
      if (fault !== null) disagreements.push(`${fault}: ${JSON.stringify(drawn)}`);
    }
  return { cases: count, prices, by, disagreements };
}
