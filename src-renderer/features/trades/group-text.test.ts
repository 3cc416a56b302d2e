import { expect, it } from 'vitest';
import type { GroupProfit } from '../../../src-shared/ipc/trade-groups.ts';
import { averagePrice, netOf, sumTitle } from './group-text.ts';
import { volumeByQuote } from './sum-text.ts';

const profit = (value: string | null): GroupProfit => ({
  ...{ value, orders: 1, missing: 0, unsettled: 0, unread: 0, hedge: false },
});
const fees = [
  { asset: 'USDT', amount: '2.40' },
  { asset: 'BTC', amount: '0.0001' },
];

it('subtracts the fees in the same coin from closed PnL, and says so', () => {
  expect(netOf({ profit: profit('4.05'), fees }, 'USDT')).toBe('1.65');
  expect(sumTitle({ profit: profit('4.05'), fees }, 'USDT')).toBe(
    'closed PnL 4.05, fees -2.40: net 1.65 USDT, without funding',
  );
  expect(netOf({ profit: profit('4.05'), fees: [] }, 'USDT')).toBe('4.05');
});
it('shows no net figure if the PnL or its coin is unknown', () => {
  expect(netOf({ profit: profit(null), fees }, 'USDT')).toBeNull();
  expect(netOf({ profit: profit('1'), fees }, undefined)).toBeNull();
  expect(sumTitle({ profit: profit(null), fees }, 'USDT')).toBeUndefined();
});

it('adds the volume of contracts with one quote coin, whatever their margin coin', () => {
  expect(
    volumeByQuote([
      { quote: 'USDT', volume: '84427.24' },
      { quote: 'USD', volume: '27200' },
      { quote: 'USD', volume: '9660' },
      { quote: null, volume: '1' },
    ]),
  ).toEqual([
    { quote: 'USDT', volume: '84427.24' },
    { quote: 'USD', volume: '36860' },
    { quote: null, volume: '1' },
  ]);
});

it('prints an average price with the contract’s decimals', () => {
  expect(averagePrice('6000', '0.1', 1)).toBe('60000.0');
  expect(averagePrice('6000', '0', 1)).toBeNull();
});
it('keeps the digits of an average that begins after many zeros', () => {
  expect(averagePrice('0.000012345', '1000', 12)).toBe('0.000000012345');
  expect(averagePrice('0.000012345', '1000', null)).toBe('0.000000012345');
});
it('leaves out the digits of an average that rounded base quantities do not support', () => {
  // One trade of 500 at 57,720.2 and one of 100 at 60,996.0, their base quantities rounded down at 1e-8.
  expect(averagePrice('500', '0.00866247', 1, 1)).toBe('57720');
  expect(averagePrice('100', '0.00163945', 1, 1)).toBe('60996');
  expect(averagePrice('1600', '0.02669068', 1, 1)).toBe('59946.0');
  // 1 at 60,000.0: 0.00001666 says no more than this.
  expect(averagePrice('1', '0.00001666', 1, 1)).toBe('60000');
});
