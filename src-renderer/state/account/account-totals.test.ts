import { expect, it } from 'vitest';
import type { AccountInfo } from '../../../src-shared/exchange-api/account.ts';
import { account as accountOf, asset } from '../../../tests/domain/order-samples.ts';
import { totalsMoney, totalsUnit } from './account-totals.ts';

const QUOTES = new Set(['USDT']);
const account = (totalEquities: string | null, ...assets: [coin: string, equities: string][]): AccountInfo =>
  ({
    totalEquities,
    assets: assets.map(([coin, equities]) => ({ coin, equities })),
  }) as unknown as AccountInfo;

it('cuts totals without a unit like the quote coin they include', () => {
  const two = account('148376.88612574', ['BTC', '0.5'], ['USDT', '99952.62']);
  expect(totalsMoney(undefined, two, QUOTES)).toBe('USDT');
  expect(totalsMoney('BTC', two, QUOTES)).toBe('BTC');
});

it('leaves totals whole that may be in a coin of a higher price', () => {
  expect(
    totalsMoney(undefined, account('2.0049', ['BTC', '0.5'], ['USDT', '99952.62']), QUOTES),
  ).toBeUndefined();
  expect(totalsMoney(undefined, account('0.5', ['BTC', '0.2'], ['ETH', '4']), QUOTES)).toBeUndefined();
  expect(totalsMoney(undefined, account(null, ['USDT', '1']), QUOTES)).toBeUndefined();
  expect(totalsMoney(undefined, null, QUOTES)).toBeUndefined();
});

it('takes the only coin for the unit of totals that are equal to it, however they are written', () => {
  const unit = (balance: string | null, totalEquities: string | null): string | undefined =>
    totalsUnit('live', {
      ...accountOf([], [asset({ balance: '100.50', equities: '104.50' })]),
      ...{ balance, totalEquities },
    });
  expect([unit('100.50', '104.50'), unit('100.50000000', '104.5')]).toEqual(['USDT', 'USDT']);
  expect([unit('100.51', '104.50'), unit('100.50', null), unit(null, '104.50')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
