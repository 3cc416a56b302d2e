import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, isPositive, isUnsignedDecimal } from '../../amount.ts';
import { readNumber } from './number-input.ts';

const wrong = (text: string) => {
  const read = readNumber('Price', text);
  if (read.ok) throw new Error(`${text} was accepted`);
  return read;
};

describe('a typed number', () => {
  it.each(['1', '0.5', '97250.0', ' 12 ', '0.000000000000000001'])('accepts %s with its digits', (text) => {
    expect(readNumber('Price', text)).toEqual({ ok: true, text: text.trim() });
  });

  it('distinguishes empty from invalid', () => {
    expect(wrong('  ')).toMatchObject({ empty: true, message: 'Price is missing.' });
    expect(wrong('x').empty).toBe(false);
  });

  it.each([
    ['1,5', '1.5'],
    [',5', '0.5'],
    // A group of thousands does not begin with 0.
    ['0,800', '0.800'],
    ['0,002', '0.002'],
    ['1,234.5', '1234.5'],
    ['1,234,567', '1234567'],
    ['1.234,5', '1234.5'],
    ['1e5', '100000'],
    ['2.5E-3', '0.0025'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['+5', '5'],
    ['1 000', '1000'],
    ["1'000.5", '1000.5'],
  ])('rejects %s and suggests %s', (text, meant) => {
    const read = wrong(text);
    expect(read.instead).toBe(meant);
    expect(read.message).toContain(meant);
    expect(read.message).toContain('Price');
    expect(read.message).toContain(text.slice(0, 10));
  });

  it('suggests nothing if a comma can be read two ways', () => {
    const read = wrong('1,000');
    expect(read.instead).toBeNull();
    expect(read.message).toContain('“1.000”');
    expect(read.message).toContain('“1000”');
  });

  it.each([
    ['0', 'above 0'],
    ['0.00', 'above 0'],
    ['-3', 'above 0'],
    ['−3', 'above 0'],
    ['1e999', 'exponent'],
    ['12abc', 'not a number'],
    ['1.2.3', 'not a number'],
    ['1,2,3', 'comma'],
    [`0.${'1'.repeat(40)}`, '41 digits'],
    ['9'.repeat(40), '40 digits'],
  ])('rejects %s and says why', (text, why) => {
    expect(wrong(text)).toMatchObject({ instead: null });
    expect(wrong(text).message).toContain(why);
  });

  it('never throws, and never accepts or suggests what a request cannot carry', () => {
    const typed = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^[0-9.,eE+\-' ]{0,44}$/),
      fc.double().map(String),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const read = readNumber('Size', text);
        const value = read.ok ? read.text : read.instead;
        if (value === null) return;
        expect(isUnsignedDecimal(value) && isPositive(amount(value))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
