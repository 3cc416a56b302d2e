import { describe, expect, it } from 'vitest';
import type { AccountInfo, Asset, Position } from '../../exchange-api/account.ts';
import { account, asset, position } from '../../../tests/domain/order-samples.ts';
import { ratioUnits, shareOf } from './ratio-unit.ts';

/** 100 of 1,000 cross equity: 10 %. */
const coin = (rate: string, changes: Partial<Asset> = {}): Asset =>
  asset({
    ...{ balance: '1100', isolatedMargin: '150', isolatedLocked: '50', crossProfitUnreal: '100' },
    ...{ crossedMaintainMargin: '100', crossedMaintainMarginRate: rate, ...changes },
  });
/** 30 on a margin of 100: 30 %. */
const held = (rate: string | null): Position =>
  position({ margin: '100', profitUnreal: '-30', profitUnrealRate: rate });
const of = (assets: readonly Asset[], positions: readonly Position[] = []): AccountInfo => ({
  ...account(positions),
  assets,
});
const margin = (...assets: readonly Asset[]) => ratioUnits(of(assets)).margin;

describe('the unit of rates', () => {
  it('is detected from margin and equity', () => {
    expect(margin(coin('0.1'))).toEqual({ unit: '1', source: 'figures' });
    expect(margin(coin('10'))).toEqual({ unit: '100', source: 'figures' });
    // Exchanges define margin and equity differently.
    expect(margin(coin('0.07'))).toEqual({ unit: '1', source: 'figures' });
    expect(margin(coin('14'))).toEqual({ unit: '100', source: 'figures' });
  });

  it('is unknown without evidence, without a match, or if coins disagree', () => {
    const none = { unit: null, source: 'none' };
    expect(ratioUnits(null).margin).toEqual(none);
    expect(margin(coin('0', { crossedMaintainMargin: '0' }))).toEqual(none);
    expect(margin(coin('0.1', { balance: '0' }))).toEqual(none);
    expect(margin(coin('0.00'))).toEqual(none);
    expect(margin(coin('1'))).toEqual(none);
    expect(margin(coin('0.1'), coin('10', { coin: 'BTC' }))).toEqual(none);
    expect(margin(coin('0.1'), coin('1', { coin: 'BTC' }))).toEqual(none);
  });

  it('is the connection’s setting only while the figures do not show it', () => {
    expect(ratioUnits(of([coin('1')]), '100').margin).toEqual({ unit: '100', source: 'setting' });
    expect(ratioUnits(of([coin('0.1')]), '100').margin).toEqual({ unit: '1', source: 'figures' });
  });

  it('is detected for isolated positions and unrealised profit from their own fields', () => {
    const alone = position({
      ...{ marginMode: 'ISOLATED', margin: '100', profitUnreal: '-20', maintainMargin: '7', closedFee: '1' },
      ...{ marginRate: '10', profitUnrealRate: '-20' },
    });
    const units = ratioUnits(of([], [alone]));
    expect(units.isolated).toEqual({ unit: '100', source: 'figures' });
    // Without unrealised PnL the position's equity is unknown.
    const { isolated: none } = ratioUnits(of([], [{ ...alone, profitUnreal: null }]));
    expect(none).toEqual({ unit: null, source: 'none' });
    expect(units.profit).toEqual({ unit: '100', source: 'figures' });
    expect(ratioUnits(of([], [held('-0.3')])).profit.unit).toBe('1');
    expect(ratioUnits(of([], [held(null)])).profit.unit).toBeNull();
  });
});

describe('a rate as a share', () => {
  it('keeps its digits, and is null while the unit is unknown', () => {
    expect(shareOf('0.10110', '1')).toBe('0.10110');
    expect(shareOf('10.11000000000000001', '100')).toBe('0.1011000000000000001');
    // Cut to the decimals of received values, since it is parsed again.
    expect(shareOf('0.' + '1'.repeat(40), '100')).toBe('0.00' + '1'.repeat(38));
    expect(shareOf('10.11', null)).toBeNull();
    expect(shareOf('0.000', null)).toBe('0.000');
    expect(shareOf(null, '1')).toBeNull();
  });
});
