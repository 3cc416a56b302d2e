import { describe, expect, it } from 'vitest';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { diverges, fitAccount, type FitContext } from './convention-fit.ts';
import { account, asset, INVERSE, LINEAR, position, SPECS } from '../../../tests/domain/order-samples.ts';

const context = (positions: readonly Position[], assets: readonly Asset[] = [asset()]): FitContext => ({
  account: account(positions, assets),
  contractOf: (symbolId) => (symbolId === LINEAR.symbolId ? LINEAR : undefined),
  specs: () => SPECS,
});
/** 4 BTC at 97,000: 388,000 in the second tier; flat 1 % is 3880, marginal 1,250 less. */
const second = (changes: Partial<Position>): Position =>
  position({ quantity: '4', entryValue: '380000', liquidPrice: '0', marginMode: 'ISOLATED', ...changes });

describe('fitAccount', () => {
  it.each([
    ['3880', 'flat', 'mark', 'out'],
    ['2630', 'marginal', 'mark', 'out'],
    ['4074', 'flat', 'mark', 'in'],
    ['3800', 'flat', 'entry', 'out'],
    ['2740', 'marginal', 'entry', 'in'],
  ] as const)('reads %s as %s at %s, fee %s', (maintainMargin, convention, at, fee) => {
    const fit = fitAccount(context([second({ maintainMargin })]));
    expect(fit).toMatchObject({ state: 'named', convention, fee: null });
    const trials = fit.positions[0]?.maintenance?.trials.filter((one) => one.fits);
    expect(trials?.map((one) => one.reading)).toEqual([{ at, convention, fee }]);
  });

  it('compares no liquidation price of an unknown margin mode', () => {
    const odd = second({ maintainMargin: '3880', liquidPrice: '60000', marginMode: 'PORTFOLIO' });
    expect(fitAccount(context([odd]))).toMatchObject({
      state: 'named',
      convention: 'flat',
      positions: [{ liquidation: null }],
    });
  });

  it('calls the first tier undecidable: all readings agree there', () => {
    const first = position({ quantity: '2', maintainMargin: '970', liquidPrice: '0' });
    expect(fitAccount(context([first]))).toMatchObject({ state: 'undecidable', convention: null });
    // Another position decides for both.
    expect(fitAccount(context([first, second({ maintainMargin: '2630' })]))).toMatchObject({
      state: 'named',
      convention: 'marginal',
    });
  });

  it('reports that nothing fits, with the residual of the nearest', () => {
    const fit = fitAccount(context([second({ maintainMargin: '3900' })]));
    expect(fit).toMatchObject({ state: 'apart', convention: null });
    expect(fit.positions[0]).toMatchObject({ conventions: [], maintenance: { nearest: { residue: '-20' } } });
    const both = [second({ maintainMargin: '2630' }), second({ maintainMargin: '3880' })];
    expect(fitAccount(context(both)).state).toBe('apart');
  });

  it('finds from the liquidation price whether it includes the closing fee', () => {
    // 380,000 − 19,000 = 361,000 = 4p (1 − 0.01 [− 0.0005]).
    const held = { maintainMargin: '3880', avgEntryPrice: '95000', margin: '19000' };
    const at = (liquidPrice: string) => fitAccount(context([second({ ...held, liquidPrice })]));
    expect(at('91207.6')).toMatchObject({ state: 'named', convention: 'flat', fee: 'in' });
    expect(at('91161.6')).toMatchObject({ state: 'named', convention: 'flat', fee: 'out' });
    expect(at('91300.0').state).toBe('apart');
    const apart = ['91207.6', '91161.6'].map((liquidPrice) => second({ ...held, liquidPrice }));
    expect(fitAccount(context(apart))).toMatchObject({ state: 'named', fee: null });
    // 0.01 BTC: money of whole USDT is ±200 in its price, which is more than the fee makes.
    const small = {
      quantity: '0.010',
      entryValue: '950',
      maintainMargin: null,
      margin: '47.5',
      liquidPrice: '90700.0',
    };
    expect(fitAccount(context([second({ avgEntryPrice: '95000', ...small })])).fee).toBeNull();
  });

  it.each([
    ['70998.7', 'flat', 'out'],
    ['71038.5', 'flat', 'in'],
    ['70683.1', 'marginal', 'out'],
    ['70722.7', 'marginal', 'in'],
  ] as const)(
    'reads a cross liquidation at %s as %s, fee %s, from all of the coin',
    (liquidPrice, convention, fee) => {
      // 100,000 + 4 (p − 95,000) − 1,000 = 155 [+ 15.5] + 4p × 1 % [− 1,250] [+ 4p × 0.05 %]
      const held = { quantity: '4', entryValue: '380000', maintainMargin: null, liquidPrice };
      const eth = {
        symbolId: 'ETH-USDT-M',
        side: 'SELL',
        quantity: '10',
        avgEntryPrice: '3000',
        markPrice: '3100',
      };
      const other = position({
        ...eth,
        entryValue: '30000',
        maintainMargin: null,
        liquidPrice: '0',
        positionId: '2',
      });
      const listed = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }];
      const where: FitContext = {
        ...context([position(held), other], [asset({ coin: 'BTC', balance: '3' }), asset()]),
        contractOf: (symbolId) => listed.find((one) => one.symbolId === symbolId),
      };
      const fit = fitAccount(where);
      expect(fit).toMatchObject({ state: 'named', convention, fee });
      expect(fit.positions[0]).toMatchObject({ reason: null, liquidation: { isFeeKnown: true } });
      // Without the other contract's fee, no reading with fees could be tried.
      const specs: FitContext['specs'] = (symbolId) =>
        symbolId === LINEAR.symbolId ? SPECS : { ...SPECS, feeRateTaker: null };
      const [first, second] = fitAccount({ ...where, specs }).positions;
      expect(first?.liquidation?.isFeeKnown).toBe(false);
      expect(second).toMatchObject({ liquidation: null, reason: 'Nothing reported to compare.' });
    },
  );

  it('allows for rounded money by the value of the contract, inverse ones by the square of the price', () => {
    // 1 + 1,000,000 ÷ 95,000 = 1,010,000 ÷ p: p = 87,625.6, within 0.001 × 2p² ÷ 1,000,000 = 15.4.
    const held = {
      symbolId: 'BTC-USD-M',
      quantity: '1000000',
      avgEntryPrice: '95000',
      markPrice: '80000',
      margin: '1',
    };
    const at = (liquidPrice: string) => {
      const one = second({ ...held, entryValue: '10.526315789', maintainMargin: '0.125', liquidPrice });
      return fitAccount({ ...context([one]), contractOf: () => INVERSE });
    };
    expect(at('87635.0')).toMatchObject({ state: 'named', convention: 'flat', fee: 'out' });
    expect(at('87645.0').state).toBe('apart');
  });

  it('allows for no more than the last decimal of the exchange’s money and prices', () => {
    expect(fitAccount(context([second({ maintainMargin: '3880.50' })])).state).toBe('apart');
    const held = { maintainMargin: '3880', avgEntryPrice: '95000', margin: '19000' };
    // 91,207.6 with one decimal, whose zero was cut.
    expect(fitAccount(context([second({ ...held, liquidPrice: '91209' })])).state).toBe('apart');
    // Without a mark only the entry is tried.
    const [unmarked] = fitAccount(context([second({ ...held, markPrice: null })])).positions;
    expect(unmarked?.maintenance?.trials.map(({ reading }) => reading.at)).toEqual(Array(4).fill('entry'));
  });

  it('takes no figure that needs an unknown taker fee as evidence against both conventions', () => {
    const held = { maintainMargin: '3880', avgEntryPrice: '95000', margin: '19000' };
    const unknown = { specs: () => ({ ...SPECS, feeRateTaker: null }) };
    const at = (change: Partial<Position>) => fitAccount({ ...context([second(change)]), ...unknown });
    // 91,207.6 is with a fee of 0.05 %.
    expect(at({ ...held, liquidPrice: '91207.6' })).toMatchObject({
      state: 'named',
      convention: 'flat',
      // Still compared, so that a large difference is shown.
      positions: [{ liquidation: { isFeeKnown: false, nearest: { fits: false } } }],
    });
    expect(at({ ...held, liquidPrice: '91161.6' }).positions[0]?.liquidation?.nearest?.fits).toBe(true);
    const cross = { ...held, marginMode: 'CROSSED', liquidPrice: '91207.6' } as const;
    expect(at(cross)).toMatchObject({ state: 'named', convention: 'flat' });
    expect(at({ ...held, maintainMargin: '4074' }).state).toBe('nothing');
  });

  it('reports why nothing can be fitted', () => {
    expect(fitAccount(context([]))).toMatchObject({ state: 'nothing', convention: null });
    const unknown = fitAccount(context([second({ symbolId: 'GONE' })]));
    expect(unknown.state).toBe('nothing');
    expect(unknown.positions[0]?.reason).toContain('GONE is not listed by the exchange');
    const torn = fitAccount(context([second({ avgEntryPrice: '0', liquidPrice: '90000' })]));
    expect(torn.positions[0]?.reason).toContain('entryPrice');
  });
});

describe('diverges', () => {
  it('compares the difference as a share of the reported value', () => {
    expect(diverges('100000', '100100', '0.001')).toBe(false);
    expect(diverges('100000', '99899.9', '0.001')).toBe(true);
  });
});
