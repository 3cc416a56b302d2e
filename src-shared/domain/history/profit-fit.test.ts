import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, amount, calculated, print, subtract, ZERO } from '../../amount.ts';
import {
  ENOUGH,
  fitProfit,
  grossOf,
  grossProfit,
  type ClosedPosition,
  type ProfitReading,
} from './profit-fit.ts';
import { TripBook, type RoundTrip, type TripFill } from './round-trips.ts';

const fill = (side: string, qty: string, quote: string, fee: string, orderId: string): TripFill => ({
  symbol: 'BTC-USDT-M',
  side,
  time: 1,
  orderId,
  qty,
  quote,
  fee,
  feeAsset: 'USDT',
  maker: false,
  unread: false,
  inverse: false,
});
function tripOf(...fills: readonly TripFill[]): RoundTrip {
  const book = new TripBook();
  for (const one of fills) book.take(one);
  return book.trips()[0]!;
}
const LONG = tripOf(fill('BUY', '1', '100', '0.05', '1'), fill('SELL', '1', '103.7', '0.052', '2'));
const FEES: Readonly<Record<ProfitReading, string>> = {
  'before-fees': '0',
  'after-fees': '0.052',
  'after-all-fees': '0.102',
};
const closed = (reading: ProfitReading, change: Partial<ClosedPosition> = {}): ClosedPosition => ({
  trip: LONG,
  inverse: false,
  coin: 'USDT',
  profit: print(subtract(amount('3.7'), amount(FEES[reading]))),
  closingFee: '0.052',
  ...change,
});
const times = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);
const NONE = { before: 0, after: 0, afterAll: 0, undecidable: 0, found: null };

describe('what a closed position says of the exchange’s profit', () => {
  it.each([
    ['before-fees', { before: 3 }],
    ['after-fees', { after: 3 }],
    ['after-all-fees', { afterAll: 3 }],
  ] as const)('%s, exact to the digit', (found, count) => {
    expect(fitProfit(times(closed(found), ENOUGH))).toEqual({ ...NONE, ...count, found });
  });

  it('after fees where the position was opened without one, which is after all fees, too', () => {
    const trip = tripOf(fill('BUY', '1', '100', '0', '1'), fill('SELL', '1', '103.7', '0.052', '2'));
    const count = { after: ENOUGH, found: 'after-fees' };
    expect(fitProfit(times(closed('after-fees', { trip }), ENOUGH))).toEqual({ ...NONE, ...count });
  });

  it('of sums of more than 40 digits', () => {
    const much = `1${'0'.repeat(40)}`;
    const trip = tripOf(fill('BUY', '1', '1', '0', '1'), fill('SELL', '1', '9'.repeat(40), '0', '2'));
    const one = closed('before-fees', { trip, profit: much, closingFee: much });
    expect(fitProfit([one])).toEqual({ ...NONE, undecidable: 1 });
  });

  it('finds nothing while too few positions agree, or two disagree', () => {
    const gross = closed('before-fees');
    expect(fitProfit([])).toEqual(NONE);
    expect(fitProfit([gross, gross])).toMatchObject({ before: 2, found: null });
    expect(fitProfit([...times(gross, 9), closed('after-fees')])).toMatchObject({
      before: 9,
      after: 1,
      found: null,
    });
  });

  it.each<[string, ClosedPosition]>([
    ['its orders are not all known', closed('before-fees', { profit: null })],
    ['a fee of them cannot be read', closed('before-fees', { closingFee: null })],
    ['it closed without a fee', closed('before-fees', { closingFee: '0' })],
    ['no fee explains the difference', closed('before-fees', { profit: '3.5' })],
    [
      'the fee is as small as a rounding',
      closed('before-fees', { profit: '3.7', closingFee: '0.1', coin: 'BNB' }),
    ],
    ['it was turned over', closed('before-fees', { trip: { ...LONG, flags: ['turned-over'] } })],
    [
      'an order closed another one too',
      closed('before-fees', { trip: { ...LONG, flags: ['shared-order'] } }),
    ],
    ['it is open', closed('before-fees', { trip: { ...LONG, flags: ['open'] } })],
    ...(['unknown-side', 'unread'] as const).map((flag): [string, ClosedPosition] => [
      `a trade of it is noted as ${flag}`,
      closed('before-fees', { trip: { ...LONG, flags: ['first-stored', flag] } }),
    ]),
  ])('decides nothing where %s', (_why, position) => {
    expect(fitProfit(times(position, 5))).toEqual({ ...NONE, undecidable: 5 });
  });

  it('allows a profit that was rounded, by less than a tenth of the fee', () => {
    expect(fitProfit(times(closed('after-fees', { profit: '3.6482' }), 3)).found).toBe('after-fees');
    expect(fitProfit(times(closed('after-fees', { profit: '3.660' }), 3)).found).toBeNull();
  });

  it('decides nothing by less than its orders may be rounded to', () => {
    // Money has two decimals here: 3.65 may be anything from 3.645 to 3.655, and a tenth of the fee is 0.005.
    const rounded = closed('after-fees', { profit: '3.65', closingFee: '0.05' });
    expect(fitProfit(times(rounded, 3))).toEqual({ ...NONE, undecidable: 3 });
  });

  it('leaves out what decides nothing, and fees in other coins', () => {
    const open = closed('before-fees', { trip: { ...LONG, flags: ['open'] } });
    expect(fitProfit([open, ...times(closed('after-fees'), 3)])).toMatchObject({
      ...{ after: 3, undecidable: 1 },
      found: 'after-fees',
    });
    const trip = { ...LONG, fees: [{ asset: 'BNB', amount: '0.052' }, ...LONG.fees] };
    expect(fitProfit(times(closed('after-all-fees', { trip }), 3)).found).toBe('after-all-fees');
  });

  it('counts an inverse contract in its coin, short and long', () => {
    const inverse = (side: string, qty: string, fee: string, orderId: string): TripFill => ({
      ...fill(side, qty, '100', fee, orderId),
      feeAsset: 'BTC',
      inverse: true,
    });
    const long = tripOf(
      inverse('BUY', '0.002', '0.0000100', '1'),
      inverse('SELL', '0.0016', '0.0000080', '2'),
    );
    const short = tripOf(
      inverse('SELL', '0.0016', '0.0000080', '1'),
      inverse('BUY', '0.002', '0.0000100', '2'),
    );
    expect(print(grossOf(long, true))).toBe('0.0004');
    expect(print(grossOf(short, true))).toBe('0.0004');
    const net = { trip: long, inverse: true, coin: 'BTC', profit: '0.000392', closingFee: '0.0000080' };
    expect(fitProfit(times(net, 3)).found).toBe('after-fees');
  });

  it('never takes one reading for another, whatever prices and fees are', () => {
    const money = fc
      .bigInt({ min: 1n, max: 10n ** 10n })
      .map((n) => print(calculated(`${n / 10_000n}.${String(n % 10_000n).padStart(4, '0')}`)));
    fc.assert(
      fc.property(
        money,
        money,
        money,
        money,
        fc.constantFrom<ProfitReading>('before-fees', 'after-fees', 'after-all-fees'),
        (entry, exit, feeIn, feeOut, truth) => {
          const trip = tripOf(fill('BUY', '1', entry, feeIn, '1'), fill('SELL', '1', exit, feeOut, '2'));
          const fee = {
            'before-fees': ZERO,
            'after-fees': amount(feeOut),
            'after-all-fees': add(amount(feeIn), amount(feeOut)),
          }[truth];
          const profit = print(subtract(grossOf(trip, false), fee));
          const fit = fitProfit(
            times({ trip, inverse: false, coin: 'USDT', profit, closingFee: feeOut }, ENOUGH),
          );
          expect([truth, null]).toContain(fit.found);
        },
      ),
    );
  });
});

describe('an order’s profit before fees', () => {
  const order = { profit: '3.648', fee: '0.052', sameCoin: true, reduceOnly: false };
  it('has its fee added where the exchange deducted it', () => {
    expect(grossProfit(order, 'after-fees')).toBe('3.7');
    expect(grossProfit(order, 'before-fees')).toBe('3.648');
    expect(grossProfit({ ...order, sameCoin: false }, 'after-fees')).toBe('3.648');
  });
  it('is none for an order that only opened', () => {
    expect(grossProfit({ ...order, profit: '0' }, 'after-fees')).toBe('0');
    expect(grossProfit({ ...order, profit: '0', reduceOnly: true }, 'after-fees')).toBe('0.052');
  });
});
