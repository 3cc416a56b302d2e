import { describe, expect, it } from 'vitest';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { prepareSteps } from './price-shock.ts';
import type { EstimateContext } from '../position/resolved.ts';
import { crossLiquidation } from '../margin/liquidation.ts';
import { firstSteps, shockSteps } from './liquidation-sequence.ts';
import { coinAt, curveSteps, positionsAt } from './shocked.ts';
import { finish } from '../numeric/steps.ts';
import {
  account,
  asset,
  SPECS,
  INVERSE,
  LINEAR,
  position,
  tier,
} from '../../../tests/domain/order-samples.ts';

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
  closingFee: true,
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
/** One coin's cross positions, all of contracts like one, without fees. */
const of = (
  positions: readonly Position[],
  balance: string,
  contract: typeof LINEAR,
  tiers = contract.riskLimitConfigs,
): EstimateContext => ({
  ...within(positions, balance),
  account: account(
    positions,
    ['USDT', 'BTC'].map((coin) => asset({ coin, balance, isolatedMargin: '0' })),
  ),
  contractOf: (symbolId) => ({ ...contract, symbolId, riskLimitConfigs: tiers }),
  specs: () => ({ ...SPECS, feeRateTaker: '0' }),
});
const stepsOf = (context: EstimateContext, beta: (symbolId: string) => string = () => '1'): number => {
  const shock = finish(prepareSteps(context, beta));
  return [...shockSteps(shock, true)].length;
};
const paths = (context: EstimateContext, beta: (symbolId: string) => string = () => '1') => {
  const shock = finish(prepareSteps(context, beta));
  return { shock, down: finish(shockSteps(shock, true)), up: finish(shockSteps(shock, false)) };
};

describe('the first liquidation', () => {
  it('is the nearer one of both directions, as in the full paths', () => {
    for (const [side, quantity] of [
      ['BUY', '1'],
      ['SELL', '1'],
      ['BUY', '0.01'],
      ['BUY', '3'],
    ] as const) {
      const other = held('ETH-USDT-M', 'SELL', '10', '3000', { marginMode: 'ISOLATED', margin: '2000' });
      const { shock, down, up } = paths(within([held('BTC-USDT-M', side, quantity, '100000'), other]));
      const both = [down.liquidations[0], up.liquidations[0]].filter((one) => one !== undefined);
      const nearest = both.toSorted((a, b) => Math.abs(Number(a.move)) - Math.abs(Number(b.move)))[0];
      expect(finish(firstSteps(shock))).toEqual(nearest ?? null);
    }
  });

  it('is none of an account that no move in range liquidates', () => {
    const { shock } = paths(within([held('BTC-USDT-M', 'BUY', '0.01', '100000')]));
    expect(finish(firstSteps(shock))).toBeNull();
  });
});

describe('a move of all prices', () => {
  it('does not count a position whose margin mode is unknown', () => {
    const { shock } = paths(within([held('BTC-USDT-M', 'BUY', '1', '100000', { marginMode: 'PORTFOLIO' })]));
    expect(shock.notCounted).toMatchObject([
      { reason: expect.stringContaining('margin mode of BTC-USDT-M') },
    ]);
    expect(shock.pools).toEqual([]);
  });
  it('needs the margin of an isolated position only', () => {
    const of = (marginMode: string) =>
      paths(within([held('BTC-USDT-M', 'BUY', '1', '100000', { marginMode, margin: null })])).shock;
    expect(of('CROSSED')).toMatchObject({ notCounted: [], pools: [{ cross: true }] });
    expect(of('ISOLATED')).toMatchObject({ notCounted: [{ symbolId: 'BTC-USDT-M' }], pools: [] });
  });
  it('counts no cross position of a coin while one of them cannot be counted', () => {
    const btc = held('BTC-USDT-M', 'BUY', '0.01', '100000');
    const unread = held('ETH-USDT-M', 'SELL', '10', '3000', { markPrice: null });
    const of = (other: Position) =>
      paths(within([btc, other, held('BTC-USD-M', 'BUY', '20', '100000')])).shock;
    const both = of(unread);
    expect(both.notCounted).toMatchObject([
      { symbolId: 'ETH-USDT-M', reason: 'ETH-USDT-M has no mark price.' },
      { symbolId: 'BTC-USDT-M', reason: 'ETH-USDT-M has no mark price.' },
    ]);
    expect(both.pools.map(({ coin }) => coin)).toEqual(['BTC']);
    // A contract that is not listed may be of any coin.
    expect(of(held('GONE', 'BUY', '1', '1')).pools).toEqual([]);
    const alone = of({ ...unread, marginMode: 'ISOLATED' });
    expect(alone.pools.map(({ coin }) => coin).sort()).toEqual(['BTC', 'USDT']);
  });
  it('counts no position of a coin whose balance is not known', () => {
    const of = (marginMode: string, assets: readonly Asset[]) => {
      const context = within([held('BTC-USDT-M', 'BUY', '1', '100000', { marginMode })]);
      const { shock } = paths({ ...context, account: { ...context.account, assets } });
      return [shock.pools.length, shock.notCounted.map(({ reason }) => reason)];
    };
    const unread = asset({ balance: null });
    expect(of('CROSSED', [])).toEqual([0, ['No USDT in the account.']]);
    expect(of('CROSSED', [unread])).toEqual([0, [expect.stringContaining('balance')]]);
    expect(of('CROSSED', [asset({ isolatedMargin: null })])).toEqual([
      0,
      [expect.stringContaining('isolated')],
    ]);
    for (const assets of [[], [unread], [asset({ coin: 'BTC' })]])
      expect(of('ISOLATED', assets)).toEqual([0, ['The balance of USDT is not known.']]);
    expect(of('ISOLATED', [asset()])).toEqual([1, []]);
  });
  it('neither counts nor misses a listed position of quantity 0', () => {
    const one = held('BTC-USDT-M', 'BUY', '1', '100000');
    const { shock } = paths(within([one, held('ETH-USDT-M', 'SELL', '0.00', '0', { margin: '0' })]));
    expect([shock.notCounted, shock.pools.flatMap(({ movers }) => movers).length]).toEqual([[], 1]);
  });

  it('liquidates a cross position at its liquidation price', () => {
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

  it('liquidates all of a coin at once, the largest requirement first', () => {
    const big = held('BTC-USDT-M', 'BUY', '1', '100000');
    const small = held('ETH-USDT-M', 'BUY', '1', '3000');
    const { down } = paths(within([small, big]));
    expect(down.liquidations.map((one) => one.position.symbolId)).toEqual(['BTC-USDT-M', 'ETH-USDT-M']);
    // Each takes its share of the equity along, so the rest stays at its limit.
    const [first, second] = down.liquidations;
    expect(second?.move).toBe(first?.move);
    expect(Number(first?.lost) / Number(second?.lost)).toBeCloseTo(100_000 / 3_000, 6);
  });

  it('liquidates an isolated position alone, with the rest of its margin', () => {
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

  it.each([
    // 60 + value − 1020 is 5% of a value of 1010.53; from 1000 down 0.5% is enough again, until 964.82.
    ['BTC-USDT-M', 'BUY', '1', '1020', '60', /^1010\.526315/],
    // In coins: 65.3 − 1020 + value is 5% of a value of 1004.947; from a value of 1000, at 1020, 0.5% is enough again.
    ['BTC-USD-M', 'SELL', '1020000', '1000', '65.3', /^1014\.97852/],
  ] as const)(
    'finds where a higher tier requires it, though from the next border on a lower one does not: %s %s',
    (symbolId, side, quantity, price, margin, at) => {
      const tiers = [tier(1, '0', '1000', '0.005', '100'), tier(2, '1000', '100000', '0.05', '20')];
      const base = within([held(symbolId, side, quantity, price, { marginMode: 'ISOLATED', margin })]);
      const context = {
        ...base,
        contractOf: (id: string) => ({ ...base.contractOf(id)!, riskLimitConfigs: tiers }),
        specs: () => ({ ...SPECS, feeRateTaker: '0' }),
      };
      const { down, up } = paths(context);
      expect((side === 'BUY' ? down : up).liquidations[0]?.price).toMatch(at);
    },
  );

  it('finds a dip narrower than a step, of linear contracts that gain and lose', () => {
    const tiers = [tier(1, '0', '1000', '0.005', '100'), tier(2, '1000', '100000', '0.05', '20')];
    // At −1.5% equity is 60.4975 − 520 × 1.5% and (5% of 1020 + 0.5% of 500) × 98.5% is required; from −1.97% on 0.5% of all.
    const positions = [held('A-USDT-M', 'BUY', '1', '1020'), held('B-USDT-M', 'SELL', '1', '500')];
    const context = {
      ...within(positions, '60.4975'),
      contractOf: (symbolId: string) => ({ ...LINEAR, symbolId, riskLimitConfigs: tiers }),
      specs: () => ({ ...SPECS, feeRateTaker: '0' }),
    };
    expect(paths(context).down.liquidations[0]?.move).toBe('-0.015');
  });

  it.each([
    // (5% of 2520) × 98.5% at −1.5%, which is before the border of 1000 at −1.96%.
    ['161.91', '-0.015'],
    // 180 + 2520 m is 0.5% of 1020 (1 + m) and 5% of 1500 (1 + m), past that border.
    ['180', '-0.0409443'],
  ])('looks at the borders in the order of the move, with a balance of %s', (balance, move) => {
    const tiers = [
      tier(1, '0', '100', '0.005', '100'),
      tier(2, '100', '1000', '0.005', '100'),
      tier(3, '1000', '100000', '0.05', '20'),
    ];
    const positions = [held('C-USDT-M', 'BUY', '1', '1500'), held('A-USDT-M', 'BUY', '1', '1020')];
    const found = paths(of(positions, balance, LINEAR, tiers)).down.liquidations[0];
    expect(found?.move.slice(0, 10)).toBe(move);
  });

  it('liquidates at once what its equity covers no more', () => {
    const { down, up } = paths(within([held('BTC-USDT-M', 'BUY', '1', '100000')], '100'));
    for (const path of [down, up])
      expect(path.liquidations).toMatchObject([{ move: '0', price: '100000', lost: '100' }]);
  });

  it('liquidates where nothing is left, of contracts that need no margin', () => {
    const tiers = [tier(1, '0', '100000', '0', '100')];
    const { down } = paths(of([held('BTC-USDT-M', 'BUY', '1', '100')], '50', LINEAR, tiers));
    expect(down.liquidations).toMatchObject([{ move: '-0.5', price: '50', lost: '0' }]);
  });

  // balance + 0.4 (1 − 1/f) − 0.3 (1 − 1/g) − 0.5% of (0.4/f + 0.3/g) with f = 1 + m/2, g = 1 + m is least at +55.96%, where
  // it takes 0.0227164 of the balance.
  const dip = [held('BTC-EUR-M', 'BUY', '40000', '100000'), held('BTC-USD-M', 'SELL', '30000', '100000')];
  const betaOf = (symbolId: string): string => (symbolId === 'BTC-EUR-M' ? '0.5' : '1');

  it('finds a dip of inverse contracts that gain and lose at unlike betas', () => {
    const { up, down } = paths(of(dip, '0.02271535', INVERSE), betaOf);
    expect(Number(up.liquidations[0]?.move)).toBeCloseTo(0.55395, 4);
    expect(down.liquidations).toEqual([]);
    expect(paths(of(dip, '0.022717', INVERSE), betaOf).up.liquidations).toEqual([]);
  });

  it('searches inverse contracts that lose alike at their tier borders only', () => {
    const alike = [held('BTC-EUR-M', 'BUY', '1', '100000'), held('BTC-USD-M', 'SELL', '1', '100000')];
    const opposed = (symbolId: string): string => (symbolId === 'BTC-EUR-M' ? '1' : '-1');
    expect(stepsOf(of(alike, '1', INVERSE, [tier(1, '0', '1', '0.005', '100')]), opposed)).toBeLessThan(5);
  });

  it.each([
    ['mixed inverse contracts, in steps of a percent', INVERSE, 60, 94],
    ['many mixed inverse contracts, in wider steps', INVERSE, 61, 37],
    ['linear contracts, at both sides of each border', LINEAR, 50, 100],
    ['linear contracts of more borders than steps, in these', LINEAR, 51, 94],
  ])('searches %s', (_, contract, count, points) => {
    const symbolOf = (index: number): string =>
      contract === LINEAR ? `A${String(index)}-USDT-M` : `BTC-A${String(index)}-M`;
    const tiers = [tier(1, '0', '1', '0.005', '100'), tier(2, '1', '100000', '0.005', '100')];
    const positions = Array.from({ length: count }, (_each, index) =>
      held(symbolOf(index), index % 2 === 0 ? 'BUY' : 'SELL', '2', '1'),
    );
    expect(stepsOf(of(positions, '10000', contract, tiers))).toBe(points + 1);
  });

  it('lists liquidations in the order in which the move reaches them, however positions are listed', () => {
    const isolated = (symbolId: string, margin: string): Position =>
      held(symbolId, 'BUY', '1', '10000', { marginMode: 'ISOLATED', margin });
    const [near, mid, far] = [
      isolated('A-USDT-M', '1000'),
      isolated('B-USDT-M', '2000'),
      isolated('C-USDT-M', '3000'),
    ];
    for (const positions of [
      [near, mid, far],
      [far, mid, near],
      [mid, far, near],
    ])
      expect(paths(within(positions)).down.liquidations.map(({ position: one }) => one)).toEqual([
        near,
        mid,
        far,
      ]);
  });

  it('moves each contract by its beta, one of 0 not at all', () => {
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

  it('covers inverse contracts, whose margin coin loses value too', () => {
    const { down, up } = paths(within([held('BTC-USD-M', 'BUY', '20000', '100000')]));
    // 0.2 + 0.2 − 0.2 / f = 0.0055 × 0.2 / f: f = 0.50275.
    expect(down.liquidations[0]?.move).toMatch(/^-0\.49725/);
    expect(up.liquidations).toEqual([]);
  });

  it('finds no liquidation of a full hedge in either direction', () => {
    const legs = [held('BTC-USDT-M', 'BUY', '1', '100000'), held('BTC-USDT-M', 'SELL', '1', '100000')];
    const { down } = paths(within(legs));
    expect(down.liquidations).toEqual([]);
  });

  it('lists positions it cannot move as left out', () => {
    const { shock } = paths(
      within([held('GONE', 'BUY', '1', '1'), held('BTC-USDT-M', 'BUY', '1', '100000', { markPrice: null })]),
    );
    expect(shock.notCounted.map((one) => one.symbolId)).toEqual(['GONE', 'BTC-USDT-M']);
  });
});

describe('the account at a given move', () => {
  const isolated = { marginMode: 'ISOLATED', margin: '1000' } as const;
  const cents = (text: string | undefined): number => Math.round(Number(text) * 100) / 100;

  it('loses at most its margin with an isolated position', () => {
    const both = paths(
      within([
        held('SOL-USDT-M', 'BUY', '100', '100', isolated),
        held('BTC-USDT-M', 'BUY', '0.01', '100000'),
      ]),
    );
    const [btc, sol] = positionsAt(both, '-0.5');
    expect(sol).toMatchObject({ pnl: '-1000', price: '50', liquidation: { order: 1 }, isClosed: false });
    expect(btc).toMatchObject({ pnl: '-500', move: '-0.5', liquidation: null });
    expect(positionsAt(both, '-0.05').map((one) => one.pnl)).toEqual(['-50', '-500']);
  });

  it('has position changes that add up to each coin’s equity change, liquidations included', () => {
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

  it('has requirement ÷ equity as ratio, and none without equity', () => {
    const both = paths(within([held('BTC-USDT-M', 'BUY', '1', '100000')]));
    const [usdt] = finish(curveSteps(both, ['0', '-0.5']));
    expect(usdt?.points.map((one) => one.ratio)).toEqual(['0.04583333', null]);
    expect(usdt?.points[0]?.equity).toBe('12000');
    const alone = held('SOL-USDT-M', 'BUY', '100', '100', isolated);
    const beside = paths(within([held('BTC-USDT-M', 'BUY', '1', '100000'), alone]));
    expect(coinAt(beside, 'USDT', '0').ratio).toBe('0.04583333');
    expect(coinAt(paths(within([alone])), 'USDT', '0')).toEqual({ equity: '12000', ratio: null });
  });
});
