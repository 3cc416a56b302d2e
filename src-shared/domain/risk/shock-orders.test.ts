import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import { add, calculated, print, round, subtract, sum } from '../../amount.ts';
import type { EstimateContext } from '../position/resolved.ts';
import { prepareSteps, type Shock } from './price-shock.ts';
import { type ShockPath, shockSteps } from './liquidation-sequence.ts';
import { finish } from '../numeric/steps.ts';
import { type ShockOrders, shockOrders } from './shock-orders.ts';
import { coinAt, fillsAt, positionsAt, type ShockPaths } from './shocked.ts';
import {
  account,
  asset,
  INVERSE,
  LINEAR,
  openOrder,
  position,
  SPECS,
} from '../../../tests/domain/order-samples.ts';

const within = (positions: readonly Position[], balance = '12000'): EstimateContext => ({
  account: account(positions, [asset({ balance, isolatedMargin: '0' })]),
  contractOf: (symbolId) => ({ ...LINEAR, symbolId }),
  specs: () => SPECS,
  convention: 'flat',
  closingFee: true,
});
/** 1 BTC at a mark and entry of 100,000. */
const held = (changes: Partial<Position> = {}): Position =>
  position({
    quantity: '1',
    avgEntryPrice: '100000',
    markPrice: '100000',
    entryValue: '0',
    margin: '5000',
    ...changes,
  });
const order = (side: string, price: string, quantity: string, changes: Partial<OpenOrder> = {}): OpenOrder =>
  openOrder({ side, price, quantity, reduceOnly: false, orderId: `${side} ${price}`, ...changes });
const protective = (kind: string, triggerPrice: string, more: object = {}) => ({
  kind,
  triggerPrice,
  triggerType: 'MARK_PRICE',
  ...more,
});
const stop = (triggerPrice: string, more: object = {}) => protective('SL', triggerPrice, more);
const target = (triggerPrice: string, more: object = {}) => protective('TP', triggerPrice, more);

function shock(context: EstimateContext, orders: readonly OpenOrder[], beta = '1') {
  const prepared = finish(prepareSteps(context, () => beta));
  const found = shockOrders(context, prepared, orders);
  return { paths: pathsOf(prepared, found), off: pathsOf(prepared), notCounted: found.notCounted };
}
/** Computes each path once it is needed. */
function pathsOf(prepared: Shock, counted?: ShockOrders): ShockPaths & { readonly down: ShockPath } {
  const paths = new Map<boolean, ShockPath>();
  const path = (down: boolean): ShockPath => {
    const found = paths.get(down) ?? finish(shockSteps(prepared, down, counted));
    paths.set(down, found);
    return found;
  };
  return {
    get down() {
      return path(true);
    },
    get up() {
      return path(false);
    },
  };
}
const usdt = (paths: ReturnType<typeof shock>['paths'], move: string) => coinAt(paths, 'USDT', move);

describe('orders on the way of a price move', () => {
  it('fill at their price, as calculated by hand', () => {
    // −10 %: a buy of 1 fills at 95,000. Position PnL: 1 × (90,000 − 100,000) + 1 × (90,000 − 95,000) − fee of 47.5.
    const { paths, off } = shock(within([held()], '40000'), [
      order('BUY', '95000', '1'),
      order('SELL', '99000', '1', { reduceOnly: true, orderId: 'above' }),
    ]);
    const [at] = positionsAt(paths, '-0.1');
    // The sell at 99,000 is past its price: it fills at once, with a fee of 49.5, and closes 1 at −1,000; the buy opens.
    expect(at).toMatchObject({ pnl: '-6097', fills: 2, isClosed: false });
    expect(positionsAt(off, '-0.1')).toMatchObject([{ pnl: '-10000', fills: 0 }]);
    expect([paths.down.notCounted, paths.up.notCounted]).toEqual([[], []]);
    const alone = shock(within([held()], '40000'), [order('BUY', '95000', '1')]).paths;
    expect(positionsAt(alone, '-0.1')).toMatchObject([{ pnl: '-15047.5', fills: 1, price: '90000' }]);
    // 40,000 − 15,047.5; 180,000 at 0.5 % and 0.05 %.
    expect(usdt(alone, '-0.1')).toEqual({ equity: '24952.5', ratio: '0.03967538' });
    expect(usdt(alone, '-0.04')).toEqual(usdt(shock(within([held()], '40000'), []).off, '-0.04'));
    expect([fillsAt(alone, '-0.05').length, fillsAt(alone, '-0.0499').length]).toEqual([1, 0]);
  });

  it('change which liquidations happen', () => {
    const more = shock(within([held()]), [order('BUY', '95000', '1')]);
    const first = (path: ShockPath): number => Number(path.liquidations[0]?.move);
    expect(first(more.paths.down)).toBeGreaterThan(first(more.off.down));
    const stopped = shock(within([held({ tpSlOrders: [stop('95000')] })]), []);
    expect(stopped.off.down.liquidations).toHaveLength(1);
    expect(stopped.paths.down.liquidations).toEqual([]);
    // 1 × −5,000 and a fee of 47.5, however far the price falls.
    for (const move of ['-0.05', '-0.1', '-0.9'])
      expect(positionsAt(stopped.paths, move)).toMatchObject([{ pnl: '-5047.5', isClosed: true }]);
    expect(usdt(stopped.paths, '-0.9')).toEqual({ equity: '6952.5', ratio: null });
  });

  it('trigger at the trigger price, or fill at the order price, once the market is there', () => {
    const pnl = (tpSlOrders: unknown[], move: string) =>
      positionsAt(shock(within([held({ tpSlOrders })], '40000'), []).paths, move)[0]?.pnl;
    // Sold at 94,900 for 47.45.
    expect(pnl([stop('95000', { executePrice: '94900' })], '-0.1')).toBe('-5147.45');
    // A limit above the market of a stop never fills as prices fall.
    expect(pnl([stop('95000', { executePrice: '95100' })], '-0.1')).toBe('-10000');
    expect(pnl([target('104000', { executePrice: '105000' })], '0.04')).toBe('4000');
    expect(pnl([target('104000', { executePrice: '105000' })], '0.1')).toBe('4947.5');
    const short = (tpSlOrders: unknown[], move: string) =>
      positionsAt(shock(within([held({ side: 'SELL', tpSlOrders })], '40000'), []).paths, move)[0]?.pnl;
    expect(short([target('96000', { executePrice: '95000' })], '-0.04')).toBe('4000');
    expect(short([target('96000', { executePrice: '95000' })], '-0.1')).toBe('4952.5');
    expect(short([stop('105000', { executePrice: '104900' })], '0.1')).toBe('-10000');
    expect(short([stop('105000', { executePrice: '105100' })], '0.1')).toBe('-5152.55');
    // A part of the position, and one without a quantity, which closes all of it.
    expect(pnl([stop('95000', { quantity: '0.5' })], '-0.1')).toBe('-7523.75');
    expect(pnl([stop('95000', { quantity: '5' })], '-0.1')).toBe('-5047.5');
    // Already past: at once, at the mark.
    expect(pnl([stop('101000')], '-0.1')).toBe('-50');
    expect(pnl([stop('101000')], '0')).toBe('0');
  });

  it('are counted only if they have something to fill', () => {
    const { paths } = shock(within([held({ tpSlOrders: [stop('95000'), stop('94000')] })], '40000'), []);
    expect(fillsAt(paths, '-0.1').map(({ fill }) => fill.price)).toEqual(['95000']);
    expect(positionsAt(paths, '-0.1')).toMatchObject([{ pnl: '-5047.5', fills: 1 }]);
  });

  it('are followed to a fall of 95 % and a rise of 200 %', () => {
    const orders = [
      ...['4999', '5000'].map((price) => order('BUY', price, '0.001')),
      ...['300000', '300001'].map((price) => order('SELL', price, '0.001')),
    ];
    const { paths } = shock(within([held()], '400000'), orders);
    const prices = (path: ShockPath) => path.fills.map(({ order: { fill } }) => fill.price);
    expect([prices(paths.down), prices(paths.up)]).toEqual([['5000'], ['300000']]);
    // At twice the move a price would reach 0; it is not taken below a ten-thousandth.
    const low = ['9', '10'].map((price) => order('BUY', price, '0.001'));
    expect(prices(shock(within([held()], '400000'), low, '2').paths.down)).toEqual(['10']);
    // At exactly the mark there is a counterparty, wherever prices go.
    const at = shock(within([held()], '400000'), [order('BUY', '100000', '1')]).paths;
    expect([prices(at.down), prices(at.up)]).toEqual([['100000'], ['100000']]);
  });

  it('leave the liquidations of other positions where they are', () => {
    const isolated = { marginMode: 'ISOLATED' } as const;
    const alone = held(isolated);
    const eth = held({ symbolId: 'ETH-USDT-M', positionId: '2' });
    const buy = order('BUY', '98000', '1', isolated);
    const other = order('BUY', '96000', '0.1', { symbolId: 'ETH-USDT-M' });
    const of = (orders: readonly OpenOrder[]) =>
      shock(within([alone, eth], '90000'), orders).paths.down.liquidations.find(
        ({ position: one }) => one === alone,
      );
    // 2 from 99,000 with a margin of 9,900.
    expect(Number(of([buy])?.price)).toBeCloseTo((2 * 99_000 - 9900) / 2 / (1 - 0.0055), 2);
    expect(of([buy, other])).toEqual(of([buy]));
  });

  it('fill the stop-loss before the order at its price', () => {
    const both = shock(within([held({ tpSlOrders: [stop('95000')] })], '40000'), [
      order('BUY', '95000', '1'),
    ]);
    expect(both.paths.down.fills.map(({ order: one }) => one.trigger)).toEqual(['SL', null]);
    // Sold 1 at 95,000, bought 1 at 95,000: −5,000 − 47.5 and −5,000 − 47.5 at 90,000.
    expect(positionsAt(both.paths, '-0.1')).toMatchObject([{ pnl: '-10095', fills: 2, isClosed: false }]);
  });

  it('attached to an order that fills follow it', () => {
    const tpSl = {
      ...{ tpPrice: '97000', tpExecutePrice: null, tpPriceType: 2 },
      ...{ slPrice: '93000', slExecutePrice: null, slPriceType: 2 },
    };
    const { paths } = shock(within([held()], '40000'), [order('BUY', '95000', '1', { tpSl })]);
    const kinds = (move: string) => fillsAt(paths, move).map((one) => one.trigger);
    expect([kinds('-0.05'), kinds('-0.07')]).toEqual([[null], [null, 'SL']]);
    // 1 of 2 from 97,500 on average sold at 93,000; the other is held.
    expect(positionsAt(paths, '-0.1')).toMatchObject([{ pnl: '-12094', fills: 2 }]);
    expect(paths.up.fills).toEqual([]);
    // In hedge mode, too, it closes and opens no other leg.
    const hedge = { positionMode: 'HEDGE' } as const;
    const legs = shock(within([held(hedge)], '40000'), [order('BUY', '95000', '1', { ...hedge, tpSl })]);
    expect(positionsAt(legs.paths, '-0.1')).toMatchObject([{ pnl: '-12094', fills: 2 }]);
  });

  it('attached to an order fill at their order price, unless their price type is market', () => {
    const attached = (tpPriceType: number) => {
      const tpSl = {
        ...{ tpPrice: '97000', tpExecutePrice: '98000', tpPriceType },
        ...{ slPrice: '93000', slExecutePrice: '92000', slPriceType: tpPriceType },
      };
      const { paths } = shock(within([held()], '40000'), [order('BUY', '100000', '1', { tpSl })]);
      return [...paths.up.fills, ...paths.down.fills].map(({ order: one }) => [one.trigger, one.orderPrice]);
    };
    // The take-profit is past its trigger and its order price.
    expect(attached(1)).toContainEqual(['SL', '92000']);
    expect(attached(2)).toContainEqual(['SL', null]);
    expect(attached(1)).toContainEqual(['TP', '98000']);
    expect(attached(2)).toContainEqual(['TP', null]);
  });

  it('attached to an order past its price trigger at the mark, once that has filled', () => {
    const tpSl = {
      ...{ tpPrice: null, tpExecutePrice: null, tpPriceType: null },
      ...{ slPrice: '100500', slExecutePrice: null, slPriceType: 2 },
    };
    const { paths } = shock(within([held()], '40000'), [order('BUY', '101000', '1', { tpSl })]);
    for (const path of [paths.down, paths.up])
      expect(path.fills.map((one) => one.order.trigger)).toEqual([null, 'SL']);
    // Bought at 101,000 and sold at 100,000, for 50.5 and 50; then 1 from 100,000.
    expect(positionsAt(paths, '-0.1')).toMatchObject([{ pnl: '-11100.5', fills: 2 }]);
    expect(positionsAt(paths, '0.1')).toMatchObject([{ pnl: '8899.5', fills: 2 }]);
  });

  it('turn a position over, and its other side has a line of its own', () => {
    const { paths } = shock(within([held()], '40000'), [order('SELL', '105000', '3')]);
    const at = positionsAt(paths, '0.1');
    // 1 × 5,000 − 52.5; a short of 2 from 105,000 at 110,000 − 105.
    expect(at).toMatchObject([
      { position: { side: 'BUY' }, pnl: '4947.5', isClosed: true },
      { position: { side: 'SELL', quantity: '0' }, pnl: '-10105', isClosed: false },
    ]);
    expect(usdt(paths, '0.1').equity).toBe('34842.5');
  });

  it('take the margin of an isolated position from the wallet and give it back', () => {
    const isolated = { marginMode: 'ISOLATED' } as const;
    const alone = held({ ...isolated, tpSlOrders: [stop('97000', { quantity: '0.5' })] });
    const buy = order('BUY', '98000', '1', isolated);
    const { paths } = shock(within([alone], '40000'), [buy]);
    const [at] = positionsAt(paths, '-0.03');
    // 2 from 99,000, 0.5 of it sold at 97,000: −1,000 − 49 − 24.25 and 1.5 × −2,000.
    expect(at).toMatchObject({ pnl: '-4073.25', fills: 2 });
    expect(usdt(paths, '-0.03').equity).toBe('35926.75');
    // 7.5 % below 99,000 the margin of 5,000 + 4,900 less a quarter, 7,425, is lost but for the requirement.
    expect(paths.down.liquidations).toHaveLength(1);
    expect(Number(paths.down.liquidations[0]?.price)).toBeCloseTo(
      (1.5 * 99_000 - 7_425) / 1.5 / (1 - 0.0055),
      2,
    );
  });

  it('release the margin locked for them, from the balance into the wallet', () => {
    const isolated = { marginMode: 'ISOLATED' } as const;
    const cross = held({ symbolId: 'ETH-USDT-M', quantity: '0.1', positionId: '2' });
    const at = (locked: string, move: string) => {
      const assets = [asset({ balance: '40000', isolatedMargin: '5000', isolatedLocked: locked })];
      const context = { ...within([]), account: account([held(isolated), cross], assets) };
      const buy = order('BUY', '98000', '1', { ...isolated, remainingLocked: locked });
      return usdt(shock(context, [buy]).paths, move);
    };
    expect(at('4900', '-0.01').equity).toBe(at('0', '-0.01').equity);
    expect(at('4900', '-0.01').ratio).not.toBe(at('0', '-0.01').ratio);
    expect(at('4900', '-0.03')).toEqual(at('0', '-0.03'));
  });

  it('keep the wallet of cross positions that are closed', () => {
    const isolated = { marginMode: 'ISOLATED' } as const;
    const cross = { symbolId: 'ETH-USDT-M', quantity: '0.1', positionId: '2', tpSlOrders: [stop('99500')] };
    const assets = [asset({ balance: '40000', isolatedMargin: '5000' })];
    const context = { ...within([]), account: account([held(isolated), held(cross)], assets) };
    const { paths } = shock(context, [order('BUY', '98000', '1', isolated)]);
    // 0.1 × −500 less 4.975; −3,000 − 1,000 less 49.
    expect(usdt(paths, '-0.03').equity).toBe('35896.025');
  });

  it('leave the other positions of the coin as they are', () => {
    const eth = held({ symbolId: 'ETH-USDT-M', quantity: '0.1', positionId: '2' });
    const { paths, off } = shock(within([held(), eth], '40000'), [order('BUY', '95000', '1')]);
    expect(positionsAt(paths, '-0.1')[1]).toMatchObject({ position: eth, pnl: '-1000', fills: 0 });
    expect(positionsAt(paths, '-0.1')[1]).toEqual(positionsAt(off, '-0.1')[1]);
  });

  it('leave the other coins as they are', () => {
    const inverse = held({ symbolId: 'BTC-USD-M', quantity: '20000', positionId: '2' });
    for (const marginMode of ['CROSSED', 'ISOLATED']) {
      const of = (positions: readonly Position[], orders: readonly OpenOrder[]) => {
        const assets = [asset({ balance: '40000', isolatedMargin: '0' })];
        const coin = asset({ coin: 'BTC', balance: '1', isolatedMargin: '0' });
        const contractOf = (symbolId: string) =>
          symbolId === 'BTC-USD-M' ? INVERSE : { ...LINEAR, symbolId };
        const context = { ...within([]), contractOf, account: account(positions, [coin, ...assets]) };
        return shock(context, orders).paths;
      };
      const own = held({ marginMode });
      const orders = [order('BUY', '95000', '1', { marginMode })];
      const both = of([inverse, own], orders);
      expect(usdt(both, '-0.06')).toEqual(usdt(of([own], orders), '-0.06'));
      expect(coinAt(both, 'BTC', '-0.06')).toEqual(coinAt(of([inverse], []), 'BTC', '-0.06'));
    }
  });

  it('that cannot be placed on the way are named', () => {
    const { notCounted } = shock(within([held({ tpSlOrders: [{ odd: 1 }] })]), [
      order('BUY', '3000', '1', { symbolId: 'ETH-USDT-M' }),
      order('UP', '1', '1'),
    ]);
    expect(notCounted.map(({ reason }) => reason)).toEqual([
      'Its side is unknown.',
      'No mark price of ETH-USDT-M is known.',
      'Not every TP/SL order of BTC-USDT-M can be read.',
    ]);
  });

  it('read each contract once, however many there are of it', () => {
    const hedge = { positionMode: 'HEDGE', tpSlOrders: [stop('95000')] } as const;
    const context = within([held(hedge), held({ ...hedge, side: 'SELL', positionId: '2' })]);
    const prepared = finish(prepareSteps(context, () => '1'));
    const read: string[] = [];
    const contractOf = (symbolId: string) => (read.push(symbolId), context.contractOf(symbolId));
    const resting = ['90000', '91000', '92000'].map((price) => order('BUY', price, '1', hedge));
    expect(shockOrders({ ...context, contractOf }, prepared, resting).orders).toHaveLength(5);
    expect(read).toEqual(['BTC-USDT-M']);
  });

  it('are counted beside the other leg of a hedge only in its margin mode', () => {
    const hedge = { positionMode: 'HEDGE' } as const;
    for (const [marginMode, other] of [
      ['CROSSED', 'ISOLATED'],
      ['ISOLATED', 'CROSSED'],
    ] as const) {
      const long = within([held({ ...hedge, marginMode })]);
      const sell = (mode: string) => [order('SELL', '101000', '1', { ...hedge, marginMode: mode })];
      expect(shock(long, sell(marginMode)).notCounted).toEqual([]);
      expect(shock(long, sell(other)).notCounted.map(({ reason }) => reason)).toEqual([
        'The other leg of BTC-USDT-M has another margin mode.',
      ]);
    }
  });

  it('of a position that is not counted are left out with it', () => {
    const isolated = { marginMode: 'ISOLATED', symbolId: 'ETH-USDT-M', positionId: '2' } as const;
    const unread = held({ ...isolated, markPrice: null, tpSlOrders: [stop('95000')] });
    const { paths, notCounted } = shock(within([unread, held()], '40000'), []);
    expect([notCounted, paths.down.fills]).toEqual([[], []]);
  });

  it('that cannot be calculated change nothing and are named', () => {
    const none = { leverage: 0 };
    const context = within([held(none)], '40000');
    const contractOf = () => ({ ...LINEAR, defaultLeverage: null });
    const { paths, off } = shock({ ...context, contractOf }, [order('BUY', '95000', '1', none)]);
    expect(paths.down.notCounted[0]?.reason).toContain('leverage');
    expect(positionsAt(paths, '-0.1')).toEqual(positionsAt(off, '-0.1'));
    // Nor does what is attached to one close the position instead.
    const tpSl = {
      ...{ tpPrice: null, tpExecutePrice: null, tpPriceType: null },
      ...{ slPrice: '93000', slExecutePrice: null, slPriceType: 2 },
    };
    const attached = shock({ ...context, contractOf }, [order('BUY', '95000', '1', { ...none, tpSl })]);
    expect(positionsAt(attached.paths, '-0.1')).toEqual(positionsAt(off, '-0.1'));
  });

  it('keep hedge legs apart, and follow a negative beta', () => {
    const hedge = { positionMode: 'HEDGE' } as const;
    const legs = [held(hedge), held({ ...hedge, side: 'SELL', positionId: '2' })];
    const { paths } = shock(within(legs, '40000'), [order('SELL', '105000', '1', hedge)], '-1');
    expect(positionsAt(paths, '-0.1').map(({ pnl, fills }) => [pnl, fills])).toEqual([
      ['10000', 0],
      ['-15052.5', 1],
    ]);
    expect(paths.up.fills).toEqual([]);
  });

  it('close one leg of a hedge and leave the other', () => {
    const hedge = { positionMode: 'HEDGE' } as const;
    const long = held({ ...hedge, tpSlOrders: [stop('95000')] });
    const short = held({ ...hedge, side: 'SELL', positionId: '2', quantity: '0.5' });
    const { paths } = shock(within([short, long], '40000'), []);
    expect(positionsAt(paths, '-0.1')).toMatchObject([
      { position: short, pnl: '5000', fills: 0, isClosed: false },
      { position: long, pnl: '-5047.5', fills: 1, isClosed: true },
    ]);
  });
});

const cents = fc.integer({ min: 80, max: 120 }).map((one) => String(one * 1000 + 500));
const drawn = fc.record({
  side: fc.constantFrom('BUY', 'SELL'),
  price: cents,
  quantity: fc.constantFrom('0.1', '0.7', '2'),
  reduceOnly: fc.boolean(),
});
const accounts = fc.record({
  side: fc.constantFrom('BUY', 'SELL'),
  isolated: fc.boolean(),
  hedge: fc.boolean(),
  orders: fc.array(drawn, { maxLength: 6 }),
  stops: fc.array(fc.record({ kind: fc.constantFrom('SL', 'TP'), triggerPrice: cents }), { maxLength: 2 }),
});
type Drawn = typeof accounts extends fc.Arbitrary<infer T> ? T : never;

/** The other leg of a hedge, with the other margin mode. */
const otherLeg = (side: string, isolated: boolean): Position =>
  held({
    ...{ positionMode: 'HEDGE', marginMode: isolated ? 'CROSSED' : 'ISOLATED', positionId: '2' },
    ...{ side: side === 'BUY' ? 'SELL' : 'BUY', quantity: '0.4', margin: '4000' },
  });

function shockOf({ side, isolated, hedge, orders, stops }: Drawn) {
  const mode = {
    marginMode: isolated ? ('ISOLATED' as const) : ('CROSSED' as const),
    positionMode: hedge ? ('HEDGE' as const) : ('ONEWAY' as const),
  };
  const other = held({ symbolId: 'ETH-USDT-M', quantity: '0.3', avgEntryPrice: '97000', positionId: '9' });
  const legs = [held({ ...mode, side, tpSlOrders: stops })];
  if (hedge) legs.unshift(otherLeg(side, isolated));
  const context = within([...legs, other]);
  const list = orders.map((one, n) => openOrder({ ...one, ...mode, orderId: String(n), tpSl: null }));
  return shock(context, list);
}

it('has positions whose changes add up to the change of equity, whatever fills', () => {
  fc.assert(
    fc.property(accounts, fc.constantFrom('-0.3', '-0.1', '-0.02', '0.05', '0.25'), (one, move) => {
      const { paths } = shockOf(one);
      const changes = sum(positionsAt(paths, move).map(({ pnl }) => calculated(pnl)));
      const equity = subtract(calculated(usdt(paths, move).equity), calculated(usdt(paths, '0').equity));
      expect(print(round(subtract(changes, equity), 6, 'half-up'))).toBe('0');
    }),
    { seed: 20, numRuns: 150 },
  );
});

it('equals the shock without orders before the first one is reached', () => {
  fc.assert(
    fc.property(accounts, (one) => {
      const { paths, off } = shockOf(one);
      for (const down of [true, false]) {
        const first = (down ? paths.down : paths.up).fills[0];
        const size = first === undefined ? '0.4' : first.move.replace('-', '');
        const before = add(calculated(size), calculated('-0.0000000001'));
        const move = print(
          round(calculated(`${down ? '-' : ''}${print(before).replace('-', '')}`), 10, 'down'),
        );
        expect(positionsAt(paths, move)).toEqual(positionsAt(off, move));
        expect(usdt(paths, move)).toEqual(usdt(off, move));
      }
    }),
    { seed: 20, numRuns: 60 },
  );
});
