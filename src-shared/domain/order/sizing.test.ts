import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialMargin, positionValue } from '../margin/margin.ts';
import { profit } from '../margin/pnl.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import { quantityForNotional, quantityForRisk, quantityForShare, freeMargin } from './sizing.ts';
import { contractSide, decimalText, side } from '../../../tests/domain/arbitraries.ts';
import { minus, order, parse, plus, type Rational, times, ZERO } from '../../../tests/domain/rational.ts';

const decimals = fc.integer({ min: 0, max: 8 });
const money = fc.integer({ min: 1, max: 99_999_999 }).map((units) => decimalText(units, 3));
const price = fc.integer({ min: 1, max: 9_999_999 }).map((units) => decimalText(units, 2));
const feeRate = fc.constantFrom('0', '0.0006', '0.01');

/** Expects the quantity's `cost` to be within the budget, and one more unit's not to be. */
function expectLargest(
  quantity: string,
  places: number,
  budget: Rational,
  cost: (quantity: string) => Rational,
): void {
  expect(quantity.split('.')[1]?.length ?? 0).toBeLessThanOrEqual(places);
  // Costs of inverse contracts are divided, at 20 digits: half of the last may be too much.
  const rounding = times(budget, parse('0.0000000000000000001'));
  const within = quantity === '0' || order(cost(quantity), plus(budget, rounding)) <= 0;
  const units = parse(quantity).n * (10n ** BigInt(places) / parse(quantity).d) + 1n;
  const next = plainUnits(units, places);
  const above = order(cost(next), minus(budget, rounding)) >= 0;
  if (!within || !above)
    expect.fail(`${quantity} within: ${String(within)}; ${next} above: ${String(above)}`);
}

function plainUnits(units: bigint, places: number): string {
  const digits = String(units).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const distance = (value: Rational): Rational => (value.n < 0n ? minus(ZERO, value) : value);

describe('quantity for a notional', () => {
  it('is the largest with that value', () => {
    fc.assert(
      fc.property(contractSide, money, price, decimals, (contract, notional, at, places) => {
        const input = { contractSide: contract, notional, price: at, decimals: places };
        expectLargest(quantityForNotional(input), places, parse(notional), (quantity) =>
          parse(positionValue({ contractSide: contract, quantity, price: at })),
        );
      }),
    );
  });

  it('rounds down, to 0 if less than one unit', () => {
    const linear = { contractSide: 'FORWARD', price: '64000', decimals: 3 } as const;
    expect(quantityForNotional({ ...linear, notional: '127.999' })).toBe('0.001');
    expect(quantityForNotional({ ...linear, notional: '128' })).toBe('0.002');
    expect(quantityForNotional({ ...linear, notional: '63.999999' })).toBe('0');
    expect(quantityForNotional({ ...linear, notional: '0' })).toBe('0');
    const inverse = { contractSide: 'REVERSE', price: '64000', decimals: 0 } as const;
    expect(quantityForNotional({ ...inverse, notional: '0.0015625' })).toBe('100');
    expect(quantityForNotional({ ...inverse, notional: '0.00156249' })).toBe('99');
  });
});

describe('quantity for a share of free margin', () => {
  it('is the largest whose margin and fee fit', () => {
    fc.assert(
      fc.property(
        fc.tuple(contractSide, money, price, decimals),
        fc.constantFrom('0.01', '0.25', '0.333', '1'),
        fc.constantFrom('1', '3', '20', '125'),
        feeRate,
        ([contract, available, at, places], share, leverage, fee) => {
          const input = {
            contractSide: contract,
            share,
            leverage,
            price: at,
            feeRate: fee,
            decimals: places,
          };
          const found = quantityForShare({ ...input, freeMargin: available });
          const budget = times(parse(available), parse(share));
          expectLargest(found, places, budget, (quantity) => {
            const taken = { contractSide: contract, quantity, price: at };
            const feePaid = times(parse(positionValue(taken)), parse(fee));
            return plus(parse(initialMargin({ ...taken, leverage })), feePaid);
          });
        },
      ),
    );
  });

  it('is 0 without free margin, and rejects a share above 1', () => {
    const input = {
      contractSide: 'FORWARD',
      freeMargin: '-5',
      share: '1',
      leverage: '10',
      price: '10',
      feeRate: '0',
      decimals: 2,
    } as const;
    expect(quantityForShare(input)).toBe('0');
    expect(quantityForShare({ ...input, freeMargin: '5' })).toBe('5');
    const over = { ...input, share: '1.01' };
    expect(() => quantityForShare(over)).toThrow(expect.objectContaining({ field: 'share' }));
  });
});

describe('quantity for a risk', () => {
  it('loses at most that at the stop, with both fees paid', () => {
    fc.assert(
      fc.property(
        fc.tuple(contractSide, side, money, decimals),
        price,
        price,
        feeRate,
        ([contract, way, risk, places], one, other, fee) => {
          fc.pre(one !== other);
          const oneIsLow = order(parse(one), parse(other)) < 0;
          const [low, high] = oneIsLow ? [one, other] : [other, one];
          const [entryPrice, stopPrice] = way === 'BUY' ? [high, low] : [low, high];
          const trade = { contractSide: contract, side: way, entryPrice };
          const found = quantityForRisk({ ...trade, stopPrice, risk, feeRate: fee, decimals: places });
          expectLargest(found, places, parse(risk), (quantity) => {
            const value = (at: string): Rational =>
              parse(positionValue({ contractSide: contract, quantity, price: at }));
            const fees = times(plus(value(entryPrice), value(stopPrice)), parse(fee));
            return plus(distance(parse(profit({ ...trade, quantity, exitPrice: stopPrice }))), fees);
          });
        },
      ),
    );
  });

  it('rejects a stop on the profit side', () => {
    const input = {
      contractSide: 'FORWARD',
      side: 'BUY',
      risk: '10',
      entryPrice: '100',
      stopPrice: '95',
      feeRate: '0',
      decimals: 1,
    } as const;
    expect(quantityForRisk(input)).toBe('2');
    for (const stopPrice of ['100', '101']) {
      expect(() => quantityForRisk({ ...input, stopPrice })).toThrow(
        new DomainError('stopPrice', stopPrice, 'must be below the entry 100'),
      );
    }
    expect(() => quantityForRisk({ ...input, side: 'SELL' })).toThrow(
      new DomainError('stopPrice', '95', 'must be above the entry 100'),
    );
  });

  it('has at most 18 decimals', () => {
    const input = {
      contractSide: 'FORWARD',
      side: 'BUY',
      risk: '1',
      entryPrice: '6',
      stopPrice: '3',
      feeRate: '0',
      decimals: 18,
    } as const;
    expect(quantityForRisk(input)).toBe('0.333333333333333333');
    for (const places of [-1, 1.5, 19, Number.NaN]) {
      expect(() => quantityForRisk({ ...input, decimals: places })).toThrow(
        expect.objectContaining({ field: 'decimals' }),
      );
    }
  });
});

describe('free margin', () => {
  it('subtracts unrealised cross PnL of either sign', () => {
    expect(freeMargin({ coin: 'USDT', balance: '100', locked: '30', crossProfitUnreal: '-20' })).toBe('50');
    expect(freeMargin({ coin: 'USDT', balance: '100', locked: '30', crossProfitUnreal: '20' })).toBe('50');
    expect(freeMargin({ coin: 'USDT', balance: '10', locked: '30', crossProfitUnreal: '0' })).toBe('-20');
  });
});
