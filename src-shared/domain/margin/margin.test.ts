import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from '../../amount.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import {
  averageEntry,
  deductions,
  initialMargin,
  maintenanceMargin,
  positionValue,
  tierOf,
} from './margin.ts';
import { isolated } from '../../../tests/domain/arbitraries.ts';
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
import { profit } from './pnl.ts';
import { tier } from '../../../tests/domain/order-samples.ts';

const TIERS = [
  tier(1, '0', '1000', '0.005'),
  tier(2, '1000', '5000', '0.01'),
  tier(3, '5000', '10000', '0.025'),
];

describe('tierOf', () => {
  it.each([
    ['0', 1],
    ['0.000000000000000001', 1],
    ['1000', 1],
    ['1000.000000000000000001', 2],
    ['5000', 2],
    ['10000', 3],
    ['10000.01', 3],
    ['999999999', 3],
  ])('puts %s into tier %i', (value, level) => {
    expect(tierOf(value, TIERS)).toBe(TIERS[level - 1]);
  });

  it('rejects a negative value, no tiers, and a gap', () => {
    expect(() => tierOf('-1', TIERS)).toThrow(expect.objectContaining({ field: 'positionValue' }));
    expect(() => tierOf('1', [])).toThrow(expect.objectContaining({ field: 'tiers' }));
    const [first, , third] = TIERS;
    if (!first || !third) throw new Error('tiers are missing');
    expect(() => tierOf('1', [first, third])).toThrow(
      expect.objectContaining({ field: 'minPositionValue', value: '5000' }),
    );
    expect(() => tierOf('1', [third, first])).toThrow(DomainError);
  });
});

describe('maintenance margin', () => {
  it('applies one rate to the whole value, or each tier’s own rate to its slice', () => {
    const at = (value: string, convention: 'flat' | 'marginal'): string =>
      maintenanceMargin({ positionValue: value, tiers: TIERS, convention });
    expect([at('1000', 'flat'), at('1000', 'marginal')]).toEqual(['5', '5']);
    expect([at('1001', 'flat'), at('1001', 'marginal')]).toEqual(['10.01', '5.01']);
    expect([at('6000', 'flat'), at('6000', 'marginal')]).toEqual(['150', '70']); // 5 + 40 + 25
    expect([at('20000', 'flat'), at('20000', 'marginal')]).toEqual(['500', '420']);
    expect([at('0', 'flat'), at('0', 'marginal')]).toEqual(['0', '0']);
  });

  it('has deductions that make it continuous at the borders', () => {
    expect(deductions(TIERS)).toEqual(['0', '5', '80']); // 5 + 5000 × 0.015
  });

  it('is continuous at every border, whatever the tiers', () => {
    fc.assert(
      fc.property(isolated, ({ position: { tiers } }) => {
        const taken = deductions(tiers);
        expect(taken).toHaveLength(tiers.length);
        tiers.slice(1).forEach((upper, index) => {
          const border = upper.minPositionValue;
          const below = maintenanceMargin({ positionValue: border, tiers, convention: 'marginal' });
          const above = minus(
            times(parse(upper.maintainMarginRate), parse(border)),
            parse(taken[index + 1] ?? ''),
          );
          expect(order(above, parse(below))).toBe(0);
        });
      }),
    );
  });

  it('is never above the flat one if rates rise', () => {
    fc.assert(
      fc.property(isolated, fc.integer({ min: 0, max: 9000 }), ({ position: { tiers } }, units) => {
        const value = String(units);
        const flat = maintenanceMargin({ positionValue: value, tiers, convention: 'flat' });
        const marginal = maintenanceMargin({ positionValue: value, tiers, convention: 'marginal' });
        expect(compareText(marginal, flat)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('accepts every digit positionValue prints', () => {
    const value = positionValue({ contractSide: 'REVERSE', quantity: '100', price: '30000' });
    expect(value).toBe('0.0033333333333333333333');
    expect(maintenanceMargin({ positionValue: value, tiers: TIERS, convention: 'flat' })).toBe(
      '0.0000166666666666666666665',
    );
  });
});

describe('position value and initial margin', () => {
  it('multiplies a linear quantity and divides an inverse one', () => {
    expect(positionValue({ contractSide: 'FORWARD', quantity: '0.003', price: '64123.1' })).toBe('192.3693');
    expect(positionValue({ contractSide: 'REVERSE', quantity: '100', price: '64000' })).toBe('0.0015625');
    expect(initialMargin({ contractSide: 'REVERSE', quantity: '100', price: '62500', leverage: '10' })).toBe(
      '0.00016',
    );
    expect(initialMargin({ contractSide: 'FORWARD', quantity: '1', price: '100', leverage: '3' })).toBe(
      '33.333333333333333333',
    );
  });

  it('takes a quantity of 0 for no position, however it is written, at any price', () => {
    const named = expect.objectContaining({ name: 'DomainError', field: 'quantity' });
    fc.assert(
      fc.property(
        fc.constantFrom('FORWARD' as const, 'REVERSE' as const),
        fc.constantFrom('BUY' as const, 'SELL' as const),
        fc.nat(30).map((zeros) => (zeros === 0 ? '0' : `0.${'0'.repeat(zeros)}`)),
        fc.integer({ min: 1, max: 10 ** 9 }).map(String),
        (contractSide, side, quantity, price) => {
          const input = { contractSide, quantity, price };
          expect(() => positionValue(input)).toThrow(named);
          expect(() => initialMargin({ ...input, leverage: '10' })).toThrow(named);
          expect(() => profit({ ...input, side, entryPrice: price, exitPrice: price })).toThrow(named);
        },
      ),
    );
  });

  it('names the invalid input', () => {
    const input = { contractSide: 'FORWARD', quantity: '1', price: '1', leverage: '1' } as const;
    for (const field of ['quantity', 'price', 'leverage'] as const) {
      for (const value of ['0', '-1', '', ' 1', '1e2', '0x1', 'NaN', '1,0', '01']) {
        const named = expect.objectContaining({ name: 'DomainError', field, value });
        expect(() => initialMargin({ ...input, [field]: value })).toThrow(named);
        if (field !== 'leverage') expect(() => positionValue({ ...input, [field]: value })).toThrow(named);
      }
    }
    expect(() => maintenanceMargin({ positionValue: '-1', tiers: TIERS, convention: 'flat' })).toThrow(
      expect.objectContaining({ field: 'positionValue', value: '-1' }),
    );
  });
});

describe('average entry', () => {
  const fills = fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 99999 })), {
    minLength: 1,
    maxLength: 12,
  });
  const texts = (drawn: [number, number][]): [string, string][] =>
    drawn.map(([quantity, price]) => [String(quantity), String(price)]);

  it('weights by quantity: arithmetic for linear, harmonic for inverse', () => {
    fc.assert(
      fc.property(fills, (drawn) => {
        const total = rational(drawn.reduce((sum, [quantity]) => sum + BigInt(quantity), 0n));
        const part = (fold: (quantity: Rational, price: Rational) => Rational): Rational =>
          texts(drawn).reduce(
            (sum, [quantity, price]) => plus(sum, fold(parse(quantity), parse(price))),
            ZERO,
          );
        expectClose(averageEntry({ contractSide: 'FORWARD', fills: texts(drawn) }), over(part(times), total));
        expectClose(averageEntry({ contractSide: 'REVERSE', fills: texts(drawn) }), over(total, part(over)));
      }),
    );
  });

  it('is the price itself, to the last digit, if there is only one', () => {
    for (const contractSide of ['FORWARD', 'REVERSE'] as const) {
      const same: [string, string][] = [
        ['3', '64123.17'],
        ['7', '64123.17'],
      ];
      expect(averageEntry({ contractSide, fills: same })).toBe('64123.17');
    }
  });

  it('rejects an empty list, and a fill of 0', () => {
    expect(() => averageEntry({ contractSide: 'FORWARD', fills: [] })).toThrow(
      new DomainError('fills', '[]', 'must hold at least one fill'),
    );
    for (const [field, fill] of [
      ['quantity', ['0', '1']],
      ['price', ['1', '0']],
    ] as const)
      expect(() => averageEntry({ contractSide: 'REVERSE', fills: [fill] })).toThrow(
        expect.objectContaining({ field, value: '0' }),
      );
  });
});

function expectClose(found: string, expected: Rational): void {
  const apart = over(minus(parse(found), expected), expected);
  const size = apart.n < 0n ? minus(ZERO, apart) : apart;
  if (order(size, rational(5n, 10n ** 20n)) > 0) expect.fail(`${found} is not ${expected.n}/${expected.d}`);
}
