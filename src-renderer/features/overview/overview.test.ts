import { describe, expect, it } from 'vitest';
import { amount, divide, print } from '../../../src-shared/amount.ts';
import { gradeOf } from '../../../src-shared/domain/margin/severity.ts';
import type { Asset, Position } from '../../../src-shared/exchange-api/account.ts';
import type { SymbolConfig } from '../../../src-shared/exchange-api/symbol-config.ts';
import { batchAccount } from '../../../src-shared/domain/batch/account-after.ts';
import { account, context, position as sample } from '../../../tests/domain/order-samples.ts';
import { equityIn, exposuresOf } from './exposure.ts';
import { healthOf } from './health.ts';

const position = (
  symbolId: string,
  side: string,
  quantity: string,
  mark: string | null,
  liquidPrice = '0',
): Position =>
  ({
    symbolId,
    side,
    quantity,
    markPrice: mark,
    liquidPrice,
    avgEntryPrice: '0',
    entryValue: '0',
  }) as Position;
const contract = (symbolId: string, contractSide: string): [string, SymbolConfig] => [
  symbolId,
  { symbolId, contractSide } as SymbolConfig,
];
const contracts = new Map([
  contract('BTC-USDT-M', 'FORWARD'),
  contract('ETH-USDT-M', 'FORWARD'),
  contract('BTC-USD-M', 'REVERSE'),
]);

describe('exposure', () => {
  it('adds up the legs of a contract, keeps units apart and counts what it leaves out', () => {
    const found = exposuresOf(
      [
        position('ETH-USDT-M', 'BUY', '18', '3284.16'),
        position('ETH-USDT-M', 'SELL', '120', '3284.16'),
        position('BTC-USDT-M', 'BUY', '9.85', '97412.5'),
        position('BTC-USD-M', 'SELL', '45000', '97430'),
        position('BTC-USDT-M', 'BUY', '1', null),
        position('NEW-USDT-M', 'BUY', '1', '5'),
        position('BTC-USDT-M', 'BOTH', '3', '97412.5'),
      ],
      contracts,
      () => null,
    );
    expect(found.rows).toEqual([
      { symbolId: 'BTC-USDT-M', value: '959513.125', unit: 'USDT' },
      { symbolId: 'ETH-USDT-M', value: '-334984.32', unit: 'USDT' },
      { symbolId: 'BTC-USD-M', value: '-45000', unit: 'USD' },
    ]);
    expect(found.totals).toEqual([
      { unit: 'USDT', gross: '1412727.205', net: '624528.805' },
      { unit: 'USD', gross: '45000', net: '-45000' },
    ]);
    expect(found).toMatchObject({ unmarked: 1, unread: 2 });
  });
});

it('computes gross exposure over the equity in the margin coin, as the batch does', () => {
  const held = context({ account: account([sample({ quantity: '2.000' })]) });
  const order = { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;
  const request = { ...order, quantity: '1.000', price: '96000.0' };
  const batch = batchAccount([{ key: '1', request, reference: null }], held, false)?.coins[0];
  const [total] = exposuresOf(held.account?.positions ?? [], contracts, () => null).totals;
  const equity = equityIn(held.account, total?.unit ?? '');
  if (total === undefined || equity === null) throw new Error('no figures');
  expect(print(divide(amount(total.gross), equity))).toBe(batch?.gross.before.value);
  expect(equityIn(held.account, 'USD')).toBeNull();
});

describe('margin health', () => {
  it('excludes isolated margin and locks from the cross equity', () => {
    const asset = {
      coin: 'USDT',
      balance: '182412.38',
      isolatedMargin: '29880.42',
      isolatedLocked: '100',
      crossProfitUnreal: '24236.82',
      crossedMaintainMargin: '17863.66',
      crossedMaintainMarginRate: '0.1011',
    } as Asset;
    expect(healthOf(asset, '1')).toMatchObject({
      crossEquity: '176668.78',
      buffer: '158805.12',
    });
    expect(healthOf(asset, null)).toMatchObject({ rate: '0.1011', share: null });
  });

  it('is graded caution from 50 and danger from 80 percent on', () => {
    expect(['0.4999', '0.5', '0.7999', '0.8', '1.2'].map((ratio) => gradeOf(amount(ratio)))).toEqual([
      'healthy',
      'caution',
      'caution',
      'danger',
      'danger',
    ]);
  });
});
