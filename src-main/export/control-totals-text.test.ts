import { expect, it } from 'vitest';
import { DEFAULT_TAX } from '../../src-shared/ipc/default-settings.ts';
import { controlTotalsLines, unnamedIn, unnamedLine } from './control-totals-text.ts';

const FEES = [
  { asset: 'USDT', amount: '0.01' },
  { asset: '', amount: '2' },
];

it('names the fees and profits that are in no sum', () => {
  const profit = { orders: 1, sums: [{ asset: 'USDT', amount: '-2' }], uncovered: 3, open: 4, unread: 2 };
  expect(controlTotalsLines({ trades: 9, fees: FEES, agrees: true, profit, free: 5, unreadFees: 1 })).toEqual(
    [
      'trades: 9',
      'trades without a fee: 5',
      'fees: 0.01 USDT, 2 (coin not given)',
      'trades whose fee, or its coin, is missing or cannot be read, left out: 1',
      'against the archive: agrees',
      'closed PnL: -2 USDT of 1 closing orders',
      'trades whose order is not stored, their closed PnL missing: 3',
      'open orders, left out: 4',
      'orders whose closed PnL, or its coin or fee, is missing or cannot be read, left out: 2',
      'funding: not in these histories',
    ],
  );
});

it('counts no trades without a fee for a layout that does not count them', () => {
  const profit = { orders: 0, sums: [], uncovered: 0, open: 0, unread: 0 };
  expect(
    controlTotalsLines({ trades: 3, fees: FEES, agrees: false, profit, free: 0, unreadFees: 0 }),
  ).toEqual([
    'trades: 3',
    'fees: 0.01 USDT, 2 (coin not given)',
    'against the archive: DIFFERS',
    'closed PnL: none of 0 closing orders',
    'funding: not in these histories',
  ]);
});

it('says why a file has no profit', () => {
  expect(
    controlTotalsLines({ trades: 3, fees: FEES, agrees: true, profit: null, free: 0, unreadFees: 0 }),
  ).toContain('closed PnL: not available, because this filter splits the fills of an order');
});

it('names the coins of a file whose rows rotki skips', () => {
  const profit = {
    ...{ orders: 1, uncovered: 0, open: 0, unread: 0 },
    sums: [
      { asset: 'SHIB', amount: '-2' },
      { asset: 'PEPE', amount: '1' },
    ],
  };
  const totals = { trades: 9, fees: [...FEES, ...profit.sums], agrees: true, profit, free: 0, unreadFees: 0 };
  const query = {
    preset: 'rotki',
    tax: { ...DEFAULT_TAX, rotkiAssets: { PEPE: 'eip155:1/erc20:0x69' } },
  } as const;
  expect(unnamedLine(unnamedIn(totals, query))).toBe(
    '! No identifier for SHIB: rotki skips its rows where several assets have that symbol. Give it by --rotki-asset.',
  );
  expect(unnamedIn({ ...totals, fees: FEES, profit: null }, query)).toEqual([]);
  expect(unnamedIn(totals, { ...query, preset: 'bittytax' })).toEqual([]);
});
