import { expect, it } from 'vitest';
import { INVERSE, LINEAR } from '../../../tests/domain/order-samples.ts';
import { coinsOf } from './currencies.ts';

it.each([
  ['BTC-USDT-M', 'BTC', 'USDT'],
  ['BTC币-USDT_1-M', 'BTC币', 'USDT_1'],
  // A base with a hyphen, and ids of another shape.
  ['BTC-PERP-USDT-M', 'BTC-PERP', 'USDT'],
  ['BTC-USDT', 'BTC', 'USDT'],
  ['BTCUSDT', 'BTCUSDT', ''],
])('reads base and quote of %s', (symbolId, base, quote) => {
  expect(coinsOf({ ...LINEAR, symbolId })).toEqual({ base, quote, margin: quote, quantity: base });
  expect(coinsOf({ ...INVERSE, symbolId })).toEqual({ base, quote, margin: base, quantity: quote });
});

it.each(['BTC1225-USDT-M', 'BTC261225-USDT-M', 'BTC-1225-USDT-M', 'BTC-20261225-USDT-M'])(
  'leaves the date of %s out of the coin',
  (symbolId) => {
    expect(coinsOf({ ...LINEAR, symbolId, contractType: 'DELIVERY' })).toMatchObject({
      base: 'BTC',
      quote: 'USDT',
    });
  },
);

it('takes the digits of a perpetual contract’s name for part of the coin', () => {
  expect(coinsOf({ ...LINEAR, symbolId: 'CAT1000-USDT-M' }).base).toBe('CAT1000');
});
