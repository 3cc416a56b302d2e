import { describe, expect, it } from 'vitest';
import type { Asset, Position } from '../../exchange-api/account.ts';
import { diverges, fitAccount, type FitContext } from './convention-fit.ts';
import { account, asset, SPECS, LINEAR, position } from '../../../tests/domain/order-samples.ts';

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
