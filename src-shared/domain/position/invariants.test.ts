import { describe, expect, it } from 'vitest';
import type { AccountInfo, Asset } from '../../exchange-api/account.ts';
import { identityFaults } from './invariants.ts';
import { EMPTY_ASSET } from '../../../tests/domain/order-samples.ts';

const asset: Asset = {
  ...EMPTY_ASSET,
  coin: 'BTC',
  equities: '0.60878343',
  balance: '0.62000000',
  profitUnreal: '-0.01121657',
  crossProfitUnreal: '-0.01121657',
  available: '0.15812994',
  canTransfer: '0.15812994',
  locked: '0.47308663',
  crossMargin: '0.47308663',
  crossedMaintainMargin: '0.00230935',
  crossedMaintainMarginRate: '0.0038',
};
const account: AccountInfo = {
  totalEquities: '208076.87',
  balance: '182412.38',
  available: '29671.99',
  profitUnreal: '25664.49',
  crossProfitUnreal: '24236.82',
  canTransfer: '29551.99',
  totalLocked: '128503.57',
  crossMargin: '89762.62',
  isolatedMargin: '29880.42',
  crossLocked: '8860.53',
  isolatedLocked: '0',
  crossedMaintainMargin: '17863.66',
  crossedMaintainMarginRate: '0.1011',
  trialFundBalance: '120',
  totalTrialFundBalance: '120',
  assets: [asset],
  positions: [],
};

describe('identities', () => {
  it('are compared as exact decimals', () => {
    expect(identityFaults(account)).toEqual([]);
  });

  it('report coin, both values and the difference, to the last digit', () => {
    const broken = { ...account, assets: [{ ...asset, available: '0.15812995' }] };
    expect(identityFaults(broken)).toEqual([
      {
        coin: 'BTC',
        identity: 'available',
        reported: '0.15812995',
        expected: '0.15812994',
        difference: '0.00000001',
      },
    ]);
  });

  it('are checked for the totals too', () => {
    const faults = identityFaults({ ...account, totalEquities: '208076.88' });
    expect(faults).toMatchObject([{ coin: null, identity: 'equity', difference: '0.01' }]);
  });
});

it('checks each identity whose own values were read, whatever else was not', () => {
  const faultsOf = (changes: Partial<Asset>): string[] =>
    identityFaults({ ...account, assets: [{ ...asset, ...changes }] }).map(({ identity }) => identity);
  const wrong = { equities: '1', available: '1' };
  expect(faultsOf(wrong)).toEqual(['available', 'equity']);
  for (const unread of ['locked', 'crossProfitUnreal'] as const)
    expect(faultsOf({ ...wrong, [unread]: null })).toEqual(['equity']);
  expect(faultsOf({ ...wrong, available: null })).toEqual(['equity']);
  for (const unread of ['equities', 'profitUnreal'] as const)
    expect(faultsOf({ ...wrong, [unread]: null })).toEqual(['available']);
  expect(faultsOf({ ...wrong, balance: null })).toEqual([]);
});
