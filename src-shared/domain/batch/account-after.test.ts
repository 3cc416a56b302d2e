import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { batchAccount, type BatchOrder } from './account-after.ts';
import { previewOrder } from '../order/preview.ts';
import { account, context, LINEAR, openOrder, position } from '../../../tests/domain/order-samples.ts';

const request = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  symbolId: 'BTC-USDT-M',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1.000',
  price: '96000.0',
  ...changes,
});
const order = (key: string, changes: Partial<OrderRequest> = {}): BatchOrder => ({
  key,
  request: request(changes),
  reference: '97000.0',
});

describe('the account after a batch', () => {
  it('equals the ticket’s preview for a single row', () => {
    const basis = context({ account: account([]) });
    const coin = batchAccount([order('1')], basis, false)?.coins[0];
    const preview = previewOrder(request(), basis);
    if (!preview.ok || coin === undefined) throw new Error('no figures');
    expect(coin.notional).toBe(preview.preview.notional);
    expect(coin.initialMargin).toBe(preview.preview.initialMargin);
    expect(coin.feeTaker).toEqual(preview.preview.feeTaker);
    expect(coin.feeMaker).toEqual(preview.preview.feeMaker);
    const liquidation = coin.after.positions[0]?.liquidation.value;
    expect(liquidation?.slice(0, 12)).toBe(preview.preview.liquidation.after.value?.slice(0, 12));
  });

  it('adds up rows and reports tier changes and gross exposure', () => {
    const rows = [order('1'), order('2', { price: '95000.0' })];
    const coin = batchAccount(rows, context({ account: account([position({ quantity: '2.000' })]) }), false)
      ?.coins[0];
    expect(coin).toMatchObject({
      coin: 'USDT',
      orders: 2,
      notional: '191000',
      initialMargin: '9550',
      tiers: [{ symbolId: 'BTC-USDT-M', from: 1, to: 2 }],
    });
    // 2 × 97,000 of 104,000 now; 4 × 97,000 then.
    expect(coin?.gross.before.value?.slice(0, 6)).toBe('1.8653');
    expect(coin?.gross.after.value?.slice(0, 6)).toBe('3.7307');
    // 4 × 97,000 at 1 % and the closing fee.
    expect(coin?.after.maintenance.after.value).toBe('4074');
    // The position before, and a size like a slipped digit: 2 more are twice as much, 20 are not.
    expect(coin?.after.positions[0]?.before?.leg.quantity).toBe('2.000');
    expect(coin?.unusual).toEqual([]);
    const large = batchAccount([order('1', { quantity: '20.000' })], context(), false)?.coins[0];
    expect(large?.unusual).toEqual(['BTC-USDT-M grows by 10.0× your position and 18.6× your USDT equity']);
  });

  it('fills resting orders only when asked, and keeps them out of the batch’s own costs', () => {
    const basis = context({
      openOrders: [openOrder({ side: 'BUY', reduceOnly: false, price: '90000.0', quantity: '1.000' })],
    });
    const alone = batchAccount([order('1')], basis, false)?.coins[0];
    const both = batchAccount([order('1')], basis, true)?.coins[0];
    expect(alone?.after.positions[0]?.leg?.quantity).toBe('3');
    expect(both?.after.positions[0]?.leg?.quantity).toBe('4');
    expect(both?.initialMargin).toBe(alone?.initialMargin);
  });

  it('does not net rows and resting orders that never fill together', () => {
    const basis = context({
      openOrders: [openOrder({ side: 'SELL', reduceOnly: false, price: '99000.0', quantity: '3.000' })],
    });
    const falling = batchAccount([order('1')], basis, true)?.coins[0];
    // The buy fills when prices fall: 3 in tier 2 with its fee; the sell only when they rise, leaving a short of 1.
    expect(falling).toMatchObject({ move: 'falling', after: { positions: [{ leg: { quantity: '3' } }] } });
    const rows = [order('1'), order('2', { side: 'SELL', price: '98000.0', quantity: '6.000' })];
    const rising = batchAccount(rows, basis, false)?.coins[0];
    expect(rising).toMatchObject({ move: 'rising', after: { positions: [{ leg: { side: 'SELL' } }] } });
    expect(batchAccount([order('1')], basis, false)?.coins[0]?.move).toBeNull();
  });

  it('names the tiers that either move reaches, each contract once', () => {
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }];
    const rows = [
      order('1'),
      order('2', { symbolId: 'ETH-USDT-M', side: 'SELL', price: '98000.0', quantity: '4.000' }),
    ];
    const [coin] = batchAccount(rows, context({ contracts }), false)?.coins ?? [];
    expect(coin?.move).toBe('rising');
    expect(coin?.tiers).toEqual([
      { symbolId: 'ETH-USDT-M', from: 1, to: 2 },
      { symbolId: 'BTC-USDT-M', from: 1, to: 2 },
    ]);
    const hedge = { positionMode: 'HEDGE', quantity: '2.000' };
    const legs = [position(hedge), position({ ...hedge, side: 'SELL', positionId: '2' })];
    const both = [order('1'), order('2', { side: 'SELL', price: '98000.0' })];
    expect(batchAccount(both, context({ account: account(legs) }), false)?.coins[0]?.tiers).toEqual([
      { symbolId: 'BTC-USDT-M', from: 1, to: 2 },
    ]);
  });

  it('names the rows it could not count', () => {
    const rows = [
      order('a', { reverseOrder: true }),
      {
        ...order('b', { type: 'MARKET' }),
        request: { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'MARKET', quantity: '1' } as const,
        reference: null,
      },
      order('c', { symbolId: 'XXX-USDT-M' }),
      order('d'),
    ];
    const result = batchAccount(rows, context(), false);
    expect(result?.notCounted.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(result?.coins[0]?.orders).toBe(1);
  });

  it('is null before the account has been read, and without rows', () => {
    expect(batchAccount([order('1')], context({ account: null }), false)).toBeNull();
    expect(batchAccount([], context(), false)).toBeNull();
  });
});
