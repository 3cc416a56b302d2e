import { describe, expect, it } from 'vitest';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { marginBreakdown } from './margin-breakdown.ts';
import { account, asset, INVERSE, LINEAR, position } from '../../../tests/domain/order-samples.ts';

const CONTRACTS = new Map(
  [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }, INVERSE].map((one) => [one.symbolId, one]),
);
const usdt = (changes: Partial<Asset> = {}): Asset =>
  asset({ crossedMaintainMargin: '1600.50', crossedMaintainMarginRate: '0.0169', ...changes });
const btc = position();
const eth = position({ symbolId: 'ETH-USDT-M', maintainMargin: '500', closedFee: '33.50', quantity: '10' });
const isolated = position({
  marginMode: 'ISOLATED',
  margin: '120',
  maintainMargin: '70',
  closedFee: '10',
  profitUnreal: '-20',
});
const of = (positions: readonly Position[], assets: readonly Asset[] = [usdt()]) =>
  marginBreakdown(account(positions, assets), CONTRACTS, '1', () => null);

describe('the parts of a coin’s margin ratio', () => {
  it('are each cross position’s maintenance margin and closing fee, which add up to the exchange’s total', () => {
    const [coin] = of([btc, eth, isolated]).coins;
    expect(coin?.parts.map(({ position, both }) => [position.symbolId, both])).toEqual([
      ['BTC-USDT-M', '1067'],
      ['ETH-USDT-M', '533.5'],
    ]);
    expect(coin?.parts.map((one) => one.share)).toEqual(['0.6666666667', '0.3333333333']);
    expect(coin?.rest).toBeNull();
    expect(coin?.asset.crossedMaintainMargin).toBe('1600.50');
  });
  it('leave a remainder if they do not add up to the exchange’s total', () => {
    expect(of([btc]).coins[0]?.rest).toBe('533.5');
    expect(of([btc]).coins[0]?.parts.map(({ share }) => share)).toEqual(['0.6666666667']);
    expect(of([btc, { ...eth, maintainMargin: null }]).coins[0]?.rest).toBeNull();
  });
  it('are divided by cross equity; there is no ratio without any', () => {
    const parts = { balance: '1000', isolatedMargin: '100', isolatedLocked: '50', crossProfitUnreal: '-50' };
    expect(of([btc, eth], [usdt({ ...parts, crossedMaintainMargin: '400' })]).coins[0]).toMatchObject({
      equity: '800',
      ratio: '0.5',
    });
    expect(of([btc], [usdt({ ...parts, crossProfitUnreal: '-850' })]).coins[0]).toMatchObject({
      equity: '0',
      ratio: null,
    });
  });
  it('are null where a value is missing', () => {
    const [coin] = of([{ ...btc, markPrice: null, closedFee: null, received: { closedFee: 'x' } }]).coins;
    expect(coin?.parts[0]).toMatchObject({ both: null, share: null, valuation: { basis: 'entry' } });
    const beside = of([btc, { ...eth, maintainMargin: null }]).coins[0];
    // What the other requires is unknown, so its share of both is, too.
    expect(beside?.parts.map(({ both, share }) => [both, share])).toEqual([
      ['1067', null],
      [null, null],
    ]);
    expect(of([btc], [usdt({ crossProfitUnreal: null })]).coins[0]).toMatchObject({
      equity: null,
      ratio: null,
    });
  });
  it('have no share of the exchange’s rate while its unit is unknown', () => {
    const { coins } = marginBreakdown(account([btc], [usdt()]), CONTRACTS, null, () => null);
    expect(coins[0]?.share).toBeNull();
  });
  it('omit coins without a requirement, and list positions of unknown contracts', () => {
    const idle = asset({ coin: 'ETH', crossedMaintainMargin: '0', crossedMaintainMarginRate: '0' });
    const { coins, unplaced } = of([btc, position({ symbolId: 'NEW-USDT-M' })], [usdt(), idle]);
    expect(coins.map((one) => one.asset.coin)).toEqual(['USDT']);
    // Required of orders, by its rate alone, or not known: none of them has a position.
    for (const changes of [
      { crossedMaintainMargin: '1' },
      { crossedMaintainMarginRate: '0.1' },
      { crossedMaintainMargin: null },
    ])
      expect(of([btc], [usdt(), { ...idle, ...changes }]).coins[1]).toMatchObject({
        asset: { coin: 'ETH' },
        parts: [],
      });
    // One with a position is listed whatever the exchange says that it requires.
    const none = { crossedMaintainMargin: '0', crossedMaintainMarginRate: '0' };
    expect(of([btc], [{ ...idle, ...none }, usdt(none)]).coins.map((one) => one.asset.coin)).toEqual([
      'USDT',
    ]);
    expect(unplaced.map((one) => one.symbolId)).toEqual(['NEW-USDT-M']);
  });
  it('leave out listed positions of quantity 0', () => {
    const { coins, isolated: apart } = of([btc, { ...eth, quantity: '0' }, { ...isolated, quantity: '0.0' }]);
    expect(coins[0]?.parts.map(({ position }) => position.symbolId)).toEqual(['BTC-USDT-M']);
    expect(apart).toEqual([]);
  });
});

describe('isolated positions', () => {
  it('have margin, ratio and grade of their own', () => {
    expect(of([btc, isolated]).isolated).toMatchObject([
      { both: '80', behind: '100', ratio: '0.8', health: { grade: 'danger' }, coin: 'USDT' },
    ]);
  });
  it('have no grade without a mark', () => {
    const [one] = of([{ ...isolated, margin: '1000', markPrice: null }]).isolated;
    expect(one).toMatchObject({ distance: null, health: { grade: null } });
  });
});
