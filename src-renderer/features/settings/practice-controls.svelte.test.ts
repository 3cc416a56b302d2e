import { describe, expect, it } from 'vitest';
import { priceFactor } from './practice-controls.svelte.ts';

describe('the price factor for a move in percent', () => {
  it.each([
    ['-10', '0.9'],
    ['−10', '0.9'],
    ['+5', '1.05'],
    ['2.5', '1.025'],
    ['-100', null],
    ['-250', null],
    ['1e2', null],
    ['', null],
    ['ten', null],
  ])('%s: %s', (percent, share) => {
    expect(priceFactor(percent)).toBe(share);
  });
});
