import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amount, AmountError, print, sum } from '../../../src-shared/amount.ts';
import { DecimalSum } from './decimal-sum.ts';
import { anyDecimal } from '../../../tests/archive/trades.ts';

const short = fc.tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.option(fc.nat(99_999)));

it('sums texts of any length like amounts', () => {
  const text = fc.oneof(
    short.map(([whole, part]) =>
      part === null ? String(whole) : `${whole}.${String(part).padStart(5, '0')}`,
    ),
    anyDecimal.filter((one) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(one)),
    fc.constantFrom('-0.00000000001', '99999999999999', '-9999999999999', '0', '-0', '0.10'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), fc.nat(60), (texts, look) => {
      const made = new DecimalSum();
      texts.forEach((one, at) => {
        made.add(one);
        if (at === look) made.text();
      });
      expect(made.text()).toBe(print(sum(texts.map(amount))));
    }),
  );
});

it('stays exact beyond the safe integers', () => {
  const made = new DecimalSum();
  for (let n = 0; n < 2_000; n++) made.add('99999999999999');
  for (let n = 0; n < 2_000; n++) made.add('0.000000000001');
  expect(made.text()).toBe('199999999999998000.000000002');
});

it('continues from a sum, and rejects more than 40 decimals', () => {
  const made = new DecimalSum('-12345678901234567890.000000000000000001');
  made.add('0.5');
  expect(made.text()).toBe('-12345678901234567889.500000000000000001');
  expect(() => made.add(`0.${'0'.repeat(40)}1`)).toThrow(AmountError);
  expect(new DecimalSum('-0').text()).toBe('0');
});

it.each(['', '-', '.', '1.', '.5', '-.5', '1e5', '1.2.3', 'x', '--1'])('refuses “%s”', (text) => {
  const made = new DecimalSum();
  expect(() => made.add(text)).toThrow(AmountError);
});
