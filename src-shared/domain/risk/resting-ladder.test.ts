import { describe, expect, it } from 'vitest';
import { amount } from '../../amount.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import { account, asset, context, flat, openOrder, position } from '../../../tests/domain/order-samples.ts';
import type { OrderContext } from '../instrument/trading-context.ts';
import { finish } from '../numeric/steps.ts';
import { afterSteps, restingFills } from './after-fills.ts';
import { ladderSteps, reachedSteps } from './resting-ladder.ts';

const BTC = 'BTC-USDT-M';
let count = 0;
const order = (side: string, price: string | null, quantity: string, changes: Partial<OpenOrder> = {}) =>
  openOrder({ side, price, quantity, reduceOnly: false, orderId: String(++count), ...changes });
const buy = (price: string, quantity = '1.000', changes: Partial<OpenOrder> = {}): OpenOrder =>
  order('BUY', price, quantity, changes);
const sell = (price: string, quantity = '1.000', changes: Partial<OpenOrder> = {}): OpenOrder =>
  order('SELL', price, quantity, changes);
const ladder = (openOrders: readonly OpenOrder[], changes: Partial<OrderContext> = {}) =>
  finish(ladderSteps(BTC, context({ openOrders, ...changes })));
const afterResting = (where: OrderContext) =>
  finish(afterSteps(where, restingFills(where.openOrders ?? []).fills));
const reached = (price: string, openOrders: readonly OpenOrder[], changes: Partial<OrderContext> = {}) =>
  finish(reachedSteps(BTC, price, context({ openOrders, ...changes })));

describe('resting orders by price', () => {
  it('are listed from the highest, one level per side and price, cumulated away from the mark', () => {
    const found = ladder([
      buy('90000.0', '0.500'),
      sell('99500.0', '2.000'),
      sell('99000.0', '1.500', { reduceOnly: true }),
      buy('95000.0'),
      buy('95000.00', '0.250'),
      order('BUY', '1.0', '5.000', { symbolId: 'ETH-USDT-M' }),
    ]);
    expect(found).toMatchObject({ unit: 'BTC', coin: 'USDT', mark: '97000.0', notCounted: [] });
    expect(
      found?.levels.map(({ side, price, orders, quantity, reducing }) => [
        side,
        price,
        orders,
        quantity,
        reducing,
      ]),
    ).toEqual([
      ['SELL', '99500.0', 1, '2', 0],
      ['SELL', '99000.0', 1, '1.5', 1],
      ['BUY', '95000.00', 2, '1.25', 0],
      ['BUY', '90000.0', 1, '0.5', 0],
    ]);
    expect(found?.levels.map(({ toMark }) => toMark)).toEqual([
      '0.0257731959',
      '0.0206185567',
      '-0.0206185567',
      '-0.0721649485',
    ]);
    // 1.25 × 95,000, then 0.5 × 90,000; margin at 20× and a fee of 0.05 %. Of the sells 1.5 of 2 open a short.
    expect(found?.levels.map(({ cumulated }) => cumulated)).toEqual([
      { quantity: '3.5', value: '347500', needed: '7636.25' },
      { quantity: '1.5', value: '148500', needed: '74.25' },
      { quantity: '1.25', value: '118750', needed: '5996.875' },
      { quantity: '1.75', value: '163750', needed: '8269.375' },
    ]);
  });

  it('have no distance without a mark, and list orders that cannot be counted', () => {
    const found = finish(
      ladderSteps(
        BTC,
        flat({ openOrders: [buy('90000.0'), order('BUY', null, '1'), order('UP', '5', '1')] }),
      ),
    );
    expect(found).toMatchObject({ mark: null, levels: [{ toMark: null }] });
    expect(found?.notCounted.map(({ reason }) => reason)).toEqual([
      'It has no price.',
      'Its side is unknown.',
    ]);
    expect(finish(ladderSteps('XXX', context({ openOrders: [] })))).toBeNull();
    expect(ladder([], { account: null })).toBeNull();
    expect(ladder([], { account: account([position({ quantity: null })]) })).toBeNull();
    expect(finish(reachedSteps('XXX', '1', context({ openOrders: [] })))).toBeNull();
    expect(reached('96000.0', [order('BUY', null, '1')])?.notCounted).toMatchObject([
      { reason: 'It has no price.' },
    ]);
  });
});

describe('if the price reaches', () => {
  it('a price no order rests at, nothing fills and the position is valued there', () => {
    const at = reached('96000.0', [buy('95000.0'), sell('99000.0')]);
    expect(at).toMatchObject({ filled: 0, liquidatedAt: null, unknownReason: null });
    expect(at?.account?.positions).toMatchObject([{ leg: { quantity: '2.000', entryPrice: '95000.0' } }]);
    // (2 × 96,000 × 0.5 % + fee 96) ÷ (100,000 + 2,000)
    expect(at?.account?.marginRatio.after.value).toBe('0.01035294');
  });

  it('some orders, those fill at their prices, the nearest first, and no other', () => {
    const orders = [buy('90000.0', '4.000'), buy('93000.0', '2.000'), buy('80000.0'), sell('99000.0')];
    const at = reached('90000.0', orders);
    expect(at?.filled).toBe(2);
    // 2 at 95,000 and 2 at 93,000, then 4 at 90,000.
    expect(at?.account?.positions).toMatchObject([
      { leg: { side: 'BUY', quantity: '8', entryPrice: '92000' } },
    ]);
    // (720,000 × 1 % in tier 2 + fee 360) ÷ (100,000 − fees of 273 − 16,000)
    expect(at?.account?.marginRatio.after.value).toBe('0.09029345');
    expect(reached('90000.1', orders)?.filled).toBe(1);
    expect(reached('99000.0', orders)?.account?.positions).toMatchObject([{ leg: { quantity: '1' } }]);
  });

  it('a closing and an opening order, they fill in the order reached, whenever they were placed', () => {
    const short = position({
      side: 'SELL',
      quantity: '1.000',
      avgEntryPrice: '97000.0',
      margin: '4850',
      liquidPrice: '0',
    });
    const orders = [buy('90000.0', '1.000', { ctime: 1 }), buy('95000.0', '1.000', { ctime: 2 })];
    const at = reached('90000.0', orders, { account: account([short]) });
    expect(at?.account?.positions).toMatchObject([
      { leg: { side: 'BUY', quantity: '1', entryPrice: '90000.0' } },
    ]);
  });

  it('on either side of the mark, an order past the mark fills first and at the mark', () => {
    const orders = [sell('99000.0', '1.000'), buy('98000.0', '0.500')];
    const up = reached('99000.0', orders);
    expect(up?.filled).toBe(2);
    // 2 at 95,000 and 0.5 at 98,000, of which 1 is closed at 99,000.
    expect(up?.account?.positions).toMatchObject([{ leg: { quantity: '1.5', entryPrice: '95600' } }]);
    const down = reached('95000.0', [buy('95000.0'), sell('96000.0', '0.500')]);
    expect(down?.filled).toBe(2);
    // The sell closes 0.5 before 1 is bought at 95,000.
    expect(down?.account?.positions).toMatchObject([{ leg: { quantity: '2.5', entryPrice: '95000' } }]);
  });

  it('every order, the account is that of all resting orders filled', () => {
    const orders = [buy('96999.0', '0.500')];
    const all = afterResting(context({ openOrders: orders }))?.coins[0];
    const at = reached('96999.0', orders)?.account;
    // At its own price a fill has no gain to leave out; at today's mark 0.5 × 1 is left out.
    expect(at?.positions[0]?.leg).toEqual({ ...all?.positions[0]?.leg, excludedGain: amount('0') });
    expect(all?.positions[0]?.leg?.excludedGain).toEqual(amount('0.5'));
    expect(at?.positions[0]?.liquidation).toEqual(all?.positions[0]?.liquidation);
    expect(at?.needed).toBe(all?.needed);
  });

  it('a liquidation, it ends there: at the exchange’s price before any fill, at an estimate after one', () => {
    const orders = [buy('94000.0', '30.000'), buy('50000.0')];
    expect(reached('55000.0', [buy('50000.0')])).toMatchObject({
      filled: 0,
      liquidatedAt: '60000.0',
      account: null,
    });
    const at = reached('55000.0', orders);
    expect(at).toMatchObject({ filled: 1, account: null });
    const estimate = afterResting(context({ openOrders: [orders[0]!] }))?.coins[0]?.positions[0]?.liquidation
      .value;
    expect(at?.liquidatedAt).toBe(estimate);
    // Upwards a long is not liquidated.
    expect(reached('200000.0', orders)?.liquidatedAt).toBeNull();
    expect(reached('60000.0', [])?.liquidatedAt).toBe('60000.0');
    expect(reached('60000.1', [])?.liquidatedAt).toBeNull();
  });

  it('from below, a short is liquidated on the way, and by no fall', () => {
    const short = { account: account([position({ side: 'SELL', liquidPrice: '110000.0' })]) };
    expect(reached('110000.0', [], short)?.liquidatedAt).toBe('110000.0');
    expect(reached('109999.9', [], short)?.liquidatedAt).toBeNull();
    expect(reached('50000.0', [], short)?.liquidatedAt).toBeNull();
  });

  it('no liquidation, an order past the mark does not bring the price to one', () => {
    const near = { account: account([position({ liquidPrice: '96500.0' })]) };
    for (const price of ['96800.0', '95000.0'])
      expect(reached(price, [sell('96000.0', '2.000')], near)).toMatchObject({
        filled: 1,
        liquidatedAt: null,
      });
  });

  it('a price with a possible liquidation before it, it says why that is unknown', () => {
    const unread = position({ symbolId: 'ETH-USDT-M', positionId: '2' });
    const at = reached('96000.0', [buy('96500.0')], {
      account: account([position({ liquidPrice: null }), unread], [asset()]),
    });
    expect(at?.unknownReason).toContain('ETH-USDT-M');
    expect(at?.account?.positions[0]?.liquidation.value).toBeNull();
  });

  it('an order without a position, it starts there', () => {
    const found = finish(reachedSteps(BTC, '80000.0', flat({ openOrders: [buy('90000.0')] })));
    expect(found).toMatchObject({ filled: 1, liquidatedAt: null });
    expect(found?.account?.positions).toMatchObject([
      { leg: { quantity: '1', entryPrice: '90000.0' }, basis: 'mark' },
    ]);
    // (1,067 of others + 80,000 × 0.5 % + 40) ÷ (100,000 − 45 − 10,000)
    expect(found?.account?.marginRatio.after.value).toBe('0.01675282');
  });

  it('say why the account at a price is unknown where a position without a mark cannot be calculated', () => {
    const odd = position({ quantity: '-2.000', markPrice: null });
    const at = reached('80000.0', [buy('90000.0')], { account: account([odd]) });
    expect(at).toMatchObject({ filled: 0, account: null, liquidatedAt: null });
    expect(at?.unknownReason).toContain('quantity must be above 0');
  });

  it('compare with a liquidation price of any number of decimals', () => {
    // The wallet covers all but 1e-26 of a fall to 0.
    const zeros = { maintainMargin: '0', closedFee: '0', profitUnreal: '0', entryValue: '0' };
    const one = { quantity: '1', avgEntryPrice: '100', markPrice: '100', liquidPrice: null, margin: '5' };
    const coin = asset({
      balance: `99.${'9'.repeat(26)}`,
      isolatedMargin: '0',
      isolatedLocked: '0',
      crossProfitUnreal: '0',
    });
    const at = reached('50', [], { account: account([position({ ...one, ...zeros })], [coin]) });
    expect(at).toMatchObject({ liquidatedAt: null, unknownReason: null });
  });
});
