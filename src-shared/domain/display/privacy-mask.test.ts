import { expect, it } from 'vitest';
import { mapNumbers, withoutAmounts } from './privacy-mask.ts';

it.each([
  ['Bought 2.000 BTC-USDT-M', 'Bought ••••• BTC-USDT-M'],
  ['Buy 0.850 BTC-USDT-M at 97,250.0', 'Buy ••••• BTC-USDT-M at 97,250.0'],
  ['From 147,588.21092512 to −3 200.5 USDT', 'From ••••• to ••••• ••••• USDT'],
  ['Position was long 0.085, is short 1', 'Position was long •••••, is short •••••'],
  ['{"quantity":"0.001","price":61000}', '{"quantity":"•••••","price":61000}'],
  ['{"tpPrice":"98000","quantity":2}', '{"tpPrice":"98000","quantity":•••••}'],
  ['Margin 250 at price 61000, worth 15250', 'Margin ••••• at price 61000, worth •••••'],
  ['(residue 0.00000001)', '(residue •••••)'],
  ['Close −0.5, then +12', 'Close •••••, then •••••'],
  ['Bought 2 ×10 SOL', 'Bought ••••• ×10 SOL'],
])('masks the amounts in “%s”', (sentence, hidden) => {
  expect(withoutAmounts(sentence)).toBe(hidden);
});

it.each([
  'BTC-USDT-M long: liquidation ≈ 4.90% away',
  '1000000MOGWAI124-USDT-M 47.43% from liquidation',
  'Equity fell ≈ 10.00 % within 1 hour',
  'The account has not been read for 63 s',
  'the account was last read 2 min 5 s ago',
  'the account was last read 4 d 18 h ago',
  'Recorded 2026-11-21 22:35:23.683',
  'allows 2× at most',
  'Average price 95000.',
  'Mark 97,250.0, liquidation at 88,120.5. Threshold 10%.',
  'Found as order 734829105569911040',
  'BTC1225-USD-M and USDT2',
])('leaves “%s” as it is', (sentence) => {
  expect(withoutAmounts(sentence)).toBe(sentence);
});

it.each([
  [
    'Mark 62055.3, liquidation at 61000. Threshold 5%.',
    'Mark <62055.3>, liquidation at <61000>. Threshold 5%.',
  ],
  [
    'SOL-USDT-M long liquidated · 32.0 at 130.09 · −1459.84 USDT',
    'SOL-USDT-M long liquidated · <32.0> at <130.09> · <−1459.84> USDT',
  ],
  ['Order 1790448213507215512, code 700068', 'Order 1790448213507215512, code 700068'],
  ['Since 2026-11-22 16:13, in 2026', 'Since 2026-11-22 16:13, in 2026'],
  ['1000PEPE-USDT-M and 97,250.0', '1000PEPE-USDT-M and 97,250.0'],
  [
    'Notional is 11940.2× your equity, −2187.7% in 1200 s',
    'Notional is <11940.2>× your equity, <−2187.7>% in <1200> s',
  ],
  ['Crosses the mark 97000.0: rejected at 16:1300', 'Crosses the mark <97000.0>: rejected at 16:1300'],
  ['Line 1448: code 700017: no reply', 'Line 1448: code 700017: no reply'],
  ['20× at 16:13:1200, tier 2', '20× at 16:13:1200, tier 2'],
  ['0.5% more: a number such as 0.0005, at 127.0.0.1', '<0.5>% more: a number such as 0.0005, at 127.0.0.1'],
])('finds the numbers to write as the others in %s', (sentence, expected) => {
  expect(mapNumbers(sentence, (one) => `<${one}>`)).toBe(expected);
});
