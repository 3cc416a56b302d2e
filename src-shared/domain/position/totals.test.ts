import { expect, it } from 'vitest';
import { positionTotals } from './totals.ts';
import { position } from '../../../tests/domain/positions.ts';

const coinOf = ({ symbolId }: { symbolId: string }): string | null =>
  symbolId.endsWith('-USDT-M') ? 'USDT' : symbolId.endsWith('-USD-M') ? 'BTC' : null;

const VALUES: Readonly<Record<string, string>> = { 'BTC-USDT-M': '21181.198', 'ETH-USDT-M': '4473.742' };
const valueOf = ({ symbolId }: { symbolId: string }) => {
  const value = VALUES[symbolId];
  return value === undefined ? null : { value, coin: 'USDT' };
};

it('sums per margin coin, never across coins', () => {
  const rows = [
    position({ margin: '100.10', profitUnreal: '12.5', realizedPnl: '1' }),
    position({ symbolId: 'ETH-USDT-M', margin: '0.00000001', profitUnreal: '-0.5', realizedPnl: '-3.25' }),
    position({ symbolId: 'BTC-USD-M', margin: '0.4', profitUnreal: '-0.01', realizedPnl: '0' }),
    position({ symbolId: 'unlisted', margin: '1000000' }),
  ];
  expect(positionTotals(rows, coinOf, valueOf)).toEqual([
    {
      coin: 'USDT',
      count: 2,
      unmarked: 0,
      unread: 0,
      margin: '100.10000001',
      value: '25654.94',
      valueCoin: 'USDT',
      unrealised: '12',
      return: '0.1198801199',
      realised: '-2.25',
    },
  ]);
});

it('counts positions without a valuation, and excludes their margin from the return', () => {
  const rows = [
    position({ margin: '100', profitUnreal: '10' }),
    position({ margin: '300', profitUnreal: null, markPrice: null }),
    position({ margin: '100', profitUnreal: null }),
  ];
  expect(positionTotals(rows, coinOf, valueOf)[0]).toMatchObject({
    unmarked: 1,
    unread: 1,
    margin: '500',
    unrealised: '10',
    return: '0.1',
  });
});

it('leaves a position with an unread margin out of the return, whose profit has nothing to be divided by', () => {
  const rows = [
    position({ margin: '100', profitUnreal: '10' }),
    position({ margin: null, profitUnreal: '90' }),
  ];
  expect(positionTotals(rows, coinOf, valueOf)[0]).toMatchObject({
    unread: 1,
    margin: '100',
    unrealised: '100',
    return: '0.1',
  });
});

it('counts a position that only the value leaves out', () => {
  const rows = [position(), position({ quantity: null }), position({ markPrice: null })];
  const found = positionTotals(rows, coinOf, (one) =>
    one.quantity === null || one.markPrice === null ? null : valueOf(one),
  );
  expect(found[0]).toMatchObject({ count: 3, value: '21181.198', unmarked: 1, unread: 1 });
});

it('has no return if no position is valued', () => {
  const rows = [position({ profitUnreal: null }), position({ profitUnreal: null })];
  expect(positionTotals(rows, coinOf, () => null)[0]).toMatchObject({ return: null, unrealised: '0' });
});

it('has no value if its positions are valued in different coins', () => {
  const rows = [position(), position({ symbolId: 'BTC-USDC-M' })];
  const [total] = positionTotals(
    rows,
    () => 'BTC',
    ({ symbolId }) => ({ value: '5', coin: symbolId.split('-')[1] ?? '' }),
  );
  expect(total).toMatchObject({ value: null, valueCoin: null });
});
