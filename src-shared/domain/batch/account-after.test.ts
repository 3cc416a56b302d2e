import { describe, expect, it } from 'vitest';
import type { OrderRequest } from '../../exchange-api/order-request.ts';
import { batchAccount, type BatchOrder } from './account-after.ts';
import { previewOrder } from '../order/preview.ts';
import type { Asset } from '../../exchange-api/account.ts';
import {
  account,
  asset,
  context,
  LIMIT,
  LINEAR,
  openOrder,
  position,
  SPECS,
} from '../../../tests/domain/order-samples.ts';

const request = (changes: Partial<OrderRequest> = {}): OrderRequest => ({
  ...LIMIT,
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
    const unread = context({ openOrders: null });
    expect(batchAccount([order('1')], unread, true)).toEqual(batchAccount([order('1')], unread, false));
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

  it('adds up fees, unless a rate was never seen', () => {
    const rows = [order('1'), order('2', { price: '95000.0' })];
    const fees = (feeRateMaker: string | null) => {
      const coin = batchAccount(rows, context({ specs: () => ({ ...SPECS, feeRateMaker }) }), false)
        ?.coins[0];
      return [coin?.feeMaker, coin?.feeTaker];
    };
    expect(fees('0.0002')).toEqual([{ value: '38.2' }, { value: '95.5' }]);
    expect(fees(null)).toEqual([
      { value: null, reason: 'No fee rate seen yet for BTC-USDT-M.' },
      { value: '95.5' },
    ]);
  });

  it('has a coin for each margin coin of its rows, and none for resting orders alone', () => {
    const coins = [asset(), asset({ coin: 'BTC', balance: '1', equities: '1', crossProfitUnreal: '0' })];
    const resting = openOrder({ symbolId: 'BTC-USD-M', side: 'BUY', reduceOnly: false, price: '90000.0' });
    const where = context({ account: account([position()], coins), openOrders: [resting] });
    const inverse = order('2', { symbolId: 'BTC-USD-M', quantity: '960' });
    const both = batchAccount([order('1'), inverse], where, false)?.coins;
    expect(both?.map((one) => [one.coin, one.orders, one.notional, one.initialMargin])).toEqual([
      ['USDT', 1, '96000', '4800'],
      ['BTC', 1, '0.01', '0.0005'],
    ]);
    expect(batchAccount([order('1')], where, true)?.coins.map(({ coin }) => coin)).toEqual(['USDT']);
  });

  it('measures the value of all positions by the equity, at the mark or else the entry', () => {
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }];
    const eth = position({ symbolId: 'ETH-USDT-M', positionId: '2', quantity: '1', markPrice: null });
    const gross = (assets: readonly Asset[]) => {
      const where = context({ contracts, account: account([position(), eth], assets) });
      const found = batchAccount([order('1')], where, false)?.coins[0]?.gross;
      return [found?.before, found?.after].map((one) => one?.value?.slice(0, 7) ?? one?.reason);
    };
    // (2 × 97,000 + 95,000) ÷ 104,000; then one more of the first.
    expect(gross([asset()])).toEqual(['2.77884', '3.71153']);
    for (const assets of [[], [asset({ equities: '0' })]])
      expect(gross(assets)).toEqual(['No equity in USDT.', 'No equity in USDT.']);
  });

  it('only closes by rows that are reduce-only, and counts no row without price, quantity or margin', () => {
    const close = order('1', { side: 'SELL', quantity: '5.000', reduceOnly: true });
    const coin = batchAccount([close], context(), false)?.coins[0];
    expect([coin?.initialMargin, coin?.after.positions]).toMatchObject(['0', [{ leg: null }]]);
    const rows = [
      order('a', { price: '0.0' }),
      order('b', { quantity: '0.000' }),
      order('c', { quantity: undefined }),
    ];
    expect(batchAccount(rows, context(), false)).toMatchObject({
      coins: [],
      notCounted: ['a', 'b', 'c'].map((key) => ({ key, reason: 'No price is known for this order.' })),
    });
    const none = context({ account: account([]), contracts: [{ ...LINEAR, defaultLeverage: null }] });
    expect(batchAccount([order('1')], none, false)?.notCounted).toEqual([
      { key: '1', reason: expect.stringContaining('leverage') },
    ]);
  });

  it('reports no tier change of a contract without tiers', () => {
    const where = context({ account: account([]), contracts: [{ ...LINEAR, riskLimitConfigs: [] }] });
    expect(batchAccount([order('1', { quantity: '9.000' })], where, false)?.coins[0]?.tiers).toEqual([]);
    const first = batchAccount([order('1', { quantity: '3.000' })], context({ account: account([]) }), false);
    expect(first?.coins[0]?.tiers).toEqual([{ symbolId: 'BTC-USDT-M', from: 1, to: 2 }]);
  });

  const coinOf = (rows: Parameters<typeof batchAccount>[0], where: Parameters<typeof batchAccount>[1]) =>
    batchAccount(rows, where, false)?.coins.find(({ coin }) => coin === 'USDT');

  it('divides by the equity of its own coin, and counts only what is held in it', () => {
    const assets = [asset({ coin: 'BTC', equities: '1' }), asset()];
    const others = [
      position({ positionId: '2', symbolId: 'BTC-USD-M', quantity: '960000', avgEntryPrice: '96000' }),
      position({ positionId: '3', symbolId: 'OLD-USDT-M' }),
      position({ positionId: '4', quantity: '0', markPrice: null, avgEntryPrice: null }),
    ];
    const where = context({ account: account([position(), ...others], assets) });
    // 2 × 97,000 of 104,000.
    expect(coinOf([order('1')], where)?.gross.before.value?.slice(0, 6)).toBe('1.8653');
  });

  it('names no tier that a position is in already', () => {
    const small = coinOf([order('1', { quantity: '0.001' })], context({ account: account([]) }));
    expect(small?.tiers).toEqual([]);
    const large = context({ account: account([position({ quantity: '3.000' })]) });
    expect(coinOf([order('1', { quantity: '0.001' })], large)?.tiers).toEqual([]);
    const untiered = context({ contracts: [{ ...LINEAR, riskLimitConfigs: [] }] });
    expect(coinOf([order('1')], untiered)?.gross.before.value?.slice(0, 6)).toBe('1.8653');
  });

  it('names the highest of the tiers that both moves reach', () => {
    const sell = order('2', { side: 'SELL', price: '98000.0', quantity: '15.000' });
    const buy = order('1', { quantity: '15.000' });
    const tiersOf = (rows: Parameters<typeof batchAccount>[0]) =>
      coinOf(rows, context({ account: account([]) }))?.tiers.map(({ to }) => to);
    const [alone] = tiersOf([buy]) ?? [];
    expect(alone).toBeGreaterThan(2);
    const less = { quantity: '3.000' };
    expect(tiersOf([buy, order('2', { ...less, side: 'SELL', price: '98000.0' })])).toEqual([alone]);
    expect(tiersOf([order('1', less), sell])).toEqual([alone]);
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }];
    const worse = order('3', { symbolId: 'ETH-USDT-M', quantity: '40.000' });
    const both = coinOf([order('1', less), sell, worse], context({ account: account([]), contracts }));
    expect(both).toMatchObject({ move: 'falling' });
    expect(both?.tiers).toContainEqual({ symbolId: 'BTC-USDT-M', from: 1, to: alone });
  });

  it('names the tiers of the worse move, where the other leg of a hedge reaches the same', () => {
    const legs = [
      position({ positionMode: 'HEDGE', quantity: '2.000' }),
      position({ positionMode: 'HEDGE', side: 'SELL', positionId: '2', quantity: '3.000' }),
    ];
    const rows = (buy: string, sell: string) => [
      order('1', { quantity: buy }),
      order('2', { side: 'SELL', price: '98000.0', quantity: sell }),
    ];
    const where = context({ account: account(legs) });
    const [falling, rising] = [rows('18.000', '8.000'), rows('9.000', '17.000')].map((one) =>
      coinOf(one, where),
    );
    const tier = { symbolId: 'BTC-USDT-M', to: 3 };
    expect(falling).toMatchObject({ move: 'falling', tiers: [{ ...tier, from: 1 }] });
    expect(rising).toMatchObject({ move: 'rising', tiers: [{ ...tier, from: 2 }] });
  });

  it('measures growth by the position of the same contract and side', () => {
    const hedge = { positionMode: 'HEDGE' };
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }];
    const legs = [
      position({ ...hedge, quantity: '2.000' }),
      position({ ...hedge, side: 'SELL', positionId: '2', quantity: '0.001' }),
      position({ ...hedge, symbolId: 'ETH-USDT-M', positionId: '3', quantity: '0.001' }),
      position({ ...hedge, symbolId: 'ETH-USDT-M', positionId: '4', side: 'SELL', quantity: '2.000' }),
    ];
    const where = context({ contracts, account: account(legs) });
    expect(coinOf([order('1')], where)?.unusual).toEqual([]);
    expect(coinOf([order('1', { side: 'SELL', price: '98000.0' })], where)?.unusual).toEqual([
      expect.stringMatching(/^BTC-USDT-M grows by .* your position$/),
    ]);
  });

  it('has the positions of the other move, if any order is left out', () => {
    const sell = order('2', { side: 'SELL', price: '98000.0', quantity: '6.000' });
    const both = coinOf([order('1'), sell], context());
    expect([both?.move, both?.otherPositions]).toMatchObject(['rising', [{ leg: { side: 'BUY' } }]]);
    expect(coinOf([order('1')], context())?.otherPositions).toEqual([]);
  });

  it('leaves out a row that cannot be calculated, and names no resting order', () => {
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M', defaultLeverage: null }];
    const resting = openOrder({ symbolId: 'OLD-USDT-M', orderId: '7', side: 'BUY', reduceOnly: false });
    const where = context({ contracts, openOrders: [resting] });
    const rows = [order('a', { symbolId: 'ETH-USDT-M' }), order('b')];
    const after = batchAccount(rows, where, true);
    expect(after?.notCounted.map(({ key }) => key)).toEqual(['a']);
    expect(after?.coins[0]?.initialMargin).toBe(coinOf([order('b')], where)?.initialMargin);
  });

  it('says why a row is not counted, and is null before the contracts are read', () => {
    const reasons = batchAccount([order('c', { symbolId: 'XXX-USDT-M' })], context(), false)?.notCounted;
    expect(reasons).toEqual([{ key: 'c', reason: 'The exchange does not list this contract.' }]);
    expect(batchAccount([order('1')], context({ contracts: null }), false)).toBeNull();
  });

  it('says why the exposure is unknown', () => {
    const contracts = [LINEAR, { ...LINEAR, symbolId: 'ETH-USDT-M' }];
    const eth = position({ symbolId: 'ETH-USDT-M', positionId: '2', markPrice: null, avgEntryPrice: null });
    const coin = coinOf([order('1')], context({ contracts, account: account([position(), eth]) }));
    expect(coin?.gross).toEqual({
      before: { value: null, reason: expect.stringContaining('avgEntryPrice') },
      after: { value: null, reason: expect.stringContaining('avgEntryPrice') },
    });
    expect([coin?.tiers, coin?.unusual]).toEqual([[], []]);
  });
});
