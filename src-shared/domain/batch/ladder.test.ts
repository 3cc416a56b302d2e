import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  amount,
  calculated,
  isNegative,
  less,
  lessOrEqual,
  multiply,
  print,
  sum,
} from '../../amount.ts';
import { type Ladder, type LadderInput, ladderOf } from './ladder.ts';

const INPUT: LadderInput = {
  contractSide: 'FORWARD',
  count: '8',
  from: '3240.00',
  to: '3170.00',
  total: '48.00',
  spacing: 'even',
  sizes: 'linear',
  ratio: '1.5',
  parts: '',
  priceDecimals: 2,
  quantityDecimals: 2,
  percentOf: '3300.00',
};
const made = (changes: Partial<LadderInput> = {}): Ladder => {
  const result = ladderOf({ ...INPUT, ...changes });
  if (!result.ok) throw new Error(result.faults.map((one) => one.message).join(' '));
  return result.ladder;
};
const faultOf = (changes: Partial<LadderInput>): string => {
  const result = ladderOf({ ...INPUT, ...changes });
  return result.ok ? '' : (result.faults[0]?.message ?? '');
};
const prices = (ladder: Ladder): string[] => ladder.rows.map((row) => row.price);
const sizes = (ladder: Ladder): string[] => ladder.rows.map((row) => row.quantity);

describe('a ladder', () => {
  it('spaces prices evenly, rounds linear sizes down and states the remainder', () => {
    const ladder = made();
    expect(prices(ladder)).toEqual([
      '3240.00',
      '3230.00',
      '3220.00',
      '3210.00',
      '3200.00',
      '3190.00',
      '3180.00',
      '3170.00',
    ]);
    expect(sizes(ladder)).toEqual(['1.33', '2.66', '4.00', '5.33', '6.66', '8.00', '9.33', '10.66']);
    expect(ladder.remainder).toBe('0.03');
    expect(ladder.average?.startsWith('3193.3')).toBe(true);
    expect(ladder.repeated).toEqual([]);
  });

  it('states the remainder as a share of the total, or adds it to the last row', () => {
    const rounded = { count: '10', sizes: 'flat', quantityDecimals: 0 } as const;
    expect(made({ ...rounded, total: '19' })).toMatchObject({ remainder: '9', remainderPercent: '47.4' });
    const all = made({ ...rounded, total: '19', remainder: 'last' });
    expect(sizes(all)).toEqual([...Array.from({ length: 9 }, () => '1'), '10']);
    expect([all.remainder, all.remainderPercent]).toEqual(['0', '0.0']);
    // A remainder finer than the contract's step fits no row.
    expect(made({ ...rounded, total: '10.5', remainder: 'last' })).toMatchObject({ remainder: '0.5' });
  });

  it('splits into flat, geometric and custom sizes', () => {
    expect(sizes(made({ sizes: 'flat', count: '3', total: '1' }))).toEqual(['0.33', '0.33', '0.33']);
    expect(sizes(made({ sizes: 'geometric', ratio: '2', count: '4', total: '15' }))).toEqual([
      '1.00',
      '2.00',
      '4.00',
      '8.00',
    ]);
    expect(sizes(made({ sizes: 'custom', parts: '1 1; 2', count: '3', total: '8' }))).toEqual([
      '2.00',
      '2.00',
      '4.00',
    ]);
  });

  it('spaces by percent and hits prices that are exact, in both directions', () => {
    expect(prices(made({ spacing: 'percent', count: '3', from: '100', to: '400' }))).toEqual([
      '100.00',
      '200.00',
      '400.00',
    ]);
    expect(prices(made({ spacing: 'percent', count: '4', from: '800', to: '100' }))).toEqual([
      '800.00',
      '400.00',
      '200.00',
      '100.00',
    ]);
    // 0.1 × 1.5² = 0.225: a tie at two decimals, rounded half up.
    expect(prices(made({ spacing: 'percent', count: '5', from: '0.1', to: '0.50625' }))[2]).toBe('0.23');
  });

  it('names prices that coincide after rounding, and sizes that round to 0', () => {
    const ladder = made({
      from: '1.00',
      to: '1.02',
      count: '5',
      total: '0.05',
      sizes: 'geometric',
      ratio: '10',
    });
    expect(ladder.repeated).toEqual(['1.01', '1.02']);
    expect(ladder.empty).toEqual([1, 2, 3, 4]);
  });

  it('uses the typed decimals while the specs are unknown', () => {
    const ladder = made({
      priceDecimals: null,
      quantityDecimals: null,
      from: '10.5',
      to: '11',
      count: '2',
      total: '3',
    });
    expect([ladder.priceDecimals, ladder.quantityDecimals]).toEqual([1, 0]);
    expect(ladder.rows).toEqual([
      { price: '10.5', quantity: '1' },
      { price: '11.0', quantity: '2' },
    ]);
  });

  it('of one order has all of it at the first price', () => {
    for (const to of ['3170.00', '3240.00'])
      for (const spacing of ['even', 'percent'] as const)
        expect(made({ count: ' 1 ', to, spacing, total: '48.009' })).toMatchObject({
          rows: [{ price: '3240.00', quantity: '48.00' }],
          remainder: '0.009',
        });
  });

  it('has no average where no size is above 0', () => {
    const ladder = made({ count: '3', sizes: 'flat', total: '0.02' });
    expect(ladder).toMatchObject({ average: null, empty: [1, 2, 3], remainderPercent: '100.0' });
  });

  it('has 200 orders at most, and a ratio from 0.1 to 10 with 4 decimals', () => {
    expect(made({ count: '200' }).rows).toHaveLength(200);
    for (const ratio of ['0.1', '10', '1.2345'])
      expect(made({ sizes: 'geometric', ratio, count: '3' }).rows).toHaveLength(3);
    for (const ratio of ['0.0999', '10.0001', '1.23456'])
      expect(faultOf({ sizes: 'geometric', ratio })).toBe(
        `Ratio ${ratio}: from 0.1 to 10, with at most 4 decimals.`,
      );
    for (const count of ['1.5', '-1', '1000', 'x1'])
      expect(faultOf({ count })).toBe(`Orders “${count}”: a whole number from 1 to 200.`);
  });

  it('says of each field whether it is empty or wrong, and of all at once', () => {
    const faults = (changes: Partial<LadderInput>) => {
      const result = ladderOf({ ...INPUT, ...changes });
      return result.ok ? [] : result.faults.map(({ field, missing }) => [field, missing]);
    };
    expect(faults({ count: '', from: '', to: 'x', total: '', sizes: 'geometric', ratio: '' })).toEqual([
      ['from', true],
      ['to', false],
      ['total', true],
      ['count', true],
    ]);
    expect(faults({ from: '', to: '' })).toEqual([
      ['from', true],
      ['to', true],
    ]);
    expect(faults({ count: '0' })).toEqual([['count', false]]);
    expect(faults({ to: '3240.00' })).toEqual([['to', false]]);
    expect(faults({ sizes: 'geometric', ratio: '' })).toEqual([['ratio', true]]);
    expect(faults({ sizes: 'geometric', ratio: '11' })).toEqual([['ratio', false]]);
    expect(faults({ sizes: 'custom', parts: ' ; ' })).toEqual([['parts', true]]);
    expect(faults({ sizes: 'custom', parts: '1' })).toEqual([['parts', false]]);
    expect(faults({ sizes: 'custom', count: '2', parts: '1 x' })).toEqual([['parts', false]]);
    expect(faults({ from: '0.001', to: '0.004' })).toEqual([['from', false]]);
    expect(faultOf({ sizes: 'custom', parts: '' })).toBe('Enter 8 weights, such as 1 2 4.');
    expect(faultOf({ count: '' })).toBe('Orders is missing.');
    expect(faultOf({ count: 'x'.repeat(40) })).toContain(`Orders “${'x'.repeat(12)}”`);
  });

  it('says why a percentage is no price, and that a size takes none', () => {
    for (const field of ['from', 'to'] as const)
      expect(faultOf({ [field]: '100%', percentOf: null })).toContain('no price is known to measure it from');
    expect(faultOf({ to: '100%' })).toContain('gives no price above 0');
    expect(faultOf({ total: '5%' })).toContain('is not a number');
  });

  it('names each invalid field', () => {
    expect(faultOf({ count: '0' })).toBe('Orders “0”: a whole number from 1 to 200.');
    expect(faultOf({ count: '201' })).toContain('from 1 to 200');
    expect(faultOf({ to: '3240.00' })).toContain('All 8 orders would be at 3240.00');
    expect(faultOf({ from: '32,40' })).toContain('comma');
    expect(faultOf({ from: '100%' })).toContain('gives no price above 0');
    expect(faultOf({ sizes: 'custom', parts: '1 2' })).toContain('2 weights for 8 orders');
    expect(faultOf({ sizes: 'custom', parts: '1' })).toContain('1 weight for 8 orders');
    expect(faultOf({ sizes: 'geometric', ratio: '11' })).toContain('from 0.1 to 10');
    expect(faultOf({ from: '0.001', to: '0.004' })).toContain('rounds to 0');
  });

  const decimal = (whole: number, digits: number) =>
    fc
      .tuple(fc.integer({ min: 1, max: whole }), fc.integer({ min: 0, max: 10 ** digits - 1 }))
      .map(([head, tail]) => `${head}.${String(tail).padStart(digits, '0')}`);
  const input = fc.record({
    contractSide: fc.constantFrom('FORWARD', 'REVERSE'),
    count: fc.integer({ min: 2, max: 40 }).map(String),
    from: decimal(200_000, 3),
    to: decimal(200_000, 3),
    total: decimal(10_000, 5),
    spacing: fc.constantFrom('even', 'percent'),
    sizes: fc.constantFrom('flat', 'linear', 'geometric'),
    ratio: fc.constantFrom('0.5', '1', '1.3333', '2'),
    parts: fc.constant(''),
    priceDecimals: fc.integer({ min: 0, max: 5 }),
    quantityDecimals: fc.integer({ min: 0, max: 6 }),
    percentOf: fc.constant(null),
  }) satisfies fc.Arbitrary<LadderInput>;

  it('adds rows and remainder up to the total, each row less than a step below its share, prices in order', () => {
    fc.assert(
      fc.property(input, (one) => {
        const result = ladderOf(one);
        if (!result.ok) return one.from === one.to;
        const { rows, remainder, quantityDecimals } = result.ladder;
        const all = sum(rows.map((row) => amount(row.quantity)));
        expect(print(add(all, amount(remainder)))).toBe(print(amount(one.total)));
        expect(isNegative(amount(remainder))).toBe(false);
        const step = quantityDecimals === 0 ? '1' : `0.${'0'.repeat(quantityDecimals - 1)}1`;
        expect(less(amount(remainder), multiply(amount(step), amount(String(rows.length))))).toBe(true);
        const sorted = less(amount(one.from), amount(one.to)) ? rows : [...rows].reverse();
        for (const [index, row] of sorted.entries()) {
          const next = sorted[index + 1];
          if (next) expect(lessOrEqual(amount(row.price), amount(next.price))).toBe(true);
        }
        return true;
      }),
      { numRuns: 100 },
    );
  });

  /** round(10^digits × (from^(n−i) × to^i)^(1/n)), half up, in integers only. */
  function exactRoot(from: string, to: string, steps: number, index: number, digits: number): bigint {
    const scaled = (text: string): bigint => BigInt(text.replace('.', '')); // three decimals each
    const value = scaled(from) ** BigInt(steps - index) * scaled(to) ** BigInt(index);
    // Twice the price in units of its last digit, floored: ⌊2 × 10^digits × root / 1000⌋.
    const top = value * 2n ** BigInt(steps) * 10n ** BigInt(digits * steps);
    const bottom = 1000n ** BigInt(steps);
    let [low, high] = [0n, 10n ** 20n];
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (middle ** BigInt(steps) * bottom <= top) low = middle;
      else high = middle - 1n;
    }
    return (low + 1n) / 2n;
  }

  it('finds any ratio of percent prices, however far a half-typed price is', () => {
    // 200 prices over 16 powers of ten: each is 10^(16 / 199) times the one before.
    const far = prices(
      made({ from: '0.00000001', to: '100000000', count: '200', spacing: 'percent', priceDecimals: 12 }),
    );
    expect([far[1], far[100], far[198]]).toEqual([
      '0.000000012034',
      '1.096985797892',
      '83099419.493533934284',
    ]);
  });

  it('rounds percent prices half up from the exact root', () => {
    fc.assert(
      fc.property(
        decimal(200_000, 3),
        decimal(200_000, 3),
        fc.integer({ min: 2, max: 12 }),
        (from, to, count) => {
          fc.pre(from !== to);
          const ladder = made({ from, to, count: String(count), spacing: 'percent', priceDecimals: 3 });
          for (const [index, row] of ladder.rows.entries()) {
            expect(BigInt(row.price.replace('.', ''))).toBe(exactRoot(from, to, count - 1, index, 3));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('weights the average of an inverse ladder by value', () => {
    const ladder = made({
      contractSide: 'REVERSE',
      count: '2',
      sizes: 'flat',
      from: '100',
      to: '200',
      total: '200',
    });
    // 100/100 + 100/200 = 1.5 coins for 200 units.
    expect(calculated(ladder.average ?? '0').toFixed(4)).toBe('133.3333');
  });
});
