import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import { fitAccount } from './convention-fit.ts';
import { divergencesOf } from './divergence.ts';
import { account, asset, SPECS, LINEAR, position } from '../../../tests/domain/order-samples.ts';

/** 4 BTC at 97,000, isolated on 19,000: flat 1 % maintenance is 3880, liquidation 361,000 / (4 × 0.9895). */
const found = (
  changes: Partial<Position>,
  limit = '0.1',
  inUse: Parameters<typeof divergencesOf>[1] = { convention: 'flat', closingFee: true },
) => {
  const one = position({
    quantity: '4',
    entryValue: '380000',
    margin: '19000',
    marginMode: 'ISOLATED',
    maintainMargin: '3880',
    liquidPrice: '91207.7',
    ...changes,
  });
  const fit = fitAccount({
    account: account([one], [asset()]),
    contractOf: () => LINEAR,
    specs: () => SPECS,
  }).positions[0];
  if (fit === undefined) throw new Error('no fit');
  return divergencesOf(fit, inUse, limit);
};

describe('divergences between reported values and estimates', () => {
  it('are empty if all values agree to the last decimal', () => {
    expect(found({})).toEqual([]);
  });

  it('include a price beyond the limit with its difference, and none within it', () => {
    expect(found({ liquidPrice: '91300.0' })).toMatchObject([
      { name: 'liquidation', reported: '91300.0', percent: '-0.1011' },
    ]);
    expect(found({ liquidPrice: '91300.0' }, '0.2')).toEqual([]);
    expect(found({ liquidPrice: '91208.7' }, '0')).toHaveLength(1);
  });

  it('include a maintenance margin that the convention in use cannot reproduce', () => {
    expect(found({ maintainMargin: '3900' })).toMatchObject([{ name: 'maintenance', percent: '-0.5128' }]);
    // Flat at entry, and flat with the fee: the exchange's own choice, found by the fit.
    expect(found({ maintainMargin: '3800' })).toEqual([]);
    expect(found({ maintainMargin: '4074' })).toEqual([]);
  });

  it('are of the reading in use, not of another that fits', () => {
    // Marginal: (361,000 − 1,250) / 3.958 = 90,891.9, and 3,880 − 1,250.
    expect(found({}, '0.1', { convention: 'marginal', closingFee: true })).toMatchObject([
      { name: 'liquidation', percent: '-0.3463' },
      { name: 'maintenance', estimate: '2630' },
    ]);
    // Without the fee: 361,000 / 3.96 = 91,161.6.
    expect(found({}, '0.01', { convention: 'flat', closingFee: false })).toMatchObject([
      { name: 'liquidation', percent: '-0.0505' },
    ]);
  });

  it('are empty for what is not reported', () => {
    expect(found({ liquidPrice: '0', maintainMargin: null })).toEqual([]);
  });

  it('include a liquidation price where the estimate has none', () => {
    expect(found({ margin: '900000' })).toMatchObject([
      { name: 'liquidation', estimate: null, percent: null },
    ]);
  });
});
