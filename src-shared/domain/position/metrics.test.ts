import { describe, expect, it } from 'vitest';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import {
  distanceShare,
  effectiveLeverage,
  liquidationDistance,
  nearestLiquidation,
  positionTier,
  quoteValue,
  realisedAddsUp,
} from './metrics.ts';
import { LINEAR, tier } from '../../../tests/domain/order-samples.ts';
import { position } from '../../../tests/domain/positions.ts';

const linear: SymbolConfig = {
  ...LINEAR,
  riskLimitConfigs: [
    tier(1, '0', '250000', '0.005', '100'),
    tier(2, '250000', '1000000', '0.01', '50'),
    tier(3, '1000000', '2500000', '0.015', '33'),
  ],
};
const inverse: SymbolConfig = {
  ...linear,
  symbolId: 'BTC-USD-M',
  contractSide: 'REVERSE',
  riskLimitConfigs: [tier(1, '0', '0.45', '0.005', '100'), tier(2, '0.45', '10', '0.01', '50')],
};

describe('distance to liquidation', () => {
  it('is the signed share from the mark to the exchange’s price', () => {
    expect(liquidationDistance(position())).toBe('-0.1672834595');
    expect(liquidationDistance(position({ side: 'SELL', liquidPrice: '97412.5' }))).toBe('0');
    expect(distanceShare('100', '233')).toBe('1.33');
  });
  it('is null without liquidation or mark price; entry and last price never replace the mark', () => {
    expect(liquidationDistance(position({ liquidPrice: '0' }))).toBeNull();
    expect(liquidationDistance(position({ liquidPrice: '0.00' }))).toBeNull();
    for (const markPrice of [null, '', '0']) expect(liquidationDistance(position({ markPrice }))).toBeNull();
  });
  it('finds the position with the smallest move, up or down', () => {
    const far = position();
    const short = position({ symbolId: 'SOL-USDT-M', side: 'SELL', markPrice: '100', liquidPrice: '102.86' });
    const none = position({ liquidPrice: '0' });
    const closed = position({ quantity: '0', markPrice: '100', liquidPrice: '99.9' });
    for (const all of [
      [far, none, closed, short],
      [short, closed, none, far],
    ])
      expect(nearestLiquidation(all)).toEqual({ position: short, share: '0.0286' });
    expect(nearestLiquidation([none, closed])).toBeNull();
  });
  it('ranks a position past its price before one that is near', () => {
    const near = position({ symbolId: 'SOL-USDT-M', side: 'SELL', markPrice: '100', liquidPrice: '101' });
    const past = position({ markPrice: '100', liquidPrice: '130' });
    for (const all of [
      [near, past],
      [past, near],
    ])
      expect(nearestLiquidation(all)).toEqual({ position: past, share: '0.3' });
  });
});

describe('tier of a position', () => {
  it('is that of the value at mark, with the headroom left in it', () => {
    expect(positionTier(position(), linear, null)).toEqual({
      tier: linear.riskLimitConfigs[1],
      count: 3,
      value: '959513.125',
      basis: 'mark',
      used: '0.959513125',
      headroom: '40486.875',
      multiplier: '1',
    });
  });
  it('is that of the value at entry without a mark, and marked so', () => {
    expect(positionTier(position({ markPrice: null }), linear, null)).toMatchObject({
      basis: 'entry',
      value: '944234.79',
    });
  });
  it('is that of the value at entry if the mark is below 0', () => {
    expect(positionTier(position({ markPrice: '-1' }), linear, null)).toMatchObject({ basis: 'entry' });
  });
  it('is known for as many digits as a quantity may have', () => {
    const most = position({ quantity: '9'.repeat(40) });
    expect(positionTier(most, linear, null)).toMatchObject({ tier: { level: 3 }, headroom: null });
  });
  it('has no headroom in the last tier', () => {
    const big = position({ quantity: '20', entryValue: '1917228' });
    expect(positionTier(big, linear, null)).toMatchObject({ tier: { level: 3 }, headroom: null });
  });
  it('values an inverse position in its coin, rounded so that the text can be parsed again', () => {
    const coin = position({
      symbolId: 'BTC-USD-M',
      side: 'SELL',
      quantity: '45000',
      avgEntryPrice: '95120.0',
      markPrice: '97430.0',
      entryValue: '0.47308663',
    });
    // 45000 / 97430 = 0.461870060…
    expect(positionTier(coin, inverse, null)).toMatchObject({
      tier: { level: 2 },
      value: '0.46187006',
      used: '0.046187006',
    });
  });
  it('rounds a value up where the nearest one is in the tier below', () => {
    const coin = { symbolId: 'BTC-USD-M', quantity: '45000.0001', markPrice: '100000.0' };
    // 0.450000001, above the end of tier 1
    expect(positionTier(position(coin), inverse, '1')).toMatchObject({
      tier: { level: 2 },
      value: '0.45000001',
    });
  });
  it('applies the multiplier of contracts', () => {
    const counted = position({ quantity: '9850' });
    expect(positionTier(counted, linear, null)).toMatchObject({ value: '959513.125' });
  });
  it('applies the user’s multiplier before one detected from the entry value', () => {
    expect(positionTier(position(), linear, '0.1')).toMatchObject({
      value: '95951.3125',
      tier: { level: 1 },
    });
    expect(quoteValue(position(), linear, '0.1')).toBe('95951.3125');
    expect(quoteValue(position(), linear, null)).toBe(quoteValue(position(), linear, undefined));
  });
  it('is null for a contract that cannot be calculated', () => {
    expect(positionTier(position(), undefined, null)).toBeNull();
    expect(positionTier(position(), { ...linear, contractSide: 'QUANTO' }, null)).toBeNull();
    expect(positionTier(position(), { ...linear, riskLimitConfigs: [] }, null)).toBeNull();
    const gap = linear.riskLimitConfigs.filter(({ level }) => level !== 2);
    expect(positionTier(position(), { ...linear, riskLimitConfigs: gap }, null)).toBeNull();
    expect(positionTier(position({ quantity: '0' }), linear, null)).toBeNull();
  });
});

describe('leverage now', () => {
  it('is value at mark ÷ (margin + unrealised PnL)', () => {
    const one = position();
    // 959513.125 / (47211.74 + 15278.34)
    expect(effectiveLeverage(one, positionTier(one, linear, null))).toBe('15.35');
  });
  it('is null without a valuation, or with no margin left', () => {
    for (const change of [{ markPrice: null }, { profitUnreal: null }, { profitUnreal: '-47211.74' }]) {
      const one = position(change);
      expect(effectiveLeverage(one, positionTier(one, linear, null))).toBeNull();
    }
  });
});

describe('the value in the quote coin', () => {
  it('is the quantity of an inverse position, also without a mark', () => {
    const unmarked = { quantity: '45000', entryValue: '0', markPrice: null };
    expect(quoteValue(position({ symbolId: 'BTC-USD-M', ...unmarked }), inverse, null)).toBe('45000');
    expect(quoteValue(position(unmarked), linear, null)).toBeNull();
  });
});

describe('realised PnL', () => {
  it('is closed PnL − fees + funding where that adds up', () => {
    const figures = { pnl: '10.5', feeAmount: '2', fundAmount: '-0.50' };
    const addsUp = (realizedPnl: string | null) => realisedAddsUp(position({ ...figures, realizedPnl }));
    expect([addsUp('8.000'), addsUp('9'), addsUp(null)]).toEqual([true, false, false]);
    expect(realisedAddsUp(position({ ...figures, realizedPnl: '8', fundAmount: null }))).toBe(false);
  });
});
