import { describe, expect, it } from 'vitest';
import type { TradeTotals } from '../../../src-shared/ipc/trades.ts';
import { ControlTotalsBuilder } from './control-totals.ts';

const archived = (count: number, ...fees: readonly (readonly [string, string])[]): TradeTotals =>
  ({ count, fees: fees.map(([asset, amount]) => ({ asset, amount })) }) as unknown as TradeTotals;

/** The totals of a file of two trades with fees in two coins. */
function file(isSummed = true) {
  const control = new ControlTotalsBuilder(isSummed);
  control.trades = 2;
  control.fee('USDT', '0.10');
  control.fee('BTC', '0.002');
  return control;
}

describe('the control totals of a file', () => {
  it('agree with the archive’s if every coin’s sum is the same amount', () => {
    const { fees, agrees } = file().result(archived(2, ['BTC', '0.0020'], ['USDT', '0.1']));
    expect(agrees).toBe(true);
    expect(fees).toEqual([
      { asset: 'BTC', amount: '0.002' },
      { asset: 'USDT', amount: '0.1' },
    ]);
    expect(file().result(archived(2, ['BTC', '0.002'], ['USDT', '0.1'], ['ETH', '0'])).agrees).toBe(true);
  });

  it.each([
    ['a trade more', archived(3, ['BTC', '0.002'], ['USDT', '0.1'])],
    ['another fee', archived(2, ['BTC', '0.002'], ['USDT', '0.2'])],
    ['a fee in a coin the file has not', archived(2, ['BTC', '0.002'], ['USDT', '0.1'], ['ETH', '1'])],
    ['no fee in a coin the file has', archived(2, ['USDT', '0.1'])],
  ])('do not agree if the archive has %s', (_what, totals) => {
    expect(file().result(totals).agrees).toBe(false);
  });

  it('have the archive’s fees where only rows are counted', () => {
    const totals = archived(2, ['ETH', '7']);
    expect(file(false).result(totals)).toMatchObject({ fees: totals.fees, agrees: true });
    expect(file(false).result(archived(1)).agrees).toBe(false);
  });

  it('have the profit of orders by coin, or none of a filter that has none', () => {
    const control = file();
    control.profit('USDT', '-3');
    control.profit('BTC', '0.5');
    control.profit('USDT', '1.50');
    expect(control.result(archived(2)).profit).toBeNull();
    control.open = 0;
    expect(control.result(archived(2)).profit).toEqual({
      orders: 3,
      sums: [
        { asset: 'BTC', amount: '0.5' },
        { asset: 'USDT', amount: '-1.5' },
      ],
      ...{ uncovered: 0, open: 0, unread: 0 },
    });
  });
});
