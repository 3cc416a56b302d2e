import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absolute,
  add,
  amount,
  AmountError,
  calculated,
  compare,
  compareText,
  decimalsOf,
  divide,
  equal,
  greater,
  greaterOrEqual,
  isNegative,
  isPositive,
  isZero,
  less,
  lessOrEqual,
  plainDecimal,
  isDecimal,
  isUnsignedDecimal,
  larger,
  multiply,
  negate,
  print,
  printFixed,
  round,
  sendable,
  type Rounding,
  signOf,
  significant,
  smaller,
  subtract,
  sum,
  toPixels,
  ZERO,
} from './amount.ts';

/** A decimal generated as digits and a scale, so that its value is known without parsing. */
interface Drawn {
  digits: bigint;
  scale: number;
  text: string;
}

function textOf(digits: bigint, scale: number): string {
  const unsigned = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const text = scale === 0 ? unsigned : `${unsigned.slice(0, -scale)}.${unsigned.slice(-scale)}`;
  return digits < 0n ? `-${text}` : text;
}

/** The most digits before and after the point that calculations accept. */
const MAX_DIGITS = 40;

const drawn: fc.Arbitrary<Drawn> = fc.integer({ min: 0, max: MAX_DIGITS }).chain((scale) => {
  const most = 10n ** BigInt(MAX_DIGITS + scale) - 1n;
  const small = fc.bigInt({ min: -1000n, max: 1000n });
  return fc
    .oneof(fc.bigInt({ min: -most, max: most }), small)
    .map((digits) => ({ digits, scale, text: textOf(digits, scale) }));
});

/** The same value without trailing zeros, as `print` gives it. */
const bare = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const SCALE = 40;
const lifted = ({ digits, scale }: Drawn): bigint => digits * 10n ** BigInt(SCALE - scale);

describe('parse and print', () => {
  it('keeps every digit', () => {
    fc.assert(
      fc.property(drawn, ({ text, digits }) => {
        expect(isDecimal(text)).toBe(true);
        const [whole = '', fraction = ''] = text.split('.');
        expect(isUnsignedDecimal(text)).toBe(digits >= 0n && whole.length <= 24 && fraction.length <= 18);
        expect(print(amount(text))).toBe(bare(text));
        expect(print(calculated(text))).toBe(bare(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('never prints an exponent or a signed zero', () => {
    expect(print(amount('0.000000000000000001'))).toBe('0.000000000000000001');
    expect(print(multiply(amount('0.000000000000000001'), amount('0.000000000000000001')))).toBe(
      `0.${'0'.repeat(35)}1`,
    );
    expect(print(amount('999999999999999999999999'))).toBe('999999999999999999999999');
    expect(print(negate(ZERO))).toBe('0');
    expect(print(amount('-0'))).toBe('0');
    expect(print(multiply(amount('-1'), ZERO))).toBe('0');
    expect(printFixed(amount('-0.004'), 2)).toBe('0.00');
    expect(printFixed(amount('-0.4'), 0)).toBe('0');
    expect(printFixed(amount('-0.005'), 2)).toBe('-0.01');
    expect(printFixed(amount('1.5'), 4)).toBe('1.5000');
    fc.assert(
      fc.property(drawn, drawn, (a, b) => {
        for (const result of [add, subtract, multiply].map((of) => of(amount(a.text), amount(b.text)))) {
          expect(print(result)).toMatch(/^(?!-0$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
        }
      }),
    );
  });

  it.each([
    '',
    ' ',
    '1 ',
    ' 1',
    '+1',
    '1,5',
    '1e3',
    '1E-8',
    '.5',
    '5.',
    '01',
    '-',
    '--1',
    '0x10',
    'NaN',
    'Infinity',
    '1_000',
    '1n',
    '١',
    '1\n',
    `1${'0'.repeat(40)}`,
    `0.${'0'.repeat(40)}1`,
    '1.2.3',
    '−1',
  ])('refuses %j', (text) => {
    expect(isDecimal(text)).toBe(false);
    expect(isUnsignedDecimal(text)).toBe(false);
    expect(() => amount(text)).toThrow(AmountError);
  });

  it('names what it refused, cut at 60 characters', () => {
    const long = `1,${'0'.repeat(70)}`;
    for (const parse of [amount, calculated, signOf]) {
      expect(() => parse('1,5')).toThrow(new AmountError('not a plain decimal: 1,5'));
      expect(() => parse(long)).toThrow(new AmountError(`not a plain decimal: ${long.slice(0, 60)}`));
    }
    expect(new AmountError('').name).toBe('AmountError');
  });

  it.each([
    ['0', 0],
    ['-0', 0],
    ['0.000', 0],
    ['-0.00', 0],
    ['0.001', 1],
    ['-0.001', -1],
    ['10', 1],
    ['-900', -1],
    [`0.${'0'.repeat(199)}1`, 1],
  ])('the sign of %s is %i', (text, sign) => {
    expect(signOf(text)).toBe(sign);
  });

  it('parses its own long results, up to 200 digits', () => {
    const third = print(divide(amount('1'), amount('3')));
    expect(third).toBe(`0.${'3'.repeat(40)}`);
    const ninth = print(multiply(amount(third), amount(third)));
    expect(() => amount(ninth)).toThrow(AmountError);
    expect(print(calculated(ninth))).toBe(ninth);
    expect(print(calculated(third))).toBe(third);
    for (const text of [`0.${'1'.repeat(201)}`, '1'.repeat(201), '1e5', '+1', '', '1\n']) {
      expect(() => calculated(text)).toThrow(AmountError);
    }
  });
});

describe('arithmetic', () => {
  it('agrees with integers at a common scale', () => {
    fc.assert(
      fc.property(drawn, drawn, (a, b) => {
        const [x, y] = [amount(a.text), amount(b.text)];
        expect(print(add(x, y))).toBe(bare(textOf(lifted(a) + lifted(b), SCALE)));
        expect(print(subtract(x, y))).toBe(bare(textOf(lifted(a) - lifted(b), SCALE)));
        expect(print(multiply(x, y))).toBe(bare(textOf(a.digits * b.digits, a.scale + b.scale)));
        const order = lifted(a) < lifted(b) ? -1 : lifted(a) > lifted(b) ? 1 : 0;
        expect(compare(x, y)).toBe(order);
        expect(compareText(a.text, b.text)).toBe(order);
        expect([less, lessOrEqual, equal, greaterOrEqual, greater].map((is) => is(x, y))).toEqual([
          order < 0,
          order <= 0,
          order === 0,
          order >= 0,
          order > 0,
        ]);
        expect([smaller(x, y), larger(x, y)].map(print)).toEqual(
          [order > 0 ? y : x, order > 0 ? x : y].map(print),
        );
        expect(print(absolute(x))).toBe(print(a.digits < 0n ? negate(x) : x));
      }),
      { numRuns: 500 },
    );
  });

  it('compares equal values written differently, and tells the sign', () => {
    const [short, long, below] = [amount('1.5'), amount('1.500'), amount('-1.5')];
    expect(equal(short, long) && lessOrEqual(short, long) && greaterOrEqual(short, long)).toBe(true);
    expect(less(short, long) || greater(short, long)).toBe(false);
    expect([below, ZERO, long].map(isNegative)).toEqual([true, false, false]);
    expect([below, ZERO, long].map(isZero)).toEqual([false, true, false]);
    expect([below, ZERO, long].map(isPositive)).toEqual([false, false, true]);
  });

  it('sums an empty list to 0, and tenths without a float error', () => {
    expect(print(sum([]))).toBe('0');
    expect(print(sum(['0.1', '0.2', '-0.3'].map(amount)))).toBe('0');
  });

  it('divides to 40 decimals, rounding half up', () => {
    fc.assert(
      fc.property(drawn, drawn, (a, b) => {
        fc.pre(b.digits !== 0n);
        const dividend = a.digits * 10n ** BigInt(b.scale + SCALE);
        const divisor = b.digits * 10n ** BigInt(a.scale);
        const [over, under] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
        const rounded = (over * 2n + under) / (under * 2n);
        const signed = dividend < 0n === divisor < 0n ? rounded : -rounded;
        expect(print(divide(amount(a.text), amount(b.text)))).toBe(bare(textOf(signed, SCALE)));
      }),
      { numRuns: 500 },
    );
    expect(() => divide(amount('1'), ZERO)).toThrow(new AmountError('division by zero'));
    // More decimals than the quotient keeps.
    expect(print(divide(calculated(`0.${'6'.repeat(100)}`), amount('1')))).toBe(`0.${'6'.repeat(39)}7`);
  });
});

describe('rounding', () => {
  /** −1.5, −1.2, 1.2, 1.5, 1.8, 2.5 to whole numbers. */
  const expected: Record<Rounding, string[]> = {
    down: ['-1', '-1', '1', '1', '1', '2'],
    up: ['-2', '-2', '2', '2', '2', '3'],
    'half-up': ['-2', '-1', '1', '2', '2', '3'],
    'half-even': ['-2', '-1', '1', '2', '2', '2'],
    floor: ['-2', '-2', '1', '1', '1', '2'],
    ceil: ['-1', '-1', '2', '2', '2', '3'],
  };
  const roundings = Object.keys(expected) as Rounding[];

  it.each(roundings)('%s', (rounding) => {
    const values = ['-1.5', '-1.2', '1.2', '1.5', '1.8', '2.5'].map(amount);
    expect(values.map((value) => print(round(value, 0, rounding)))).toEqual(expected[rounding]);
    expect(printFixed(amount('-0.015'), 2, rounding)).toBe(
      ['up', 'half-up', 'half-even', 'floor'].includes(rounding) ? '-0.02' : '-0.01',
    );
  });

  it('stays within one unit, on the side of its mode, and leaves exact values unchanged', () => {
    fc.assert(
      fc.property(
        drawn,
        fc.integer({ min: 0, max: 18 }),
        fc.constantFrom(...roundings),
        (one, digits, way) => {
          const value = amount(one.text);
          const result = round(value, digits, way);
          const unit = amount(textOf(1n, digits));
          expect(compare(absolute(subtract(result, value)), unit)).toBe(-1);
          expect(decimalsOf(print(result))).toBeLessThanOrEqual(digits);
          if (way === 'floor') expect(compare(result, value)).toBeLessThanOrEqual(0);
          if (way === 'ceil') expect(compare(result, value)).toBeGreaterThanOrEqual(0);
          if (way === 'down') expect(compare(absolute(result), absolute(value))).toBeLessThanOrEqual(0);
          if (way === 'up') expect(compare(absolute(result), absolute(value))).toBeGreaterThanOrEqual(0);
          if (one.scale <= digits) expect(print(result)).toBe(print(value));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('rounds to significant digits', () => {
    expect(print(significant(amount('123.456'), 4))).toBe('123.5');
    expect(print(significant(amount('0.00012345'), 4))).toBe('0.0001235');
    expect(print(significant(amount('-98765'), 2))).toBe('-99000');
    expect(print(significant(amount('1'), 20))).toBe('1');
  });
});

describe('plainDecimal', () => {
  it.each([
    ['1.0E7', '10000000'],
    ['1e-8', '0.00000001'],
    ['-2.50e+1', '-25'],
    ['0e5', '0'],
    ['-0E0', '0'],
    ['1.250', '1.250'],
    ['123', '123'],
    ['9.99E23', '999000000000000000000000'],
    ['0E-8', '0'],
    ['0.00000000', '0.00000000'],
    ['1.5E-7', '0.00000015'],
    ['1e39', `1${'0'.repeat(39)}`],
    ['1e-40', `0.${'0'.repeat(39)}1`],
    [`1.5${'0'.repeat(59)}`, '1.5'],
    [`${'0'.repeat(60)}7.25`, '7.25'],
    ['+1e5', '100000'],
    ['.5', '0.5'],
    ['1.', '1'],
    ['0e9999', '0'],
  ])('%s is %s', (literal, text) => {
    expect(plainDecimal(literal)).toBe(text);
  });

  it.each([
    '1e40',
    '1e-41',
    '1.5e-40',
    `1${'0'.repeat(59)}`,
    `0.${'1'.repeat(60)}`,
    '1e99',
    '1e100',
    '1e30000000',
    '1e+999',
    'e5',
    '1e',
    '.',
    '-',
    '--1',
    '1e5 ',
    '1,5',
    '',
    'null',
    '"1"',
  ])('refuses %j', (literal) => {
    expect(plainDecimal(literal)).toBeNull();
  });

  it('is exact within the limits and never prints an exponent', () => {
    fc.assert(
      fc.property(drawn, fc.integer({ min: -60, max: 60 }), ({ text, digits, scale }, exponent) => {
        const found = plainDecimal(`${text}e${String(exponent)}`);
        const shift = exponent - scale;
        const exact = shift >= 0 ? textOf(digits * 10n ** BigInt(shift), 0) : textOf(digits, -shift);
        const expected = bare(exact);
        const wanted = /^-?0$/.test(expected) ? '0' : expected;
        expect(found).toBe(isDecimal(wanted) ? wanted : null);
      }),
      { numRuns: 500 },
    );
  });

  it('takes a long text in one go, as a reply may have one', () => {
    const zeros = '0'.repeat(1_000_000);
    expect(plainDecimal(`0.1${zeros}1`)).toBeNull();
    expect(plainDecimal(`0.1${zeros}`)).toBe('0.1');
  });
});

describe('sendable', () => {
  it.each([
    ['0.00150000000000000000000', '0.0015'],
    ['100', '100'],
    ['1.0', '1.0'],
    [`7.${'0'.repeat(40)}`, '7'],
    ['0', '0'],
    [`1${'0'.repeat(24)}`, null],
    [`0.${'0'.repeat(18)}1`, null],
    ['-1', null],
  ])('%s is sent as %s', (text, sent) => {
    expect(sendable(text)).toBe(sent);
  });
});

describe('decimalsOf and toPixels', () => {
  it('counts decimals as written, trailing zeros included', () => {
    expect(['1.250', '1', '0.00000001', '-3.1'].map(decimalsOf)).toEqual([3, 0, 8, 1]);
  });

  it('returns the nearest float', () => {
    expect(toPixels(amount('0.1'))).toBe(0.1);
    expect(toPixels(amount('-1234.5'))).toBe(-1234.5);
  });
});
