import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, divide, multiply, printFixed } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { OpenOrder } from '../../exchange-api/open-order.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { Trade } from '../../exchange-api/trade.ts';
import { inferSpecs, specsOf, multiplierOf } from './specs.ts';

const position = (quantity: string, avgEntryPrice: string, entryValue: string): Position =>
  ({ quantity, avgEntryPrice, entryValue, markPrice: '95000.123', lastPrice: null }) as Position;

describe('the multiplier', () => {
  it('is 1 where quantity is in the base coin', () => {
    expect(multiplierOf('FORWARD', [position('9.850', '95861.4', '944234.79')])).toBe('1');
  });

  it('is found despite rounded averages, linear and inverse', () => {
    const step = fc.constantFrom('0.0001', '0.001', '0.01', '1', '10', '100');
    fc.assert(
      fc.property(
        step,
        fc.integer({ min: 100, max: 100_000 }),
        fc.integer({ min: 1_000_000, max: 99_999_999 }),
        fc.boolean(),
        (multiplier, quantity, cents, forward) => {
          const price = divide(amount(cents.toString()), amount('1000'));
          const units = multiply(amount(quantity.toString()), amount(multiplier));
          const value = forward ? multiply(units, price) : divide(units, price);
          const seen = position(quantity.toString(), printFixed(price, 3), printFixed(value, 10));
          expect(multiplierOf(forward ? 'FORWARD' : 'REVERSE', [seen])).toBe(multiplier);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is 1 at a price of one digit, where zeros at the end are left out', () => {
    for (const [quantity, price, value] of [
      ['10', '2', '20'],
      ['1000', '0.2', '200'],
      ['1', '3', '3'],
      ['1000000', '0.00002', '20'],
      ['0.01', '97', '0.9'],
    ] as const)
      expect(multiplierOf('FORWARD', [position(quantity, price, value)])).toBe('1');
    expect(multiplierOf('REVERSE', [position('100', '2', '50')])).toBe('1');
    expect(multiplierOf('FORWARD', [position('10', '2', '200')])).toBe('10');
    expect(multiplierOf('FORWARD', [position('3', '20000.5', '300007.5')])).toBe('5');
    expect(multiplierOf('FORWARD', [position('3', '20000.5', '1500037.5')])).toBe('25');
    expect(multiplierOf('FORWARD', [position('3', '20000.5', '7500.1875')])).toBe('0.125');
  });

  it('is unknown where the entry value is none, such as one at the mark', () => {
    expect(multiplierOf('FORWARD', [position('0.1', '50000.0', '5186.0')])).toBeNull();
    expect(multiplierOf('FORWARD', [position('0.1', '50000', '5500')])).toBeNull();
    // 10 % below the average, where 0.9 fits as well; and 12.5 % above it for an inverse contract.
    const falling = { ...position('0.1', '50000.0', '4500.00'), markPrice: '45000.0' };
    expect(multiplierOf('FORWARD', [falling])).toBeNull();
    const rising = { ...position('45000', '40000.0', '1.00000000'), markPrice: '45000.0' };
    expect(multiplierOf('REVERSE', [rising])).toBeNull();
    // Beside a mark that does not explain the value it is a multiplier.
    expect(multiplierOf('FORWARD', [{ ...falling, markPrice: '45000.7' }])).toBe('0.9');
  });

  it('is unknown without a position, or with one too small to tell', () => {
    expect(multiplierOf('FORWARD', [])).toBeNull();
    expect(multiplierOf('REVERSE', [position('1', '0.1', '0.1')])).toBeNull();
  });
});

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
