import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import type { EstimateContext } from '../position/resolved.ts';
import { contractOf, type KnownContract } from '../instrument/trading-context.ts';
import { compareWithEstimate } from './exchange-comparison.ts';
import {
  account,
  asset,
  context,
  SPECS,
  INVERSE,
  LINEAR,
  position,
} from '../../../tests/domain/order-samples.ts';
import { liquidationOf, whatIf, type WhatIfInput } from './what-if.ts';
import { prepareWhatIf, type WhatIfContext } from './what-if-inputs.ts';

const OTHER = { ...LINEAR, symbolId: 'ETH-USDT-M' };

function start(positions: readonly Position[], symbolId = LINEAR.symbolId) {
  const info = account(positions, [
    asset(),
    asset({ coin: 'BTC', balance: '3', locked: '0', crossMargin: '0' }),
  ]);
  const contracts = [LINEAR, OTHER, INVERSE];
  const within: EstimateContext = {
    account: info,
    contractOf: (id) => contracts.find((one) => one.symbolId === id),
    specs: () => SPECS,
    convention: 'flat',
    closingFee: true,
  };
  const contract = contractOf(symbolId, context({ account: info, contracts }));
  if (contract === null) throw new Error('no contract');
  return { within, contract };
}
function basis(contract: KnownContract, within: EstimateContext, mark = '97000.0'): WhatIfContext {
  const found = prepareWhatIf(contract, mark, within);
  if (typeof found === 'string') throw new Error(found);
  return found;
}
const thought = (changes: Partial<WhatIfInput> = {}): WhatIfInput => ({
  side: 'BUY',
  entryPrice: '95000.0',
  quantity: '2.000',
  leverage: '20',
  isolated: false,
  ...changes,
});
const result = (input: WhatIfInput, on: WhatIfContext) => {
  const found = whatIf(input, on);
  if (typeof found === 'string') throw new Error(found);
  return found;
};

describe('a what-if equal to the position held', () => {
  const eth = position({
    symbolId: OTHER.symbolId,
    side: 'SELL',
    quantity: '10',
    avgEntryPrice: '3500',
    entryValue: '35000',
    markPrice: '3400',
    liquidPrice: '0',
  });
  it.each([
    ['cross', [position()], false],
    ['cross beside another', [position(), eth], false],
    ['isolated', [position({ marginMode: 'ISOLATED' }), eth], true],
    [
      'a hedge’s leg',
      [
        position({ positionMode: 'HEDGE' }),
        position({ positionMode: 'HEDGE', side: 'SELL', quantity: '0.5', entryValue: '47500' }),
        eth,
      ],
      false,
    ],
  ] as const)('%s is the estimate of the position', (_, positions, isolated) => {
    const { within, contract } = start(positions);
    const lines = compareWithEstimate(positions[0], within);
    const expected = typeof lines === 'string' ? null : lines[0]?.estimate.value;
    const found = result(thought({ isolated }), basis(contract, within));
    expect(found.liquidation.value).toMatch(/^\d/);
    expect(found.liquidation.value?.slice(0, 15)).toBe(expected?.slice(0, 15));
    expect(liquidationOf(thought({ isolated }), basis(contract, within))).toEqual(found.liquidation);
  });

  it('has the margin ratio of docs/accounting.md', () => {
    const { within, contract } = start([position()]);
    // 2 × 97,000: flat 0.5 % and 0.05 % fee of 194,000, over 100,000 + 4,000.
    expect(result(thought(), basis(contract, within)).marginRatio.value).toMatch(/^0\.010259615/);
    // Isolated: over 9,500 + 4,000.
    expect(result(thought({ isolated: true }), basis(contract, within)).marginRatio.value).toMatch(
      /^0\.07903703/,
    );
  });
});

describe('a what-if', () => {
  const { within, contract } = start([]);
  const on = basis(contract, within);

  it('has a tier, and reports leverage above its maximum', () => {
    expect(result(thought({ quantity: '2.577' }), on)).toMatchObject({
      tier: { level: 1 },
      leverageTooHigh: false,
    });
    expect(result(thought({ quantity: '2.578', leverage: '51' }), on)).toMatchObject({
      tier: { level: 2 },
      leverageTooHigh: true,
    });
  });

  it('limits the size to the highest tier that allows the leverage, rounded down', () => {
    expect(result(thought({ leverage: '50' }), on).mostByTier.value).toBe('10.309'); // 1,000,000 / 97,000
    expect(result(thought({ leverage: '101' }), on).mostByTier).toMatchObject({
      reason: 'No tier allows 101×.',
    });
  });

  it('limits additions to the balance left after it', () => {
    // 100,000 − 9,500 locked − 9,500 of the what-if − 4,000 cross PnL and 4,000 of the what-if = 73,000, at 1/20 + 0.05 %.
    expect(result(thought(), on).moreByBalance.value).toBe('14.902'); // 1,445,544.55 / 97,000
    // Replaces the position the 9,500 are locked for, and its 4,000 of PnL.
    const held = start([position()]);
    expect(result(thought(), basis(held.contract, held.within)).moreByBalance.value).toBe('17.658');
    // Beside it a loss of 20,000 from an entry of 107,000, with 10,700 of margin: 69,300.
    const losing = thought({ entryPrice: '107000.0' });
    expect(result(losing, basis(held.contract, held.within)).moreByBalance.value).toBe('14.147');
    // Isolated, its PnL is in no cross account: 90,500.
    const isolated = thought({ isolated: true });
    expect(result(isolated, basis(held.contract, held.within)).moreByBalance.value).toBe('18.475');
  });

  it('counts the opening fee of additions also where it pays a rebate or liquidation prices leave it out', () => {
    const paid = basis({ ...contract, specs: { ...SPECS, feeRateTaker: '-0.0001' } }, within);
    // 73,000 at 1/20.
    expect(result(thought(), paid).moreByBalance.value).toBe('15.051');
    expect(result(thought(), { ...on, closingFee: false }).moreByBalance.value).toBe('14.902');
  });

  it('says that additions are unknown while a value of the account cannot be read', () => {
    const lost = start([position({ profitUnreal: null })]);
    const { moreByBalance, liquidation } = result(thought(), basis(lost.contract, lost.within));
    expect(moreByBalance.reason).toContain('profitUnreal is not given');
    expect(liquidation.value).not.toBeNull();
  });

  it('is in the base coin for inverse contracts', () => {
    const inverse = start([], INVERSE.symbolId);
    const found = result(thought({ quantity: '97000' }), basis(inverse.contract, inverse.within));
    expect(found.value).toBe('1');
    expect(found.initialMargin).toMatch(/^0\.0510526/);
    expect(Number(found.liquidation.value)).toBeLessThan(95_000);
  });

  it('stays known beside an unreadable position of another coin', () => {
    const lost = position({ symbolId: INVERSE.symbolId, quantity: null });
    const beside = start([position(), lost]);
    const alone = start([position()]);
    expect(result(thought(), basis(beside.contract, beside.within))).toEqual(
      result(thought(), basis(alone.contract, alone.within)),
    );
  });

  it('names invalid input', () => {
    expect(whatIf(thought({ quantity: '0' }), on)).toContain('quantity');
    expect(whatIf(thought({ entryPrice: '' }), on)).toContain('price is not a plain decimal');
    const odd = start([position({ positionMode: 'HEDGE', marginMode: 'ISOLATED', side: 'BOTH' })]);
    expect(prepareWhatIf(odd.contract, '97000', odd.within)).toBe('Unknown position side “BOTH”.');
    const lost = start([position({ symbolId: 'GONE-USDT-M' })]);
    expect(prepareWhatIf(lost.contract, '97000', lost.within)).toContain(
      'GONE-USDT-M is not listed by the exchange',
    );
  });
});
