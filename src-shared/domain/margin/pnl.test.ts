import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculated, negate, print } from '../../amount.ts';
import { DomainError } from '../numeric/decimal-input.ts';
import { openedProfit, profit } from './pnl.ts';
import { decimalText } from '../../../tests/domain/arbitraries.ts';
import { minus, order, over, parse, rational, times, ZERO } from '../../../tests/domain/rational.ts';

const money = fc.integer({ min: 1, max: 9_999_999 }).map((units) => decimalText(units, 2));

describe('profit', () => {
  it('is exact for linear contracts, in both directions', () => {
    const linear = { contractSide: 'FORWARD', quantity: '0.003', entryPrice: '64123.1' } as const;
    expect(profit({ ...linear, side: 'BUY', exitPrice: '64123.2' })).toBe('0.0003');
    expect(profit({ ...linear, side: 'SELL', exitPrice: '64123.2' })).toBe('-0.0003');
    expect(profit({ ...linear, side: 'SELL', exitPrice: '64123.1' })).toBe('0');
  });

  it('is in the coin for inverse contracts', () => {
    const inverse = { contractSide: 'REVERSE', side: 'BUY', quantity: '100', entryPrice: '50000' } as const;
    expect(profit({ ...inverse, exitPrice: '62500' })).toBe('0.0004');
    expect(profit({ ...inverse, exitPrice: '60000' })).toBe('0.00033333333333333333333');
  });

  it('is the other side’s loss', () => {
    fc.assert(
      fc.property(money, money, money, fc.boolean(), (quantity, entryPrice, exitPrice, linear) => {
        const trade = {
          contractSide: linear ? 'FORWARD' : 'REVERSE',
          quantity,
          entryPrice,
          exitPrice,
        } as const;
        expect(profit({ ...trade, side: 'SELL' })).toBe(
          print(negate(calculated(profit({ ...trade, side: 'BUY' })))),
        );
      }),
    );
  });

  it('agrees with rationals on inverse contracts', () => {
    fc.assert(
      fc.property(money, money, money, (quantity, entryPrice, exitPrice) => {
        const found = parse(
          profit({ contractSide: 'REVERSE', side: 'BUY', quantity, entryPrice, exitPrice }),
        );
        const each = minus(over(rational(1n), parse(entryPrice)), over(rational(1n), parse(exitPrice)));
        const expected = times(parse(quantity), each);
        const apart = minus(found, expected);
        const bound = over(expected, rational(10n ** 19n));
        const [size, most] = [apart, bound].map((one) => (one.n < 0n ? minus(ZERO, one) : one));
        if (!size || !most || order(size, most) > 0) expect.fail(`${found.n}/${found.d}`);
      }),
    );
  });

  it('keeps 12 significant digits of the smallest coin amounts', () => {
    const found = profit({
      contractSide: 'REVERSE',
      side: 'BUY',
      quantity: '0.000000000000000007',
      entryPrice: '99999999999999',
      exitPrice: '99999999999999.3',
    });
    expect(found).toMatch(/^0\.0{40,}[1-9]\d{11,}$/);
  });

  it('names the invalid input', () => {
    const input = {
      contractSide: 'FORWARD',
      side: 'BUY',
      quantity: '1',
      entryPrice: '1',
      exitPrice: '1',
    } as const;
    for (const field of ['quantity', 'entryPrice', 'exitPrice'] as const) {
      expect(() => profit({ ...input, [field]: '0' })).toThrow(DomainError);
      expect(() => profit({ ...input, [field]: '0' })).toThrow(
        expect.objectContaining({ field, value: '0' }),
      );
    }
  });
});

describe('unrealised PnL of what a fill opens', () => {
  const fill = { contractSide: 'FORWARD', quantity: '2', entryPrice: '100' } as const;
  it('is a loss at the mark, and never a gain', () => {
    const at = (side: 'BUY' | 'SELL', markPrice: string): string =>
      openedProfit({ ...fill, side, markPrice });
    expect(['97', '100', '103'].map((mark) => at('BUY', mark))).toEqual(['-6', '0', '0']);
    expect(['97', '100', '103'].map((mark) => at('SELL', mark))).toEqual(['0', '0', '-6']);
  });
});
