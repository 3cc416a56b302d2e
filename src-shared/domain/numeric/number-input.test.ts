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
    ['12 345 678.90', '12345678.90'],
    // As written in France, in Switzerland, and on a Japanese keyboard.
    ['1 234,5', '1234.5'],
    ['1\u00a0234,567', '1234.567'],
    ['1\u202f234,5', '1234.5'],
    ["1'234,5", '1234.5'],
    ['1’234.50', '1234.50'],
    ['１２．５', '12.5'],
    ['１，５', '1.5'],
    // Invisible marks, copied with a number from text that runs from right to left.
    ['\u200e5.25', '5.25'],
    ['\u202a5.25\u202c', '5.25'],
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
    ['-3%63638.5', 'not a number'],
    ['1.2.3', 'not a number'],
    // Two cells, or a typing error: never one number of all these digits.
    ['12\t34', 'not a number'],
    ['1\t234', 'not a number'],
    ['1 5', 'not a number'],
    ['0 5', 'not a number'],
    ['10 00', 'not a number'],
    ["1'5", 'not a number'],
    ['5²', 'not a number'],
    ['١٢', 'digits 0 to 9'],
    ['1,2,3', 'comma'],
    // Marks in an order that neither way of writing has.
    ['1,5.2', 'comma'],
    ['1.5,2', 'comma'],
    ['1.2345,6', 'comma'],
    ['12,34.5', 'comma'],
    ['1,5x', 'comma'],
    ['1+5', 'not a number'],
    ['x1e5', 'not a number'],
    ['1e5x', 'not a number'],
    [`0.${'1'.repeat(40)}`, '41 digits'],
    ['9'.repeat(40), '40 digits'],
  ])('rejects %s and says why, as typed', (text, why) => {
    expect(wrong(text)).toMatchObject({ instead: null });
    expect(wrong(text).message).toContain(`“${text.slice(0, 23)}`);
    expect(wrong(text).message).toContain(why);
  });

  it.each(['2,5%', '2.12345%', '12345%', '1 %%', '%'])('says that %s is no percentage', (text) => {
    const read = readNumber('Price', text, '65000');
    expect(read).toMatchObject({ ok: false, instead: null });
    expect(read.ok ? '' : read.message).toContain('such as 2.5%');
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
