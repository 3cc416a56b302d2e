import { expect, it } from 'vitest';
import { TAX_PRESETS } from '../../../src-shared/ipc/exports.ts';
import { controlTotalsLines, importText, PRESET_HINTS } from './export-text.ts';

it('names the fees and profits that are in no sum', () => {
  const fees = [{ asset: 'USDT', amount: '0.01' }];
  const profit = { orders: 1, sums: fees, uncovered: 0, open: 0, unread: 2 };
  const sums = { trades: 3, fees, agrees: true, profit, free: 0, unreadFees: 1 };
  expect(controlTotalsLines(sums)).toEqual([
    '3 trades, fees 0.01 USDT: agrees with the archive',
    'Closed PnL of 1 closing order: 0.01 USDT',
    'Closed PnL of 2 orders, or its coin or fee, is missing or cannot be read: not included',
    'Fee of 1 trade, or its coin, is missing or cannot be read: not included',
    'Funding: not included',
  ]);
});

it('writes a loss beside a gain with its own sign', () => {
  const fees = [{ asset: 'USDT', amount: '0.01' }];
  const sums = [
    { asset: 'BTC', amount: '0.002' },
    { asset: 'USDT', amount: '-18.5' },
  ];
  const profit = { orders: 2, sums, uncovered: 0, open: 0, unread: 0 };
  expect(controlTotalsLines({ trades: 3, fees, agrees: true, profit, free: 0, unreadFees: 0 })).toContain(
    'Closed PnL of 2 closing orders: 0.002 BTC, −18.5 USDT',
  );
});

it('does not write the one row of a file as several', () => {
  const progress = {
    id: '1',
    path: '/home/trades.csv',
    rows: 1,
    percent: 50,
    added: 0,
    known: 0,
    quarantined: 0,
    failure: null,
  };
  expect(importText({ ...progress, state: 'storing' })).toBe('Storing trades.csv: 1 row');
});

it('names a coin that the exchange did not give', () => {
  const fees = [{ asset: '', amount: '0.25' }];
  expect(
    controlTotalsLines({ trades: 3, fees, agrees: true, profit: null, free: 0, unreadFees: 0 })[0],
  ).toContain('fees 0.25 (coin not given)');
});

it('says for each tax tool how it imports the file, as its help or source does', () => {
  const ways = {
    koinly: 'Simple template',
    // It reads times in the account's own time zone, which would shift each row.
    cointracking: 'time zone to UTC before the CSV import',
    cointracker: 'eight decimals',
    rotki: 'Custom Import › Import events',
    bittytax: 'not bittytax_conv',
    blockpit: 'manual integration',
    cryptotaxcalculator: 'Advanced Custom CSV',
  };
  for (const preset of TAX_PRESETS) expect(PRESET_HINTS[preset]).toContain(ways[preset]);
});
