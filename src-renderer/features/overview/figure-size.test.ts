import { describe, expect, it } from 'vitest';
import { emsOf } from './figure-size.ts';

describe('the width of a large figure', () => {
  it('counts digits, marks and sign', () => {
    expect(emsOf('1234.50')).toBeCloseTo(4 * 0.66 + 0.31 + 0.31 + 2 * 0.66);
    expect(emsOf('5', true)).toBeCloseTo(2 * 0.66);
  });
  it('counts decimals beyond four in the smaller font size', () => {
    expect(emsOf('1.12345')).toBeCloseTo(0.66 + (0.31 + 5 * 0.66) * 0.66);
    expect(emsOf('1.1234')).toBeCloseTo(0.66 + 0.31 + 4 * 0.66);
  });
});
