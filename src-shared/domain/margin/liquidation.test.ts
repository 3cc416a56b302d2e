import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, calculated, multiply, print } from '../../amount.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import { bankruptcy, crossLiquidation, isolatedLiquidation } from './liquidation.ts';
import { initialMargin } from './margin.ts';
import { contractSide, convention, type Drawn, isolated, side } from '../../../tests/domain/arbitraries.ts';
import { excessAt } from '../../../tests/domain/oracle.ts';
import {
  minus,
  order,
  over,
  parse,
  type Rational,
  rational,
  signOf,
  times,
  ZERO,
} from '../../../tests/domain/rational.ts';
import type { RiskTier } from '../../exchange-api/symbol-config.ts';
import { tier } from '../../../tests/domain/order-samples.ts';

const STEP = [tier(1, '0', '1000', '0.005'), tier(2, '1000', '1000000', '0.05')];
const ONE_TIER = [tier(1, '0', '1000', '0.01')];
const LONG = {
  contractSide: 'FORWARD',
  side: 'BUY',
  quantity: '1',
  entryPrice: '1040',
  margin: '60',
  tiers: STEP,
  convention: 'flat',
  feeRate: '0',
} as const;
const SHORT = { ...LONG, side: 'SELL', entryPrice: '960' } as const;

describe('isolated liquidation at a tier border', () => {
  it('takes the higher of two consistent roots going down', () => {
    expect(isolatedLiquidation(LONG)).toBe('1031.5789473684210526');
  });

  it('crosses a border where the lower rate just holds, and finds the root below', () => {
    // At 1000 from above: 90 − 40 = 50 = 5 % of 1000; but 1000 itself is in the 0.5 % tier and requires 5.
    expect(isolatedLiquidation({ ...LONG, margin: '90' })).toBe('954.77386934673366834'); // 950 / 0.995
    expect(isolatedLiquidation({ ...LONG, margin: '89.99999999' })).toBe('1000.0000000105263158');
  });

  it('stops at the border where the rate jumps over the condition going up', () => {
    expect(isolatedLiquidation(SHORT)).toBe('1000');
  });

  it('distinguishes a border that only just meets the condition from one that just does not', () => {
    // Equity at 1000 is margin − 40; the tier above requires 50 there, and more with every step up.
    expect(isolatedLiquidation({ ...SHORT, margin: '90' })).toBe('1000');
    expect(isolatedLiquidation({ ...SHORT, margin: '90.00000105' })).toBe('1000.000001');
    // The tier below includes 1000 itself and requires 5.
    expect(isolatedLiquidation({ ...SHORT, margin: '45' })).toBe('1000');
  });

  it('has no jump under the marginal convention', () => {
    // 1020 − p = 0.05 p − 45 above the border: p = 1065 / 1.05.
    expect(isolatedLiquidation({ ...SHORT, convention: 'marginal' })).toBe('1014.2857142857142857');
  });

  it('applies the last tier’s rate beyond its maximum', () => {
    // 2000 + 100 (p − 1040) = p at values near 103,000, the only tier ending at 1000.
    const found = isolatedLiquidation({ ...LONG, tiers: ONE_TIER, quantity: '100', margin: '2000' });
    expect(found).toBe('1030.303030303030303');
  });
});

describe('isolated liquidation where a higher tier requires less', () => {
  // The exchange API documents rising rates, but the solver does not rely on them.
  const tiers = [tier(1, '0', '1000', '0.05'), tier(2, '1000', '1000000', '0.01')];

  it('going up, takes the border that only just meets the condition', () => {
    expect(isolatedLiquidation({ ...SHORT, tiers, margin: '90' })).toBe('1000'); // 90 − 40 = 5 % of 1000
  });

  it('going down, takes the border where the lower tier jumps over the condition', () => {
    expect(isolatedLiquidation({ ...LONG, tiers, margin: '60' })).toBe('1000'); // 20 left; asked 10, then 50
  });
});

describe('isolated liquidation at the extremes', () => {
  it('is null where a long would need a price of 0', () => {
    expect(isolatedLiquidation({ ...LONG, margin: '1040' })).toBeNull();
    expect(isolatedLiquidation({ ...LONG, margin: '1039.99995' })).toBe('0.000050251256281407035176');
  });

  it('is null for an inverse short whose coin covers every rise', () => {
    const inverse = { ...SHORT, contractSide: 'REVERSE', quantity: '100', entryPrice: '50000' } as const;
    expect(isolatedLiquidation({ ...inverse, margin: '0.002' })).toBeNull();
    expect(isolatedLiquidation({ ...inverse, margin: '0.001' })).toBe('99500'); // u = 0.001 / (100 × 0.995)
  });

  it('is the entry if the condition is met there', () => {
    expect(isolatedLiquidation({ ...LONG, margin: '52' })).toBe('1040');
    expect(isolatedLiquidation({ ...LONG, margin: '-1' })).toBe('1040');
  });
});

describe('cross liquidation', () => {
  const leg = { ...LONG, symbolId: 'BTC-USDT-M', quantity: '2', entryPrice: '100', markPrice: '100' };
  const cross = { ...leg, tiers: [tier(1, '0', '1000', '0')] };

  it('counts the other positions at their marks', () => {
    const other = { ...cross, symbolId: 'ETH-USDT-M', quantity: '1', entryPrice: '50', markPrice: '40' };
    // 60 − 10 + 2 (p − 100) = 0, and 60 + (p − 50) = 0 below 0.
    expect(crossLiquidation({ walletBalance: '60', positions: [cross, other], feeRate: '0' })).toEqual([
      '75',
      null,
    ]);
  });

  it('moves hedge legs together, each in its own adverse direction', () => {
    const short = { ...cross, side: 'SELL', quantity: '1', entryPrice: '110' } as const;
    // Net long 1: 60 + 2 (p − 100) + (110 − p) = 0 at p = 30; rising never hurts.
    expect(crossLiquidation({ walletBalance: '60', positions: [cross, short], feeRate: '0' })).toEqual([
      '30',
      null,
    ]);
  });

  it('moves positions without an id alone', () => {
    const { symbolId: _, ...alone } = cross;
    const positions = [alone, { ...alone, side: 'SELL', quantity: '1', entryPrice: '110' } as const];
    // The short leg stays at its mark with + 10: 70 + 2 (p − 100) = 0; and 60 + (110 − p) = 0.
    expect(crossLiquidation({ walletBalance: '60', positions, feeRate: '0' })).toEqual(['65', '170']);
  });

  it("prefers a position's own fee", () => {
    const positions = [{ ...cross, feeRate: '0.5' }];
    // 60 + 2p − 200 = p × 2 × 0.5
    expect(crossLiquidation({ walletBalance: '100', positions, feeRate: '0' })).toEqual(['100']);
    expect(crossLiquidation({ walletBalance: '150', positions, feeRate: '0' })).toEqual(['50']);
  });

  it('returns nothing without positions, and rejects a symbol both linear and inverse', () => {
    expect(crossLiquidation({ walletBalance: '1', positions: [], feeRate: '0' })).toEqual([]);
    const positions = [cross, { ...cross, contractSide: 'REVERSE' } as const];
    expect(() => crossLiquidation({ walletBalance: '1', positions, feeRate: '0' })).toThrow(
      new DomainError('symbolId', cross.symbolId, 'has both linear and inverse positions'),
    );
  });

  it.each([
    ['walletBalance', { walletBalance: '' }],
    ['feeRate', { feeRate: '1%' }],
    ['feeRate', { positions: [{ ...cross, feeRate: 'x' }] }],
    ['markPrice', { positions: [{ ...cross, markPrice: '0' }] }],
    ['minPositionValue', { positions: [{ ...cross, tiers: [tier(1, '-1', '10', '0.05')] }] }],
    ['maxPositionValue', { positions: [{ ...cross, tiers: [tier(1, '0', 'much', '0.05')] }] }],
  ])('names %s, case %#', (field, change) => {
    const input = { walletBalance: '1', positions: [cross], feeRate: '0', ...change };
    expect(() => crossLiquidation(input)).toThrow(expect.objectContaining({ name: 'DomainError', field }));
  });

  it('is the isolated price with one position, mark at entry and the margin as wallet', () => {
    fc.assert(
      fc.property(isolated, ({ position, margin }) => {
        const { feeRate, ...rest } = position;
        const positions = [{ ...rest, markPrice: position.entryPrice }];
        expect(crossLiquidation({ walletBalance: margin, positions, feeRate })).toEqual([
          isolatedLiquidation({ ...position, margin }),
        ]);
      }),
    );
  });

  it('finds the one price of many legs of a contract once', () => {
    const legs = Array.from({ length: 300 }, (_, index) => ({
      ...LONG,
      symbolId: 'BTC-USDT-M',
      side: index % 2 === 0 ? ('BUY' as const) : ('SELL' as const),
      entryPrice: String(1000 + index),
      quantity: index % 2 === 0 ? '1.5' : '1',
      markPrice: '1100',
    }));
    const prices = crossLiquidation({ walletBalance: '60000', positions: legs, feeRate: '0' });
    expect(new Set(prices).size).toBe(2);
  }, 3_000);
});

describe('hedge legs with opposite directions', () => {
  const at = (price: string, markPrice: string) =>
    ({ ...LONG, symbolId: 'BTC-USDT-M', entryPrice: price, markPrice }) as const;
  const two = (
    walletBalance: string,
    long: { quantity?: string; tiers?: RiskTier[] },
    short: { quantity?: string; tiers?: RiskTier[] },
    base: ReturnType<typeof at>,
  ): (string | null)[] =>
    crossLiquidation({
      walletBalance,
      positions: [
        { ...base, ...long },
        { ...base, side: 'SELL', ...short },
      ],
      feeRate: '0',
    });

  it('are liquidated at the mark if the condition is met there, even if the adverse move leads out of it', () => {
    const tiers = [tier(1, '0', '1000', '0')];
    expect(two('0', { tiers }, { tiers, quantity: '2' }, at('100', '100'))).toEqual(['100', '100']);
  });

  it('are not liquidated by a jump that stops just short of the condition', () => {
    // Rising past 500 the long's 1000 jumps from 0.5 % to 5 %: the excess falls from 45 to 0 and grows again.
    const [, short] = two('152.5', { quantity: '2' }, {}, at('600', '480'));
    expect(short).toBeNull();
    expect(two('152.4', { quantity: '2' }, {}, at('600', '480'))[1]).toBe('500');
  });

  it('are liquidated at a border if the condition is just met everywhere beyond it', () => {
    const long = { quantity: '2', tiers: [tier(1, '0', '1000', '0.1'), tier(2, '1000', '9000', '0.25')] };
    const short = { tiers: [tier(1, '0', '9000', '0.5')] };
    // Beyond 500: 500 + 2 (p − 500) − (p − 500) − 0.5 p − 0.5 p = 0 at every price.
    expect(two('500', long, short, at('500', '400'))[1]).toBe('500');
  });

  it('going down, are liquidated at a border that only just meets the condition before it improves', () => {
    const tiers = [tier(1, '0', '1000', '0.05'), tier(2, '1000', '1000000', '0.01')];
    expect(two('75', { tiers }, { tiers, quantity: '2' }, at('500', '510'))[0]).toBe('500');
    expect(two('75.01', { tiers }, { tiers, quantity: '2' }, at('500', '510'))[0]).toBeNull();
  });
});

describe('invariants of the isolated price', () => {
  const price = (position: Drawn, margin: string): string | null =>
    isolatedLiquidation({ ...position, margin });

  /** `nearer` is at least as near to the entry as `farther`; `null` is farthest. */
  function expectNearer({ side: way }: Drawn, nearer: string | null, farther: string | null): void {
    if (farther === null) return;
    if (nearer === null) expect.fail(`null is not nearer than ${farther}`);
    const [near, far] = [parse(nearer), parse(farther)];
    if (nearly(near, far, far)) return;
    if (order(near, far) === (way === 'BUY' ? -1 : 1)) expect.fail(`${nearer} is not nearer than ${farther}`);
  }

  it('more margin never brings it nearer', () => {
    fc.assert(
      fc.property(isolated, fc.constantFrom('0.0001', '1', '50'), ({ position, margin }, more) => {
        const raised = print(add(calculated(margin), calculated(more)));
        expectNearer(position, price(position, margin), price(position, raised));
      }),
      { numRuns: 500 },
    );
  });

  it('more size on the same margin never moves it away', () => {
    fc.assert(
      fc.property(isolated, fc.constantFrom('1.0001', '1.5', '3'), ({ position, margin }, times) => {
        const quantity = print(multiply(calculated(position.quantity), calculated(times)));
        expectNearer(position, price({ ...position, quantity }, margin), price(position, margin));
      }),
      { numRuns: 500 },
    );
  });

  it('higher rates or fees never move it away', () => {
    fc.assert(
      fc.property(isolated, fc.constantFrom('0.001', '0.1'), ({ position, margin }, more) => {
        const raise = (rate: string): string => print(add(calculated(rate), calculated(more)));
        const tiers = position.tiers.map((one) => ({
          ...one,
          maintainMarginRate: raise(one.maintainMarginRate),
        }));
        const found = price(position, margin);
        const byRate = price({ ...position, tiers }, margin);
        expectNearer(position, byRate, found);
        // A fee acts as a rate of every tier.
        expect(price({ ...position, feeRate: raise(position.feeRate) }, margin)).toBe(byRate);
      }),
      { numRuns: 500 },
    );
  });

  it('an inverse position is the mirror of the opposite linear one at 1/price', () => {
    const pairs = fc.constantFrom(['4', '0.25'], ['0.8', '1.25'], ['16', '0.0625'], ['0.002', '500']);
    fc.assert(
      fc.property(isolated, pairs, ({ position, margin }, [entryPrice = '', mirrored = '']) => {
        const inverse = price({ ...position, contractSide: 'REVERSE', entryPrice }, margin);
        const opposite = position.side === 'BUY' ? 'SELL' : 'BUY';
        const linear = price(
          { ...position, contractSide: 'FORWARD', side: opposite, entryPrice: mirrored },
          margin,
        );
        if (inverse === null || linear === null) {
          expect([inverse, linear]).toEqual([null, null]);
          return;
        }
        expectClose(times(parse(inverse), parse(linear)), rational(1n));
      }),
      { numRuns: 500 },
    );
  });

  it('equity there equals maintenance and fee, unless it is the start or a jump of the flat convention', () => {
    let roots = 0;
    fc.assert(
      fc.property(isolated, ({ position, margin }) => {
        const found = price(position, margin);
        if (found === null) return;
        const at = parse(found);
        if (order(at, parse(position.entryPrice)) === 0) return;
        const quantity = parse(position.quantity);
        const value = position.contractSide === 'FORWARD' ? times(quantity, at) : over(quantity, at);
        const onBorder = position.tiers.some((one) => nearly(parse(one.maxPositionValue), value, value));
        if (onBorder && position.convention === 'flat') return;
        roots += 1;
        expectClose(excessAt(parse(margin), [position], at), ZERO, value);
      }),
      { numRuns: 500 },
    );
    expect(roots).toBeGreaterThan(200);
  });

  it('a tier cut in two at one rate changes nothing', () => {
    fc.assert(
      fc.property(isolated, ({ position, margin }) => {
        const [first, ...rest] = position.tiers;
        if (!first) return;
        const middle = print(multiply(calculated(first.maxPositionValue), calculated('0.37')));
        const tiers = [
          { ...first, maxPositionValue: middle },
          { ...first, minPositionValue: middle },
          ...rest,
        ];
        expect(price({ ...position, tiers }, margin)).toBe(price(position, margin));
      }),
    );
  });

  it('lies between entry and bankruptcy when opened with its initial margin', () => {
    fc.assert(
      fc.property(isolated, fc.constantFrom('1', '2', '5', '10'), ({ position }, leverage) => {
        const { contractSide: contract, quantity, entryPrice } = position;
        const margin = initialMargin({ contractSide: contract, quantity, price: entryPrice, leverage });
        const tiers = [tier(1, '0', '1000000', '0.02')];
        const found = price({ ...position, tiers }, margin);
        expectNearer(position, found, bankruptcy({ ...position, leverage }));
        if (found !== null) expectNearer(position, entryPrice, found);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the convention with one tier', () => {
    fc.assert(
      fc.property(isolated, convention, side, contractSide, ({ position, margin }, one, way, contract) => {
        const single = { ...position, side: way, contractSide: contract, tiers: position.tiers.slice(0, 1) };
        expect(price({ ...single, convention: one }, margin)).toBe(
          price({ ...single, convention: one === 'flat' ? 'marginal' : 'flat' }, margin),
        );
      }),
    );
  });
});

describe('bankruptcy price', () => {
  const at = (contract: 'FORWARD' | 'REVERSE', way: 'BUY' | 'SELL', leverage: string): string | null =>
    bankruptcy({ contractSide: contract, side: way, entryPrice: '900', leverage });

  it('is 1/leverage of the entry value away', () => {
    expect(at('FORWARD', 'BUY', '10')).toBe('810');
    expect(at('FORWARD', 'SELL', '10')).toBe('990');
    expect(at('REVERSE', 'BUY', '9')).toBe('810');
    expect(at('REVERSE', 'SELL', '10')).toBe('1000');
    expect(at('FORWARD', 'BUY', '7')).toBe('771.42857142857142857');
  });

  it('is null if no positive finite price uses the margin up', () => {
    expect(at('FORWARD', 'BUY', '1')).toBeNull();
    expect(at('REVERSE', 'SELL', '1')).toBeNull();
    expect(at('FORWARD', 'SELL', '1')).toBe('1800');
    expect(at('REVERSE', 'BUY', '1')).toBe('450');
  });
});

describe('malformed input', () => {
  const bad: [string, Partial<Record<keyof typeof LONG, unknown>>][] = [
    ['quantity', { quantity: '0' }],
    ['quantity', { quantity: '-1' }],
    ['quantity', { quantity: '1e3' }],
    ['quantity', { quantity: '1,5' }],
    ['entryPrice', { entryPrice: '0' }],
    ['margin', { margin: '' }],
    ['feeRate', { feeRate: 'x' }],
    ['tiers', { tiers: [] }],
    ['minPositionValue', { tiers: [STEP[0], tier(2, '1001', '2000', '0.05')] }],
    ['maxPositionValue', { tiers: [tier(1, '0', '0', '0.05')] }],
    ['maintainMarginRate', { tiers: [tier(1, '0', '10', '-0.05')] }],
  ];
  for (const [field, change] of bad) {
    it(`names ${field} of ${JSON.stringify(change)}`, () => {
      const input = { ...LONG, ...change } as typeof LONG;
      expect(() => isolatedLiquidation(input)).toThrow(
        expect.objectContaining({ name: 'DomainError', field }),
      );
    });
  }

  it('says how the tiers are not contiguous', () => {
    const messageOf = (tiers: readonly RiskTier[]): string => {
      try {
        return `none, at ${String(isolatedLiquidation({ ...LONG, tiers }))}`;
      } catch (error) {
        return error instanceof DomainError ? error.message : String(error);
      }
    };
    const [first] = STEP;
    expect(messageOf([])).toBe('tiers are needed: none are known');
    expect(messageOf([tier(1, '5', '5', '0')])).toBe('maxPositionValue must be above 5: 5');
    expect(messageOf([first!, tier(2, '1001', '2000', '0')])).toBe('minPositionValue must equal 1000: 1001');
  });

  it('names an invalid leverage', () => {
    const input = { contractSide: 'FORWARD', side: 'BUY', entryPrice: '1', leverage: '0' } as const;
    expect(() => bankruptcy(input)).toThrow(expect.objectContaining({ field: 'leverage', value: '0' }));
    const entryless = { ...input, leverage: '1', entryPrice: '-1' };
    expect(() => bankruptcy(entryless)).toThrow(expect.objectContaining({ field: 'entryPrice' }));
  });
});

/** Reports whether two rationals differ only by the rounding of a printed price's 20th digit. */
function nearly(a: Rational, b: Rational, scale: Rational): boolean {
  const apart = over(minus(a, b), scale);
  return order(signOf(apart) < 0 ? minus(ZERO, apart) : apart, rational(1n, 10n ** 18n)) <= 0;
}

function expectClose(found: Rational, expected: Rational, scale: Rational = rational(1n)): void {
  if (!nearly(found, expected, scale)) {
    expect.fail(`${found.n}/${found.d} is not near ${expected.n}/${expected.d}`);
  }
}
