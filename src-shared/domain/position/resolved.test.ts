import { expect, it } from 'vitest';
import { knownPosition } from './resolved.ts';
import { LINEAR, position, SPECS } from '../../../tests/domain/order-samples.ts';

/** The entry price of 1,000 units, by decimals of the contract's prices. */
function entryOf(avgEntryPrice: string, entryValue: string, priceDecimals: number | null): string {
  const known = knownPosition(position({ quantity: '1000', avgEntryPrice, entryValue }), {
    contractOf: () => LINEAR,
    specs: () => ({ ...SPECS, priceDecimals }),
    closingFee: true,
  });
  return typeof known === 'string' ? known : known.entryPrice;
}

it('takes the entry with the digits of the entry value', () => {
  expect(entryOf('0.2346', '234.5678', 4)).toBe('0.2345678');
  expect(entryOf('0.2346', '234.5678', null)).toBe('0.2345678');
});

it('takes no value at the mark for the entry value where zeros of the average are left out', () => {
  expect(entryOf('0.2', '250', 4)).toBe('0.2');
  expect(entryOf('2', '2900', 4)).toBe('2');
  expect(entryOf('0.2', '200', 4)).toBe('0.2');
});

it('follows the decimals of prices once they are known', () => {
  const one = position({ quantity: '1000', avgEntryPrice: '0.2', entryValue: '250' });
  const entry = (priceDecimals: number | null) =>
    knownPosition(one, {
      contractOf: () => LINEAR,
      specs: () => ({ ...SPECS, priceDecimals }),
      closingFee: true,
    });
  expect(entry(null)).toMatchObject({ entryPrice: '0.25' });
  expect(entry(4)).toMatchObject({ entryPrice: '0.2' });
});

it('follows every spec it was resolved by', () => {
  const one = position({ quantity: '4', entryValue: '0' });
  const known = (changes: Partial<typeof SPECS>, closingFee = true) =>
    knownPosition(one, { contractOf: () => LINEAR, specs: () => ({ ...SPECS, ...changes }), closingFee });
  expect(known({})).toMatchObject({ quantity: '4', feeRate: '0.0005' });
  expect(known({ multiplier: '10' })).toMatchObject({ quantity: '40', feeRate: '0.0005' });
  expect(known({ multiplier: '10' }, false)).toMatchObject({ quantity: '40', feeRate: '0' });
  expect(known({})).toMatchObject({ quantity: '4', feeRate: '0.0005' });
  expect(known({ feeRateTaker: null })).toMatchObject({ quantity: '4', feeRate: '0' });
});
