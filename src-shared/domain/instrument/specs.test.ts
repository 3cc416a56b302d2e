import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { Trade } from '../../exchange-api/trade.ts';
import { inferSpecs, specsOf } from './specs.ts';

const position = (quantity: string, avgEntryPrice: string, entryValue: string): Position =>
  ({ quantity, avgEntryPrice, entryValue, markPrice: '95000.123', lastPrice: null }) as Position;

describe('inference', () => {
  const order = { price: '97250.0', totalQuantity: '0.850', tradeQuantity: '0' } as OpenOrder;
  const done = (mtime: number, feeRateMaker: string): HistoryOrder =>
    ({
      price: '0',
      totalQuantity: '0.1',
      tradeQuantity: '0.1',
      mtime,
      feeRateMaker,
      feeRateTaker: '0.0005',
    }) as HistoryOrder;

  it('takes decimals from order and trade prices before marks, never from a market order’s 0', () => {
    const seen = {
      positions: [position('1.00', '95861.45', '95861.45')],
      openOrders: [order],
      history: [],
      trades: [],
    };
    expect(specsOf('FORWARD', seen)).toMatchObject({ priceDecimals: 1, quantityDecimals: 3 });
    const onlyMarket = { ...seen, openOrders: [], history: [done(1, '0.0002')] };
    expect(specsOf('FORWARD', onlyMarket).priceDecimals).toBe(3);
  });

  it('takes no more decimals than can be sent', () => {
    const tiny = `0.${'0'.repeat(24)}1`;
    const openOrders = [{ ...order, totalQuantity: tiny, price: `1.${'0'.repeat(30)}` }];
    const seen = { positions: [], openOrders, history: [], trades: [] };
    expect(specsOf('FORWARD', seen)).toMatchObject({ priceDecimals: 0, quantityDecimals: 18 });
  });

  it('is overridden where the user set a value', () => {
    const seen = { positions: [], openOrders: null, history: null, trades: null };
    const own = { priceDecimals: 2, quantityDecimals: null, feeRateMaker: null, feeRateTaker: null };
    const specs = (more: object) => inferSpecs('BTC-USDT-M', undefined, seen, { ...own, ...more });
    expect(specs({ multiplier: '0.001' })).toMatchObject({ priceDecimals: 2, multiplier: '0.001' });
    // Missing in older settings.
    expect(specs({})).toMatchObject({ quantityDecimals: null, multiplier: null });
  });

  it('takes fee rates from the order updated last', () => {
    const seen = {
      positions: [],
      openOrders: [],
      history: [done(5, '0.0001'), done(9, '0.0003'), done(7, '0.0002')],
      trades: [],
    };
    expect(specsOf('FORWARD', seen)).toMatchObject({ feeRateMaker: '0.0003', feeRateTaker: '0.0005' });
  });

  it('does not read an inverse trade’s coin amount as a quantity', () => {
    const trade = { price: '95000.5', executedQty: '0.00105263' } as Trade;
    const seen = { positions: [], openOrders: [], history: [], trades: [trade] };
    expect(specsOf('REVERSE', seen).quantityDecimals).toBeNull();
    expect(specsOf('FORWARD', seen).quantityDecimals).toBe(8);
  });
});
