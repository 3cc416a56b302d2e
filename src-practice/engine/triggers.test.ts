import { describe, expect, it } from 'vitest';
import { printPrice } from './contracts.ts';
import type { TpSl } from './orders.ts';
import type { OrderRequest } from './request.ts';
import { marketOrder, engineOf, START } from '../../tests/practice/engine-of.ts';

type Row = Record<string, unknown>;

const NONE: TpSl = {
  tpTriggerType: 'NONE',
  tpPrice: null,
  tpExecutePrice: null,
  slTriggerType: 'NONE',
  slPrice: null,
  slExecutePrice: null,
};

const buy = (quantity: string, tpSl: TpSl | null): OrderRequest =>
  marketOrder('LINK-USDT-M', 'BUY', quantity, { tpSl });

function exchange() {
  const engine = engineOf({ seed: 5 });
  engine.setLeverage(START, 'LINK-USDT-M', 2, 'ISOLATED');
  const market = engine.world.bySymbol.get('LINK-USDT-M');
  if (!market) throw new Error('no LINK');
  const at = (percent: number): string =>
    printPrice(market.contract, Math.trunc((market.mark * percent) / 100));
  const position = (): Row | undefined => {
    const { positions } = JSON.parse(engine.account(engine.now)) as { positions: Row[] };
    return positions.find((each) => each['symbolId'] === 'LINK-USDT-M');
  };
  const lastOrder = (): Row | undefined =>
    (JSON.parse(engine.orderHistory(engine.now, { limit: 1000 })) as Row[]).at(-1);
  return { engine, at, position, lastOrder };
}

describe('TP/SL orders', () => {
  it('are listed with their position, for all or part of it', () => {
    const { engine, at, position } = exchange();
    engine.placeOrder(START, buy('10.0', { ...NONE, slTriggerType: 'MARK_PRICE', slPrice: at(95) }));
    expect(position()).toMatchObject({ tpSlSize: 1, posTpSlSize: 1 });
    engine.placeOrder(
      START,
      buy('5.0', {
        tpTriggerType: 'LAST_PRICE',
        tpPrice: at(105),
        tpExecutePrice: at(104),
        slTriggerType: 'MARK_PRICE',
        slPrice: at(94),
        slExecutePrice: null,
      }),
    );
    const held = position();
    expect(held).toMatchObject({ quantity: '15.0', tpSlSize: 3, posTpSlSize: 0 });
    expect(JSON.parse(String(held?.['tpSl']))).toMatchObject({
      tpPrice: at(105),
      tpPriceType: 1,
      slPriceType: 2,
    });
    expect(held?.['tpSlOrders']).toMatchObject([
      { kind: 'STOP_LOSS', quantity: '10.0', triggerType: 'MARK_PRICE', executePrice: null },
      { kind: 'TAKE_PROFIT', quantity: '5.0', triggerPrice: at(105), executePrice: at(104) },
      { kind: 'STOP_LOSS', quantity: '5.0', triggerPrice: at(94) },
    ]);
  });

  it('a market stop closes what its order opened when its trigger is reached', () => {
    const { engine, at, position, lastOrder } = exchange();
    engine.placeOrder(START, buy('10.0', null));
    engine.placeOrder(START, buy('4.0', { ...NONE, slTriggerType: 'MARK_PRICE', slPrice: at(95) }));
    const [stop] = (position()?.['tpSlOrders'] ?? []) as Row[];
    engine.shock(START, 'LINK-USDT-M', '0.97');
    expect(position()).toMatchObject({ quantity: '14.0', tpSlSize: 1 });
    engine.shock(START, 'LINK-USDT-M', '0.97');
    expect(position()).toMatchObject({ quantity: '10.0', tpSlSize: 0, tpSl: null, tpSlOrders: [] });
    expect(lastOrder()).toMatchObject({
      conditionOrderId: stop?.['conditionOrderId'],
      type: 'MARKET',
      reduceOnly: 1,
      source: 0,
      status: 'FILLED',
      tradeQuantity: '4.0',
      side: 'SELL',
    });
  });

  it('a take-profit with an order price becomes a resting reduce-only limit and ends its stop', () => {
    const { engine, at, position, lastOrder } = exchange();
    engine.placeOrder(
      START,
      buy('4.0', {
        tpTriggerType: 'MARK_PRICE',
        tpPrice: at(103),
        tpExecutePrice: at(110),
        slTriggerType: 'MARK_PRICE',
        slPrice: at(95),
        slExecutePrice: null,
      }),
    );
    const limit = at(110);
    engine.shock(START, 'LINK-USDT-M', '1.05');
    expect(lastOrder()).toMatchObject({
      type: 'LIMIT',
      status: 'NEW',
      price: limit,
      reduceOnly: 1,
      locked: '0',
    });
    expect(position()).toMatchObject({ quantity: '4.0', tpSlSize: 0 });
    engine.shock(START, 'LINK-USDT-M', '1.1');
    expect(lastOrder()).toMatchObject({ status: 'FILLED', avgPrice: limit });
    expect(position()).toBeUndefined();
  });

  it('LAST_PRICE fires on a trade, not on the mark', () => {
    const { engine, at, position } = exchange();
    engine.placeOrder(START, buy('4.0', { ...NONE, slTriggerType: 'LAST_PRICE', slPrice: at(97) }));
    engine.shock(START, 'LINK-USDT-M', '0.95');
    expect(position()).toMatchObject({ quantity: '4.0', tpSlSize: 1 });
    engine.advanceTo(START + 60_000);
    expect(position()).toBeUndefined();
  });

  it('end with their position', () => {
    const { engine, at, position } = exchange();
    engine.placeOrder(START, buy('4.0', { ...NONE, slTriggerType: 'MARK_PRICE', slPrice: at(97) }));
    engine.placeOrder(START, { ...buy('4.0', null), side: 'SELL', reduceOnly: true });
    expect(position()).toBeUndefined();
    expect(engine.world.account.triggers).toEqual([]);
  });
});
