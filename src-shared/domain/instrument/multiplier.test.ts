import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, divide, multiply, printFixed } from '../../amount.ts';
import type { Position } from '../../exchange-api/account.ts';
import type { HistoryOrder } from '../../exchange-api/order-history.ts';
import type { SymbolConfig } from '../../exchange-api/symbol-config.ts';
import { multiplierByFees, multiplierOf } from './multiplier.ts';

const position = (quantity: string, avgEntryPrice: string, entryValue: string): Position =>
  ({ quantity, avgEntryPrice, entryValue, markPrice: '95000.123', lastPrice: null }) as Position;

describe('the multiplier of a position', () => {
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
    expect(multiplierOf('FORWARD', [{ ...falling, quantity: '1' }])).toBeNull();
    const rising = { ...position('45000', '40000.0', '1.00000000'), markPrice: '45000.0' };
    expect(multiplierOf('REVERSE', [rising])).toBeNull();
    const above = { ...position('0.1', '40000.0', '5000.00'), markPrice: '50000.0' };
    expect(multiplierOf('FORWARD', [above])).toBeNull();
    // Beside a mark that does not explain the value it is a multiplier, and so is a power of ten at any mark.
    expect(multiplierOf('FORWARD', [{ ...above, markPrice: '0' }])).toBe('1.25');
    for (const [value, multiplier] of [
      ['47.930700', '0.001'],
      ['479307.00', '10'],
      ['11982.675', '0.25'],
    ] as const) {
      const level = { ...position('0.5', '95861.4', value), markPrice: '95861.4' };
      expect(multiplierOf('FORWARD', [level])).toBe(multiplier);
    }
    expect(multiplierOf('FORWARD', [{ ...falling, markPrice: '45000.7' }])).toBe('0.9');
  });

  it('is of each position’s own figures', () => {
    for (const [quantity, price, multiplier] of [
      ['2', '95861.4', '1'],
      ['0.2', '95861.4', '10'],
      ['2', '9586.14', '10'],
    ] as const)
      expect(multiplierOf('FORWARD', [position(quantity, price, '191722.8')])).toBe(multiplier);
  });

  it('is unknown without a position, or with one whose digits are too few', () => {
    expect(multiplierOf('FORWARD', [])).toBeNull();
    expect(multiplierOf('REVERSE', [position('1', '0.1', '0.1')])).toBeNull();
    expect(multiplierOf('FORWARD', [position('1', '1', '100.0')])).toBeNull();
    for (const missing of [null, '0', '-2'])
      for (const field of ['quantity', 'avgEntryPrice', 'entryValue']) {
        const odd = { ...position('2', '95861.4', '191722.8'), [field]: missing };
        expect(multiplierOf('FORWARD', [odd])).toBeNull();
        // Another position of the contract may show it.
        expect(multiplierOf('FORWARD', [odd, position('2', '95861.4', '1917228')])).toBe('10');
      }
  });
});

describe('the multiplier by fees', () => {
  const linear = {
    symbolId: 'SOL-USDT-M',
    contractSide: 'FORWARD',
    contractType: 'PERPETUAL',
  } as SymbolConfig;
  const inverse = {
    symbolId: 'BTC-USD-M',
    contractSide: 'REVERSE',
    contractType: 'PERPETUAL',
  } as SymbolConfig;
  const order = (more: Partial<HistoryOrder>): HistoryOrder =>
    ({
      ...{ type: 'MARKET', timeInForce: 'GTC', postOnly: 0, source: 0, feeAssetId: 'USDT' },
      ...{ feeRateMaker: '0.0002', feeRateTaker: '0.0005' },
      ...{ tradeQuantity: '2', avgPrice: '180.20', feeAmount: '1.802' },
      ...more,
    }) as HistoryOrder;
  const limit = (more: Partial<HistoryOrder>) => order({ type: 'LIMIT', ...more });
  const by = (...orders: HistoryOrder[]) => multiplierByFees(linear, orders);

  it('is fee ÷ (rate × quantity × average price), inverse: quantity / average price', () => {
    expect(by(order({}))).toBe('10');
    expect(by(order({ feeAmount: '0.1802' }))).toBe('1');
    expect(by(order({ feeAmount: '0.0001802' }))).toBe('0.001');
    const coins = order({
      feeAssetId: 'BTC',
      tradeQuantity: '50',
      avgPrice: '40000.0',
      feeAmount: '0.0000625',
    });
    expect(multiplierByFees(inverse, [coins])).toBe('100');
  });

  it('takes the maker’s rate for post-only, the taker’s for market, IOC and FOK', () => {
    expect(by(limit({ postOnly: 1, feeAmount: '0.7208' }))).toBe('10');
    expect(by(limit({ timeInForce: 'IOC' }))).toBe('10');
    expect(by(limit({ postOnly: true, timeInForce: 'FOK' }))).toBeNull();
    // Whatever the other rate is.
    const rebate = { feeRateMaker: '-0.0001' };
    for (const more of [{ type: 'MARKET' }, { timeInForce: 'IOC' }, { timeInForce: 'FOK' }] as const)
      expect(by(limit({ ...rebate, ...more }))).toBe('10');
    expect(by(limit({ ...rebate, timeInForce: 'GTX' }))).toBeNull();
    expect(by(limit({ feeRateTaker: null, feeAmount: '0.7208', postOnly: true }))).toBe('10');
    expect(by(limit({ feeRateTaker: null, feeAmount: '0.7208', postOnly: null }))).toBeNull();
  });

  it('takes either rate of another limit order, and none where a mixture of both could look like one', () => {
    expect(by(limit({}))).toBe('10');
    expect(by(limit({ feeAmount: '0.7208' }))).toBe('10');
    const rates = { feeRateMaker: '0.0001', feeRateTaker: '0.001' };
    expect(by(limit({ ...rates, feeAmount: '0.03604' }))).toBeNull();
    expect(by(limit({ ...rates, feeRateTaker: '0.00099', feeAmount: '0.3604' }))).toBe('10');
    expect(by(limit({ feeRateMaker: '0.0006' }))).toBeNull();
    // As maker 100, as taker 10.
    expect(by(limit({ ...rates, feeRateTaker: '0.00099', feeAmount: '3.6' }))).toBeNull();
    expect(by(limit({ feeRateMaker: '-0.0001' }))).toBeNull();
  });

  it('is no mixture of maker and taker fills', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (maker) => {
        const rate = divide(amount(String(2 * maker + 5 * (100 - maker))), amount('1000000'));
        const feeAmount = printFixed(multiply(rate, amount('3604')), 8);
        expect([null, '10']).toContain(by(limit({ feeAmount })));
      }),
    );
  });

  it('is unknown by a discount, another coin, a liquidation, a rebate, too few digits and no fill', () => {
    for (const more of [
      { feeAmount: '1.6218' },
      { feeAmount: '0.901' },
      { feeAssetId: 'BNB' },
      { source: 2 },
      { feeAmount: '-1.802' },
      { feeAmount: '2' },
      { feeAmount: '0' },
      { tradeQuantity: '0', avgPrice: null },
      { feeRateTaker: null },
      { feeRateTaker: '0' },
    ])
      expect(by(order(more))).toBeNull();
    expect(by()).toBeNull();
    expect(multiplierByFees({ ...linear, contractSide: 'OTHER' }, [order({})])).toBeNull();
    // The fee shows 10 to 12 only.
    expect(by(order({ feeAmount: '2', tradeQuantity: '1.8' }))).toBeNull();
    // The next order may show it.
    const discounted = order({ feeAmount: '1.6218' });
    expect(by(discounted, order({}))).toBe('10');
    // Nine tenths off look like another power of ten, unless an order shows otherwise.
    expect(by(order({ feeAmount: '0.1802' }), order({}))).toBeNull();
    expect(by(...Array.from({ length: 20 }, () => discounted), order({}))).toBeNull();
  });
});
