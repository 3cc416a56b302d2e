import { describe, expect, it } from 'vitest';
import type { Position } from '../../exchange-api/account.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import type { Trade } from '../../exchange-api/trade.ts';
import { contractKey, inferSpecs, specsOf } from './specs.ts';

const position = (quantity: string, avgEntryPrice: string, entryValue: string): Position =>
  ({ quantity, avgEntryPrice, entryValue, markPrice: '95000.123', lastPrice: null }) as Position;

describe('inference', () => {
  const order = { price: '97250.0', totalQuantity: '0.850', tradeQuantity: '0' } as OpenOrder;
  const done = (mtime: number, feeRateMaker: string): HistoryOrder =>
    ({
      price: '0',
      totalQuantity: '0.1',
      tradeQuantity: '0.1',
      symbolId: 'BTC-USDT-M',
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

  it('counts decimals up to what can be sent, and zeros beyond that as padding', () => {
    const openOrders = [{ ...order, totalQuantity: `0.${'1'.repeat(18)}`, price: `1.1010${'0'.repeat(20)}` }];
    const seen = { positions: [], openOrders, history: [], trades: [] };
    expect(specsOf('FORWARD', seen)).toMatchObject({ priceDecimals: 3, quantityDecimals: 18 });
  });

  it('is overridden where the user set a value', () => {
    const seen = { positions: [], openOrders: null, history: [done(1, '0.0002')], trades: null };
    const nothing = { priceDecimals: null, quantityDecimals: null, feeRateMaker: null, feeRateTaker: null };
    const specs = (own: object | null) =>
      inferSpecs('BTC-USDT-M', undefined, seen, own && { ...nothing, ...own });
    const inferred = {
      ...{ priceDecimals: null, quantityDecimals: 1, multiplier: null },
      ...{ feeRateMaker: '0.0002', feeRateTaker: '0.0005' },
    };
    expect(specs(null)).toEqual(inferred);
    // The multiplier is missing in older settings.
    expect(specs({})).toEqual(inferred);
    for (const own of [
      { priceDecimals: 2 },
      { quantityDecimals: 4 },
      { multiplier: '0.001' },
      { feeRateMaker: '0.0001' },
      { feeRateTaker: '0.0004' },
    ])
      expect(specs(own)).toEqual({ ...inferred, ...own });
    expect(contractKey('live-1', 'BTC-USDT-M')).toBe('live-1 BTC-USDT-M');
  });

  it('has the records of its symbol and side only, and a multiplier by fees without a position', () => {
    const config = { symbolId: 'BTC-USDT-M', contractSide: 'FORWARD', contractType: 'PERPETUAL' };
    const filled = { ...done(1, '0.0002'), type: 'MARKET', avgPrice: '95000.0', feeAmount: '47.5' };
    const history = [{ ...filled, feeAssetId: 'USDT' }];
    const trades = [{ price: '1.5', executedQty: '0.001' } as Trade];
    const held = position('2', '95861.4', '1917.228');
    const specs = (contract: object | undefined, positions: Position[]) =>
      inferSpecs(
        'BTC-USDT-M',
        contract as SymbolConfig | undefined,
        { positions, openOrders: [{ ...order, symbolId: 'ETH-USDT-M' }], history, trades },
        null,
      );
    const other = { ...held, symbolId: 'ETH-USDT-M' };
    expect(specs(config, [other])).toMatchObject({ multiplier: '10', priceDecimals: 1, quantityDecimals: 3 });
    expect(specs(config, [{ ...held, symbolId: 'BTC-USDT-M' }]).multiplier).toBe('0.01');
    expect(specs(undefined, []).multiplier).toBeNull();
    const inverse = { ...config, contractSide: 'REVERSE' };
    expect(specs(inverse, [])).toMatchObject({ multiplier: null, quantityDecimals: 1 });
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
