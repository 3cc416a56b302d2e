import { describe, expect, it } from 'vitest';
import { calculated, print } from '../../amount.ts';
import { compareFractions, floorFraction, fraction, printFraction } from './fraction.ts';

const of = (numerator: string, denominator: string) =>
  fraction(calculated(numerator), calculated(denominator));

describe('fractions', () => {
  it('compare where 40 decimals cannot', () => {
    const tail = '0'.repeat(50);
    expect(compareFractions(of('1', '3'), of(`1${tail}`, `3${tail}`))).toBe(0);
    expect(compareFractions(of('1', '3'), of(`1${tail}1`, `3${tail}`))).toBe(-1);
  });

  it('print every digit of a terminating quotient, else 20', () => {
    expect(printFraction(of('1', '8'))).toBe('0.125');
    expect(printFraction(of('123456789012345678901234567890', '1'))).toBe('123456789012345678901234567890');
    expect(printFraction(of('1', '3'))).toBe('0.33333333333333333333');
    expect(printFraction(of('-200000', '3'))).toBe('-66666.666666666666667');
    expect(printFraction(of('1', `3${'0'.repeat(45)}`))).toBe(`0.${'0'.repeat(45)}33333333333333333333`);
  });

  it('are truncated exactly, not from a quotient already rounded at its 40th decimal', () => {
    const nines = '9'.repeat(45);
    expect(print(floorFraction(of(nines, `1${'0'.repeat(45)}`), 0))).toBe('0');
    expect(print(floorFraction(of(nines, `1${'0'.repeat(45)}`), 2))).toBe('0.99');
    expect(print(floorFraction(of('3', '1'), 0))).toBe('3');
    expect(print(floorFraction(of('0', '7'), 3))).toBe('0');
  });
});
