import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import { prepareShock } from './price-shock.ts';
import type { EstimateContext } from '../position/resolved.ts';
import { crossLiquidation } from '../margin/liquidation.ts';
import { firstSteps, shockPath } from './liquidation-sequence.ts';
import { coinAt, curveSteps, positionsAt } from './shocked.ts';
import { finish } from '../numeric/steps.ts';
import { account, asset, SPECS, INVERSE, LINEAR, position } from '../../../tests/domain/order-samples.ts';

const within = (positions: readonly Position[], balance = '12000'): EstimateContext => ({
  account: account(positions, [
    asset({ balance, isolatedMargin: '0' }),
    asset({ coin: 'BTC', balance: '0.2', isolatedMargin: '0' }),
  ]),
  contractOf: (symbolId) =>
    ({ 'BTC-USD-M': INVERSE, GONE: undefined })[symbolId] ??
    (symbolId === 'GONE' ? undefined : { ...LINEAR, symbolId }),
  specs: () => SPECS,
  convention: 'flat',
});
const held = (
  symbolId: string,
  side: string,
  quantity: string,
  price: string,
  more: Partial<Position> = {},
) =>
  position({
    symbolId,
    side,
    quantity,
    avgEntryPrice: price,
    markPrice: price,
    entryValue: '0',
    margin: '1000',
    ...more,
  });
const paths = (context: EstimateContext, beta: (symbolId: string) => string = () => '1') => {
  const shock = prepareShock(context, beta);
  return { shock, down: shockPath(shock, true), up: shockPath(shock, false) };
};

describe('the first of all', () => {
  it('is the nearer of the two ways, as the whole paths say', () => {
    for (const [side, quantity] of [
      ['BUY', '1'],
      ['SELL', '1'],
      ['BUY', '0.01'],
    ] as const) {
      const other = held('ETH-USDT-M', 'SELL', '10', '3000', { marginMode: 'ISOLATED', margin: '2000' });
      const { shock, down, up } = paths(within([held('BTC-USDT-M', side, quantity, '100000'), other]));
      const both = [down.liquidations[0], up.liquidations[0]].filter((one) => one !== undefined);
      const nearest = both.toSorted((a, b) => Math.abs(Number(a.move)) - Math.abs(Number(b.move)))[0];
      expect(finish(firstSteps(shock))).toEqual(nearest ?? null);
    }
  });
});

describe('a move of all prices', () => {
  it('reaches a cross account where its liquidation price is', () => {
    const context = within([held('BTC-USDT-M', 'BUY', '1', '100000')]);
    const { down, up } = paths(context);
    const [price] = crossLiquidation({
      walletBalance: '12000',
      positions: [
        {
          contractSide: 'FORWARD',
          side: 'BUY',
          quantity: '1',
          entryPrice: '100000',
          markPrice: '100000',
          tiers: LINEAR.riskLimitConfigs,
          convention: 'flat',
        },
      ],
      feeRate: '0.0005',
    });
    expect(down.liquidations[0]?.price.slice(0, 8)).toBe(price?.slice(0, 8));
    expect(up.liquidations).toEqual([]);
  });

  it('takes the coin’s largest requirement first, until the rest is safe', () => {
    const big = held('BTC-USDT-M', 'BUY', '1', '100000');
    const small = held('ETH-USDT-M', 'BUY', '1', '3000');
    const { down } = paths(within([small, big]));
    expect(down.liquidations.map((one) => one.position.symbolId)).toEqual(['BTC-USDT-M', 'ETH-USDT-M']);
    // Each gives its share of the equity, so the rest stays at its limit.
    const [first, second] = down.liquidations;
    expect(second?.move).toBe(first?.move);
    expect(Number(first?.lost) / Number(second?.lost)).toBeCloseTo(100_000 / 3_000, 6);
  });

  it('lets an isolated position go alone, with the rest of its margin', () => {
    const alone = held('SOL-USDT-M', 'SELL', '100', '100', { marginMode: 'ISOLATED' });
    const context = within([alone, held('BTC-USDT-M', 'BUY', '0.01', '100000')]);
    const { up, down } = paths(context);
    expect(up.liquidations.map((one) => one.position)).toEqual([alone]);
    // 1000 − 10,000 m = 0.0055 × 10,000 (1 + m)
    expect(up.liquidations[0]?.move.slice(0, 9)).toBe('0.0939830'.slice(0, 9));
    // The long makes 200, the short costs its 1000 and no more.
    expect(coinAt({ down, up }, 'USDT', '0').equity).toBe('12000');
    expect(coinAt({ down, up }, 'USDT', '0.2').equity).toBe('11200');
    expect(down.liquidations).toEqual([]);
  });

  it('moves each contract by its beta, and one of 0 not at all', () => {
    const context = within([
      held('BTC-USDT-M', 'BUY', '1', '100000'),
      held('ETH-USDT-M', 'BUY', '1', '3000'),
    ]);
    const still = paths(context, (symbolId) => (symbolId === 'ETH-USDT-M' ? '0' : '1'));
    const twice = paths(context, () => '2');
    const once = paths(context);
    expect(Number(twice.down.liquidations[0]?.move) * 2).toBeCloseTo(
      Number(once.down.liquidations[0]?.move),
      8,
    );
    expect(still.down.liquidations.map((one) => one.position.symbolId)).toContain('BTC-USDT-M');
  });

  it('holds for inverse contracts, whose coin loses too', () => {
    const { down, up } = paths(within([held('BTC-USD-M', 'BUY', '20000', '100000')]));
    // 0.2 + 0.2 − 0.2 / f = 0.0055 × 0.2 / f: f = 0.50275.
    expect(down.liquidations[0]?.move).toMatch(/^-0\.49725/);
    expect(up.liquidations).toEqual([]);
  });

  it('sees a hedge that loses neither way', () => {
    const legs = [held('BTC-USDT-M', 'BUY', '1', '100000'), held('BTC-USDT-M', 'SELL', '1', '100000')];
    const { down } = paths(within(legs));
    expect(down.liquidations).toEqual([]);
  });

  it('counts what it cannot move as left out', () => {
    const { shock } = paths(
      within([held('GONE', 'BUY', '1', '1'), held('BTC-USDT-M', 'BUY', '1', '100000', { markPrice: null })]),
    );
    expect(shock.left.map((one) => one.symbolId)).toEqual(['GONE', 'BTC-USDT-M']);
  });
});

describe('the account at one place of a move', () => {
  const isolated = { marginMode: 'ISOLATED', margin: '1000' } as const;
  const cents = (text: string | undefined): number => Math.round(Number(text) * 100) / 100;

  it('takes from an isolated position its margin and no more', () => {
    const both = paths(
      within([
        held('SOL-USDT-M', 'BUY', '100', '100', isolated),
        held('BTC-USDT-M', 'BUY', '0.01', '100000'),
      ]),
    );
    const [btc, sol] = positionsAt(both, '-0.5');
    expect(sol).toMatchObject({ pnl: '-1000', price: '50', liquidation: { order: 1 } });
    expect(btc).toMatchObject({ pnl: '-500', move: '-0.5', liquidation: null });
    expect(positionsAt(both, '-0.05').map((one) => one.pnl)).toEqual(['-50', '-500']);
  });

  it('adds up to the change of each coin’s equity, whatever goes on the way', () => {
    const context = within([
      held('BTC-USDT-M', 'BUY', '1', '100000'),
      held('ETH-USDT-M', 'SELL', '4', '3000'),
      held('SOL-USDT-M', 'BUY', '100', '100', isolated),
      held('BTC-USD-M', 'BUY', '5000', '100000'),
    ]);
    const both = paths(context, (symbolId) => (symbolId.startsWith('ETH') ? '1.2' : '1'));
    for (const move of ['-0.9', '-0.3', '-0.1', '0', '0.25', '1.5'])
      for (const coin of ['USDT', 'BTC']) {
        const sums = positionsAt(both, move)
          .filter((one) => one.coin === coin)
          .reduce((total, one) => total + Number(one.pnl), 0);
        const change = Number(coinAt(both, coin, move).equity) - Number(coinAt(both, coin, '0').equity);
        expect(cents(String(sums)), `${coin} ${move}`).toBe(cents(String(change)));
      }
  });

  it('has the ratio of what is due over what is there, and none with nothing left', () => {
    const both = paths(within([held('BTC-USDT-M', 'BUY', '1', '100000')]));
    const [usdt] = finish(curveSteps(both, ['0', '-0.5']));
    expect(usdt?.points.map((one) => one.ratio)).toEqual(['0.04583333', null]);
    expect(usdt?.points[0]?.equity).toBe('12000');
  });
});
