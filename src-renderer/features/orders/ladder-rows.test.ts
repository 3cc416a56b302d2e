import { describe, expect, it } from 'vitest';
import { finish } from '../../../src-shared/domain/numeric/steps.ts';
import { ladderSteps, reachedSteps } from '../../../src-shared/domain/risk/resting-ladder.ts';
import { account, context, openOrder, position } from '../../../tests/domain/order-samples.ts';
import { ladderRows } from './ladder-rows.ts';

const order = (side: string, price: string) =>
  openOrder({ side, price, quantity: '0.100', reduceOnly: false, orderId: `${side}${price}` });
const resting = [order('BUY', '95000.0'), order('BUY', '90000.0'), order('SELL', '99000.0')];
const rowsOf = (positions = [position()], target: string | null = null, openOrders = resting) => {
  const ladder = finish(ladderSteps('BTC-USDT-M', context({ openOrders, account: account([position()]) })))!;
  return ladderRows(ladder, positions, target);
};
const written = (rows: ReturnType<typeof rowsOf>): string[] =>
  rows.map(({ line, level }) =>
    line === undefined ? `${level.side} ${level.price}` : `${line.label} ${line.price}`,
  );

describe('rows of the price ladder', () => {
  it('have lines for mark, entry and liquidation at their prices', () => {
    expect(written(rowsOf())).toEqual([
      'SELL 99000.0',
      'Mark 97000.0',
      'Entry, long 95000.0',
      'BUY 95000.0',
      'BUY 90000.0',
      'Liquidation, long 60000.0',
    ]);
  });
  it('have no line for a price that is missing, of another contract, or none', () => {
    const other = position({ symbolId: 'ETH-USDT-M', positionId: '2' });
    expect(written(rowsOf([position({ liquidPrice: '0', avgEntryPrice: null }), other]))).toEqual([
      'SELL 99000.0',
      'Mark 97000.0',
      'BUY 95000.0',
      'BUY 90000.0',
    ]);
  });
  it('mark the levels that fill on the way to a price, as many as the domain counts', () => {
    const past = [...resting, order('BUY', '98000.0')];
    for (const [openOrders, target, fills] of [
      [resting, '95000.1', []],
      [resting, '95000', ['95000.0']],
      [resting, '80000', ['95000.0', '90000.0']],
      [resting, '99000.0', ['99000.0']],
      [past, '98500.0', ['98000.0']],
      [past, '95000.0', ['98000.0', '95000.0']],
    ] as const) {
      const rows = rowsOf([position()], target, [...openOrders]);
      const met = rows.flatMap((row) => (row.level && row.fills ? [row.level.price] : []));
      expect(met, target).toEqual(fills);
      const reached = finish(
        reachedSteps('BTC-USDT-M', target, context({ openOrders, account: account([position()]) })),
      );
      expect(reached?.filled, target).toBe(fills.length);
    }
  });
});
