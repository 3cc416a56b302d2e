import { expect, it } from 'vitest';
import { distancePercent, priceAtPercent } from './price-deviation.ts';

const MARK = { from: '65104.5', sign: '-', decimals: 1 } as const;

it('is signed, and exact', () => {
  expect(distancePercent('63802.41', '65104.5')).toBe('-2');
  expect(distancePercent('130209', '65104.5')).toBe('100');
});

it.each([
  ['2%', '63802.4'],
  ['-2%', '63802.4'],
  ['−2%', '63802.4'],
  ['+2%', '66406.6'],
  [' 0.5 % ', '64779.0'],
  ['0%', '65104.5'],
  ['99.9999%', '0.1'],
  ['100%', null],
  ['250%', null],
  ['+250%', '227865.8'],
  ['2', null],
  ['%', null],
  ['2,5%', null],
  ['1e2%', null],
  ['--2%', null],
  ['2%%', null],
  ['12345%', null],
  ['', null],
])('the price of %j below 65104.5 is %j', (text, price) => {
  expect(priceAtPercent(text, MARK)).toBe(price);
});

it('takes the direction its field is for when there is no sign, and the decimals of the price it starts from', () => {
  expect(priceAtPercent('5%', { from: '144.46', sign: '+', decimals: null })).toBe('151.68');
  expect(priceAtPercent('5%', { from: '144.46', sign: '-', decimals: null })).toBe('137.24');
  expect(priceAtPercent('-5%', { from: '144.46', sign: '+', decimals: 0 })).toBe('137');
});
