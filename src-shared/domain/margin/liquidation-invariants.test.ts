/** Invariants between two prices: long and short, and both sides of a tier border. Computed with exact rationals. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, calculated, print } from '../../amount.ts';
import { isolatedLiquidation } from './liquidation.ts';
import { type Convention, maintenanceMargin } from './margin.ts';
import { decimalText, type Drawn, isolated } from '../../../tests/domain/arbitraries.ts';
import {
  minus,
  order,
  over,
  parse,
  plus,
  type Rational,
  rational,
  times,
  ZERO,
} from '../../../tests/domain/rational.ts';
import type { OrderSide } from '../../exchange-api/enums.ts';

const ONE = rational(1n);
/** A printed price has 20 significant digits. */
const PRINTED = rational(1n, 10n ** 17n);
const sizeOf = (value: Rational): Rational => (value.n < 0n ? minus(ZERO, value) : value);
const close = (a: Rational, b: Rational): boolean => order(sizeOf(over(minus(a, b), b)), PRINTED) <= 0;

/** Requirement as a share of the value at the price: the first tier's rate plus the fee. */
const burden = ({ tiers: [first], feeRate }: Drawn): Rational =>
  plus(parse(first?.maintainMarginRate ?? '0'), parse(feeRate));

describe('a long and a short of the same entry, size and margin, in one tier', () => {
  const both = fc.tuple(isolated, fc.integer({ min: 1, max: 999_999 })).map(([{ position }, units]) => ({
    position: { ...position, tiers: position.tiers.slice(0, 1) },
    margin: decimalText(units, 2),
  }));
  /** Null without a price, or if the condition is already met at entry: the invariant holds only beyond the entry. */
  function priceOf(position: Drawn, margin: string, side: OrderSide): Rational | null {
    const found = isolatedLiquidation({ ...position, side, margin });
    if (found === null || order(parse(found), parse(position.entryPrice)) === 0) return null;
    return parse(found);
  }

  it('mirror each other: (1 − k) × long + (1 + k) × short = 2 × entry, inverse the same of 1/price', () => {
    const met = { FORWARD: 0, REVERSE: 0 };
    fc.assert(
      fc.property(both, ({ position, margin }) => {
        const long = priceOf(position, margin, 'BUY');
        const short = priceOf(position, margin, 'SELL');
        if (long === null || short === null) return;
        met[position.contractSide] += 1;
        const k = burden(position);
        const entry = parse(position.entryPrice);
        const two = rational(2n);
        const linear = position.contractSide === 'FORWARD';
        // An inverse long is a short in 1/price, so the two shares change places.
        const found = linear
          ? plus(times(minus(ONE, k), long), times(plus(ONE, k), short))
          : plus(times(plus(ONE, k), over(ONE, long)), times(minus(ONE, k), over(ONE, short)));
        const expected = linear ? times(two, entry) : over(two, entry);
        if (!close(found, expected)) expect.fail(`${found.n}/${found.d} is not ${expected.n}/${expected.d}`);
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(met.FORWARD, met.REVERSE)).toBeGreaterThan(20);
  });
});

describe('across a tier border', () => {
  const tiny = fc.constantFrom('0.01', '0.0001', '0.000000001');
  const raised = (value: string, by: string): string => print(add(calculated(value), calculated(by)));

  it('marginal maintenance is continuous; flat jumps by value × the step of the rate', () => {
    fc.assert(
      fc.property(isolated, tiny, ({ position: { tiers } }, step) => {
        for (const [index, tier] of tiers.slice(0, -1).entries()) {
          const border = tier.maxPositionValue;
          const [rate, next] = [tier, tiers[index + 1]!].map((one) => parse(one.maintainMarginRate));
          const grown = (convention: Convention): Rational => {
            const at = (positionValue: string): Rational =>
              parse(maintenanceMargin({ positionValue, tiers, convention }));
            return minus(at(raised(border, step)), at(border));
          };
          const slice = times(next!, parse(step));
          expect(order(grown('marginal'), slice)).toBe(0);
          const leap = times(parse(border), minus(next!, rate!));
          expect(order(grown('flat'), plus(slice, leap))).toBe(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a marginal price moves no more than the margin requires: |Δp| ≤ Δm / (quantity × the least slope)', () => {
    let moved = 0;
    fc.assert(
      fc.property(isolated, tiny, ({ position, margin }, step) => {
        if (position.contractSide !== 'FORWARD') return;
        const marginal = { ...position, convention: 'marginal' as const };
        const near = isolatedLiquidation({ ...marginal, margin });
        const far = isolatedLiquidation({ ...marginal, margin: raised(margin, step) });
        if (near === null || far === null) return;
        const highest = parse(position.tiers.at(-1)!.maintainMarginRate);
        const asked = plus(highest, parse(position.feeRate));
        const slope = position.side === 'BUY' ? minus(ONE, asked) : ONE;
        if (order(slope, ZERO) <= 0) return;
        moved += near === far ? 0 : 1;
        const most = over(parse(step), times(parse(position.quantity), slope));
        const apart = sizeOf(minus(parse(far), parse(near)));
        const slack = times(parse(near), PRINTED);
        if (order(apart, plus(most, slack)) > 0) expect.fail(`${near} → ${far} with ${step} more margin`);
      }),
      { numRuns: 2_000 },
    );
    expect(moved).toBeGreaterThan(200);
  });

  /** 0.5 % up to 1000, 5 % beyond: docs/accounting.md, "Liquidation price". */
  const tiers = [
    { minPositionValue: '0', maxPositionValue: '1000', maintainMarginRate: '0.005' },
    { minPositionValue: '1000', maxPositionValue: '10000', maintainMarginRate: '0.05' },
  ];
  const at = (side: OrderSide, entryPrice: string, margin: string): string | null =>
    isolatedLiquidation({
      contractSide: 'FORWARD',
      side,
      quantity: '1',
      entryPrice,
      margin,
      tiers,
      convention: 'flat',
      feeRate: '0',
    });

  it('a flat short is liquidated at the border for every margin between the two tiers’ requirements there', () => {
    fc.assert(
      fc.property(fc.integer({ min: 45_00, max: 90_00 }), (cents) => {
        expect(at('SELL', '960', decimalText(cents, 2))).toBe('1000');
      }),
    );
    expect(parse(at('SELL', '960', '44.99') ?? '0').n).toBeGreaterThan(0n);
    expect(order(parse(at('SELL', '960', '44.99')!), parse('1000'))).toBe(-1);
    expect(order(parse(at('SELL', '960', '90.01')!), parse('1000'))).toBe(1);
  });

  it('a flat long has no price in the range below the border where only the higher rate would be met', () => {
    // Upper tier: (1040 − m) / 0.95, above 1000 while m < 90; lower tier: (1040 − m) / 0.995.
    expect(order(parse(at('BUY', '1040', '89.99')!), parse('1000'))).toBe(1);
    expect(at('BUY', '1040', '90')).toBe('954.77386934673366834');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (cents) => {
        const found = parse(at('BUY', '1040', decimalText(cents, 2))!);
        const inside = order(found, parse('954.77386934673366835')) > 0 && order(found, parse('1000')) <= 0;
        if (inside) expect.fail(`${cents} cents: ${found.n}/${found.d}`);
      }),
    );
  });
});
