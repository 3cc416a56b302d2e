import { describe, expect, it } from 'vitest';
import { absolute, calculated, less } from '../../amount.ts';
import type { Asset, Position } from '../../exchange-api/account.ts';
import {
  account,
  asset,
  INVERSE,
  LINEAR,
  position,
  SPECS,
  tier,
} from '../../../tests/domain/order-samples.ts';
import type { EstimateContext } from '../position/resolved.ts';
import { liquidationBreakdown, type LiquidationBreakdown } from './liquidation-terms.ts';

const context = (
  positions: readonly Position[],
  more: Partial<EstimateContext> = {},
  assets: readonly Asset[] = [asset()],
): EstimateContext => ({
  account: account(positions, assets),
  contractOf: (symbolId) => ({ ...(symbolId.endsWith('USD-M') ? INVERSE : LINEAR), symbolId }),
  specs: () => SPECS,
  convention: 'flat',
  closingFee: true,
  ...more,
});
function of(one: Position, within: EstimateContext = context([one])): LiquidationBreakdown {
  const found = liquidationBreakdown(one, within);
  if (typeof found === 'string') throw new Error(found);
  return found;
}
const terms = (at: LiquidationBreakdown['atMark']) => {
  if (at?.ok !== true) throw new Error('no terms');
  return at.value;
};
const isZeroTo = (text: string, share: string): boolean =>
  less(absolute(calculated(text)), calculated(share));
const isolated = position({
  marginMode: 'ISOLATED',
  quantity: '2',
  avgEntryPrice: '95000',
  entryValue: '190000',
  markPrice: '97000',
  margin: '9500',
  liquidPrice: '90800',
});

describe('an isolated position', () => {
  it('has its margin and PnL on one side, maintenance margin and closing fee on the other', () => {
    const found = of(isolated);
    expect(found).toMatchObject({ collateral: '9500', asset: null, feeCounted: 'yes' });
    expect(terms(found.atMark)).toMatchObject({
      pnl: '4000',
      otherPnl: null,
      equity: '13500',
      value: '194000',
      // 0.5 % of the first tier; the taker rate 0.05 %
      maintenance: '970',
      fee: '97',
      otherRequired: null,
      required: '1067',
      buffer: '12433',
    });
  });
  it('has nothing left at the estimate, and what the exchange’s price leaves', () => {
    const found = of(isolated);
    // 9500 + 2 (p − 95000) = 2 p × 0.0055
    expect(found.liquidation.estimate.value?.slice(0, 8)).toBe('90749.12');
    expect(isZeroTo(terms(found.atEstimate).buffer, '0.000001')).toBe(true);
    expect(terms(found.atExchange).buffer).toBe('101.2');
    expect(found.bankruptcy).toEqual({ value: '90250' });
  });
  it('needs what the next tier does where the end of a tier liquidates it', () => {
    // The short of docs/accounting.md: 20 is left at 1,000, where the lower tier needs 5 and the upper one 50.
    const tiers = [tier(1, '0', '1000', '0.005', '50'), tier(2, '1000', '100000', '0.05', '10')];
    const short = position({
      ...{ marginMode: 'ISOLATED', side: 'SELL', quantity: '1', avgEntryPrice: '960', entryValue: '960' },
      ...{ markPrice: '1000', margin: '60' },
    });
    const found = of(
      short,
      context([short], {
        contractOf: () => ({ ...LINEAR, riskLimitConfigs: tiers }),
        closingFee: false,
      }),
    );
    expect(terms(found.atEstimate)).toMatchObject({
      ...{ price: '1000', equity: '20', value: '1000', tier: { level: 2 }, required: '50', buffer: '-30' },
    });
    expect(terms(found.atMark)).toMatchObject({ tier: { level: 1 }, required: '5', buffer: '15' });
  });
  it('moves with added margin, hardly with a part closed', () => {
    const { moves, liquidation } = of(isolated);
    expect(moves.map(({ what, amount }) => [what, amount])).toEqual([
      ['add-margin', '950'],
      ['close-half', '1'],
    ]);
    // 10450 + 2 (p − 95000) = 2 p × 0.0055
    expect(moves[0]?.price.value?.slice(0, 8)).toBe('90271.49');
    expect(moves[1]?.price.value).toBe(liquidation.estimate.value);
  });
});

it('closes half to the lot, and none where half is less than that', () => {
  const movesOf = (quantity: string) => {
    const held = { ...isolated, quantity };
    return of(held, context([held])).moves.map(({ what, amount }) => `${what} ${amount}`);
  };
  expect(movesOf('0.085')).toContain('close-half 0.042');
  expect(movesOf('0.001').filter((move) => move.startsWith('close-half'))).toEqual([]);
});

describe('a cross position', () => {
  const cross = position({ quantity: '2', avgEntryPrice: '95000', entryValue: '190000', markPrice: '97000' });
  const other = position({
    symbolId: 'ETH-USDT-M',
    quantity: '10',
    avgEntryPrice: '3000',
    entryValue: '30000',
    markPrice: '3100',
  });
  const wallet = [asset({ balance: '20000', isolatedMargin: '500', isolatedLocked: '100' })];

  it('has the wallet without isolated money and what the other positions add and need', () => {
    const found = of(cross, context([cross, other], {}, wallet));
    expect(found).toMatchObject({ collateral: '19400', bankruptcy: null });
    expect(terms(found.atMark)).toMatchObject({
      otherPnl: '1000',
      equity: '24400',
      // 31,000 × (0.5 % + 0.05 %)
      otherRequired: '170.5',
      required: '1237.5',
    });
    expect(isZeroTo(terms(found.atEstimate).buffer, '0.000001')).toBe(true);
  });
  it('moves the other leg of a hedge along, and no other contract', () => {
    const leg = { ...cross, side: 'SELL', quantity: '1', entryValue: '95000', positionId: 'leg' };
    const found = of(cross, context([cross, leg], {}, wallet));
    // 19400 + (p − 95000) = 3 p × 0.0055, the other leg's 95000 − p among it
    const { price, pnl, otherPnl } = terms(found.atEstimate);
    expect(price.slice(0, 8)).toBe('76868.32');
    expect([pnl.slice(0, 8), otherPnl?.slice(0, 8)]).toEqual(['-36263.3', '18131.67']);
    expect(isZeroTo(terms(found.atEstimate).buffer, '0.000001')).toBe(true);
  });
  it('realises half its PnL less the fee when half is closed', () => {
    const alone = of(cross, context([cross], {}, [asset({ balance: '20000' })]));
    const [, half] = alone.moves;
    // 20000 + (4000 − 97) / 2 + (p − 95000) = p × 0.0055
    expect(half?.price.value?.slice(0, 8)).toBe('73452.48');
  });
  it('says why nothing can be calculated, and what it does not count', () => {
    const unmarked = { ...other, markPrice: null };
    expect(liquidationBreakdown(cross, context([cross, unmarked]))).toBe('ETH-USDT-M has no mark price.');
    expect(liquidationBreakdown(cross, context([cross], {}, []))).toBe('No USDT in the account.');
    expect(of(cross, context([cross], { closingFee: false })).feeCounted).toBe('left out');
    const specs = () => ({ ...SPECS, feeRateTaker: null });
    expect(of(cross, context([cross], { specs })).feeCounted).toBe('rate unknown');
  });
});

it('an inverse position is valued in its coin', () => {
  const inverse = position({
    symbolId: 'BTC-USD-M',
    marginMode: 'ISOLATED',
    quantity: '10000',
    avgEntryPrice: '50000',
    entryValue: '0.2',
    markPrice: '40000',
    margin: '0.1',
    liquidPrice: '0',
  });
  const found = of(inverse);
  expect(terms(found.atMark)).toMatchObject({ pnl: '-0.05', value: '0.25', equity: '0.05' });
  expect(found.atExchange).toBeNull();
  expect(isZeroTo(terms(found.atEstimate).buffer, '0.0000000001')).toBe(true);
});
