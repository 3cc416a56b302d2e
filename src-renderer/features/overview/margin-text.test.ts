import { expect, it } from 'vitest';
import { marginBreakdown } from '../../../src-shared/domain/risk/margin-breakdown.ts';
import { account, asset, LINEAR, position } from '../../../tests/domain/order-samples.ts';
import { marginFormula } from './margin-text.ts';

const contracts = new Map([[LINEAR.symbolId, LINEAR]]);
const usdt = asset({
  balance: '1000.10',
  isolatedMargin: '100',
  isolatedLocked: '50',
  crossProfitUnreal: '-50.10',
  crossedMaintainMargin: '1067',
  crossedMaintainMarginRate: '1.33375',
});

it('copies the division digit for digit, with the source of each figure', () => {
  const isolated = position({ marginMode: 'ISOLATED', side: 'SELL', margin: '120', profitUnreal: null });
  const found = marginBreakdown(account([position(), isolated], [usdt]), contracts, '1', () => null);
  expect(marginFormula(found.coins[0] ?? null, found.isolated)).toBe(
    [
      'Margin ratio USDT = maintenance margin with closing fees ÷ cross equity',
      '1067 (exchange) ÷ 800 (Ballast ≈) = 133.4% (exchange: 1.33375); Ballast ≈ 133.4%',
      '  BTC-USDT-M Long: maintenance 970.00 + closing fee 97.00 = 1067',
      'Cross equity USDT = balance 1000.10 − isolated margin 100 − isolated orders 50 + cross unrealised PnL -50.10 = 800',
      'BTC-USDT-M Short isolated: maintenance and closing fee 1067 ÷ (margin 120 + unrealised PnL — = —) = —',
    ].join('\n'),
  );
});

it('shows no percentage while the unit is unknown', () => {
  const found = marginBreakdown(account([position()], [usdt]), contracts, null, () => null);
  expect(marginFormula(found.coins[0] ?? null, [])).toContain('= 1.33375 (exchange; unit not known)');
});
