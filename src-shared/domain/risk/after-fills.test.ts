import { describe, expect, it } from 'vitest';
import { calculated, equal } from '../../amount.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import { previewOrder } from '../order/preview.ts';
import { finish } from '../numeric/steps.ts';
import { afterRestingSteps, afterSteps, restingFills } from './after-fills.ts';
import {
  account,
  asset,
  context,
  flat,
  openOrder,
  position,
  LIMIT,
} from '../../../tests/domain/order-samples.ts';

const buy = (changes: Partial<OpenOrder> = {}): OpenOrder =>
  openOrder({
    side: 'BUY',
    price: '90000.0',
    quantity: '1.000',
    reduceOnly: false,
    remainingLocked: '0',
    orderId: '1',
    ...changes,
  });
/** Fills all orders, as they were placed. */
const afterAll = (where: ReturnType<typeof context>) => {
  const { fills, notCounted } = restingFills(where.openOrders ?? []);
  const after = finish(afterSteps(where, fills));
  return after && { ...after, notCounted: [...notCounted, ...after.notCounted] };
};
const only = (orders: readonly OpenOrder[], changes: Parameters<typeof context>[0] = {}) => {
  const exposure = afterAll(context({ openOrders: orders, ...changes }));
  return { exposure, coin: exposure?.coins[0], position: exposure?.coins[0]?.positions[0] };
};
const same = (a: string | null | undefined, b: string | null | undefined): boolean =>
  equal(calculated(a ?? '0'), calculated(b ?? '1'));

const byMove = (where: ReturnType<typeof context>) => finish(afterRestingSteps(where));

describe('orders filled in the order given', () => {
  it('is null without orders, or before everything was read', () => {
    expect(byMove(context({ openOrders: [] }))).toBeNull();
    expect(byMove(context({ openOrders: null }))).toBeNull();
    expect(byMove(context({ openOrders: [buy()], account: null }))).toBeNull();
  });

  it.each(['flat', 'marginal'] as const)('matches the ticket’s preview of one order, %s', (convention) => {
    const order = buy();
    const shared = context({ convention });
    const result = previewOrder(
      { ...LIMIT, symbolId: order.symbolId, price: order.price ?? '', quantity: order.quantity ?? '' },
      shared,
    );
    if (!result.ok) throw new Error(result.reason);
    const { preview } = result;
    const { coin, position: after } = only([order], { convention });
    expect(after?.leg).toMatchObject(preview.after?.leg ?? {});
    expect(after?.tier?.level).toBe(preview.after?.tier?.level);
    expect(same(after?.liquidation.value, preview.liquidation.after.value)).toBe(true);
    expect(coin?.marginRatio.before).toEqual(preview.marginRatio.before);
    // 1.000 at 90,000 and 20×: 4,500 margin, 45 fee.
    expect(coin?.needed).toBe('4545');
    // 100,000 − 45 − (9,500 + 4,500) − 4,000: the 7,000 between its price and the mark do not count.
    expect(coin?.freeMargin.after.value).toBe('81955');
    expect(preview.freeMargin.after.value).toBe('81955');
    // ratio: (3 × 97,000 in tier 2 at 1 % (marginal: − 1,250) + fee 145.5) ÷ (99,955 + 4,000)
    expect(coin?.marginRatio.after.value).toBe(convention === 'flat' ? '0.02939253' : '0.01736809');
    expect(same(preview.marginRatio.after.value, String((convention === 'flat' ? 3055.5 : 1805.5) / 103955)));
  });

  it('releases the margin locked for the orders', () => {
    const locked = asset({ locked: '14045.00', crossLocked: '4545.00' });
    const { coin } = only([buy({ remainingLocked: '4545.00' })], {
      account: account([position()], [locked]),
    });
    expect(coin?.locked).toBe('4545');
    expect(coin?.freeMargin.after.value).toBe('81955');
  });

  it('counts no gain of orders priced better than the mark, which would hide a loss', () => {
    // 1 BTC from 101,000 and a mark of 97,000: 4,000 lost.
    const losing = {
      account: account(
        [
          position({
            quantity: '1.000',
            avgEntryPrice: '101000.0',
            entryValue: '101000.0',
            profitUnreal: '-4000.00',
          }),
        ],
        [asset({ crossProfitUnreal: '-4000.00' })],
      ),
    };
    const free = (orders: readonly OpenOrder[]) => only(orders, losing).coin?.freeMargin.after.value;
    // 100,000 − 45 − (9,500 + 4,500) − 4,000, not − |−4,000 + 7,000|.
    expect(free([buy()])).toBe('81955');
    // A close removes its share of the uncounted gain: half of 2 from 95,500 on average.
    const sell = openOrder({ quantity: '1.000', price: '97000.0', ctime: 9, orderId: '2', reduceOnly: true });
    // 100,000 + (97,000 − 95,500) − 45 − 48.5 − 7,000 − |1,500 − 3,500|
    expect(free([buy({ ctime: 1 }), sell])).toBe('92406.5');
  });

  it('fills in the order placed; reduce-only closes no more than the position', () => {
    const sell = (quantity: string, ctime: number, changes: Partial<OpenOrder> = {}) =>
      openOrder({ quantity, ctime, price: '99000.0', orderId: quantity, ...changes });
    const gone = only([sell('1.500', 1), sell('1.500', 2)]);
    expect(gone.position).toMatchObject({ leg: null, orders: 2 });
    expect(gone.coin?.marginRatio.after.value).toBe('0');
    // 2 × (99,000 − 95,000) gained, fee 99; no margin is left.
    expect(gone.coin?.freeMargin.after.value).toBe('107901');
    const turned = only([sell('3.000', 1, { reduceOnly: false })]);
    expect(turned.position?.leg).toMatchObject({ side: 'SELL', quantity: '1', entryPrice: '99000.0' });
    const added = only([sell('2.500', 2), buy({ ctime: 1 })]);
    expect(added.position?.leg).toMatchObject({ side: 'BUY', quantity: '0.5' });
  });

  it('keeps hedge legs apart', () => {
    const hedge = { positionMode: 'HEDGE' } as const;
    const orders = [openOrder({ ...hedge, reduceOnly: false, quantity: '1.000' })];
    const { coin } = only(orders, { account: account([position(hedge)]) });
    expect(coin?.positions.map(({ leg }) => [leg?.side, leg?.quantity])).toEqual([
      ['BUY', '2.000'],
      ['SELL', '1'],
    ]);
  });

  it('counts an order once: to its leg of a hedge, and to the coin', () => {
    const hedge = { positionMode: 'HEDGE' } as const;
    const orders = [
      openOrder({ ...hedge, reduceOnly: false, quantity: '1.000' }),
      buy({ ...hedge }),
      buy({ ...hedge, orderId: '2' }),
    ];
    const { coin } = only(orders, { account: account([position(hedge)]) });
    expect(coin?.positions.map(({ leg, orders: count }) => [leg?.side, count])).toEqual([
      ['BUY', 2],
      ['SELL', 1],
    ]);
    expect(coin?.orders).toBe(3);
  });

  it('liquidates an isolated position by its own margin alone', () => {
    const isolated = { marginMode: 'ISOLATED' } as const;
    const { position: after } = only([buy({ ...isolated, quantity: '0.100' })], {
      account: account([], [asset({ balance: '1' })]),
    });
    // 90,000 × (1 − 1/20) ÷ (1 − 0.005 − 0.0005)
    expect(after?.liquidation.value).toMatch(/^85972\.8/);
    expect(after?.basis).toBe('entry');
  });

  it('leaves out what the list has of filled and cancelled orders, but not an unknown status', () => {
    const listed = (status: string) => only([buy({ status })]).exposure?.coins.length;
    expect(['FILLED', 'CANCELED', 'OPEN', 'PARTIALLY_FILLED'].map(listed)).toEqual([0, 0, 1, 1]);
    expect(byMove(context({ openOrders: [buy({ status: 'CANCELED' })] }))).toBeNull();
  });

  it('names orders of which nothing is left to fill', () => {
    for (const quantity of ['0', '0.000', '-1'])
      expect(only([buy({ quantity })]).exposure).toMatchObject({ coins: [], notCounted: [{ id: '1' }] });
  });

  it('names orders it cannot count', () => {
    const { exposure } = only([
      buy(),
      buy({ orderId: '2', symbolId: 'OLD-USDT-M' }),
      buy({ orderId: '3', price: '0' }),
      buy({ orderId: '4', side: 'NET' }),
    ]);
    expect(exposure?.notCounted.map((one) => one.id).sort()).toEqual(['2', '3', '4']);
    const odd = only([buy()], { account: account([position({ avgEntryPrice: '0', markPrice: null })]) });
    expect(odd.exposure).toMatchObject({ coins: [], notCounted: [{ id: '1' }] });
    const poor = afterAll(flat({ openOrders: [buy()], account: account([], []) }));
    expect(poor?.coins[0]?.marginRatio.after.value).toBeNull();
    expect(poor?.coins[0]?.positions[0]?.liquidation.reason).toContain('No USDT');
  });

  it('stays known beside an unreadable position of another coin', () => {
    const other = position({ symbolId: 'BTC-USD-M', positionId: '2', quantity: null });
    const positions = account([position(), other]);
    expect(only([buy()], { account: positions }).position?.liquidation.value).toMatch(/^\d/);
    const result = previewOrder(
      { symbolId: 'BTC-USDT-M', side: 'BUY', type: 'LIMIT', price: '90000.0', quantity: '1.000' },
      context({ account: positions }),
    );
    expect(result.ok && result.preview.liquidation.after.value).toMatch(/^\d/);
  });

  it('includes positions of other contracts in the coin', () => {
    const both = only([buy()], {
      account: account([position(), position({ symbolId: 'GONE-USDT-M', positionId: '2' })]),
    });
    expect(both.position?.liquidation.reason).toContain('GONE-USDT-M');
    const three = only([buy()], {
      account: account([
        position(),
        position({ symbolId: 'GONE-USDT-M', positionId: '2' }),
        position({ symbolId: 'LOST-USDT-M', positionId: '3' }),
      ]),
    });
    expect(three.position?.liquidation.reason).toContain('GONE-USDT-M');
  });
});

describe('resting orders by price move', () => {
  const sell = (changes: Partial<OpenOrder> = {}): OpenOrder =>
    openOrder({
      side: 'SELL',
      price: '99000.0',
      quantity: '9.000',
      reduceOnly: false,
      orderId: 's',
      ...changes,
    });
  const ladder = Array.from({ length: 8 }, (_, n) =>
    buy({ orderId: `b${n}`, price: `${95_000 - n * 1000}.0`, quantity: '1.000' }),
  );

  it('does not net a sell above the mark with buys below it, which never fill together', () => {
    const coin = byMove(context({ openOrders: [sell(), ...ladder] }))?.coins[0];
    expect(coin?.worst.move).toBe('falling');
    expect(coin?.worst.after.positions).toMatchObject([{ leg: { side: 'BUY', quantity: '10' }, orders: 8 }]);
    // 970,000 at 1 % and 0.05 % ÷ (100,000 − fees of 366 + 4,000); the 44,000 below the mark do not count.
    expect(coin?.worst.after.marginRatio.after.value).toBe('0.09827856');
    expect(coin?.other?.move).toBe('rising');
    expect(coin?.other?.after.positions).toMatchObject([{ leg: { side: 'SELL', quantity: '7' }, orders: 1 }]);
    const netted = only([sell(), ...ladder]).coin;
    expect(netted?.positions).toMatchObject([{ leg: { side: 'BUY', quantity: '1' }, orders: 9 }]);
  });

  it('takes the worse side, whichever it is', () => {
    const coin = byMove(context({ openOrders: [sell({ quantity: '30.000' }), buy()] }))?.coins[0];
    expect(coin?.worst.move).toBe('rising');
    expect(coin?.other?.move).toBe('falling');
  });

  it('counts an order at or past the mark on both sides', () => {
    const at = sell({ price: '97000.0', quantity: '1.000' });
    const coin = byMove(context({ openOrders: [at, buy()] }))?.coins[0];
    const sides = [coin?.worst, coin?.other].map((one) => [one?.move, one?.after.positions[0]?.orders]);
    expect(sides).toEqual([
      ['falling', 2],
      ['rising', 1],
    ]);
    expect(byMove(context({ openOrders: [at] }))?.coins[0]?.other).not.toBeNull();
  });

  it('takes a buy to rest below the market and a sell above it where no mark is known', () => {
    const coin = byMove(flat({ openOrders: [sell({ quantity: '1.000' }), buy()] }))?.coins[0];
    expect([coin?.worst.after.positions[0]?.orders, coin?.other?.after.positions[0]?.orders]).toEqual([1, 1]);
  });

  it('knows one side if no order fills on the other', () => {
    const coin = byMove(context({ openOrders: [buy()] }))?.coins[0];
    expect(coin).toMatchObject({ worst: { move: 'falling' }, other: null });
  });

  it('calls equity used up worse than any ratio', () => {
    const poor = account([position()], [asset({ balance: '5000', crossProfitUnreal: '-4000' })]);
    const orders = [
      sell({ price: '97000.1', quantity: '1.000' }),
      buy({ price: '96999.9', quantity: '60.000' }),
    ];
    const coin = byMove(context({ account: poor, openOrders: orders }))?.coins[0];
    expect(coin?.worst).toMatchObject({
      move: 'falling',
      after: { marginRatio: { after: { value: null } } },
    });
    expect(coin?.other?.after.marginRatio.after.value).not.toBeNull();
  });
});
