import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, calculated, print, ZERO } from '../../amount.ts';
import { TripBook, type RoundTrip, type TripFill } from './round-trips.ts';

const fillOf = (side: string, qty: string, change: Partial<TripFill> = {}): TripFill => ({
  symbol: 'BTC-USDT-M',
  side,
  time: 1,
  orderId: '1',
  qty,
  quote: '300',
  fee: '0.3',
  feeAsset: 'USDT',
  maker: false,
  unread: false,
  inverse: false,
  ...change,
});
function tripsOf(fills: readonly TripFill[]): RoundTrip[] {
  const book = new TripBook();
  for (const fill of fills) book.take(fill);
  return book.trips();
}
const sum = (texts: readonly string[]): string =>
  print(texts.reduce((total, text) => add(total, calculated(text)), ZERO));

const decimal = fc.bigInt({ min: 1n, max: 10n ** 9n }).map((units) => {
  const text = String(units).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
});
const fills = fc
  .array(
    fc.record({
      symbol: fc.constantFrom('A', 'B'),
      side: fc.constantFrom('BUY', 'SELL'),
      // Few sizes, so that positions return to flat.
      qty: fc.oneof(fc.constantFrom('1', '2', '3'), decimal),
      quote: decimal,
      fee: fc.tuple(fc.boolean(), decimal).map(([minus, text]) => `${minus ? '-' : ''}${text}`),
      feeAsset: fc.constantFrom('USDT', 'BTC'),
      orderId: fc.constantFrom('1', '2', '3'),
      gap: fc.integer({ min: 0, max: 1 }),
      maker: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((list) => {
    let time = 0;
    return list.map(({ gap, ...fill }): TripFill => ({
      unread: false,
      ...fill,
      time: (time += gap),
      inverse: fill.symbol === 'B',
    }));
  });

describe('round trips', () => {
  it.each([
    ['BUY', 'LONG'],
    ['SELL', 'SHORT'],
  ] as const)(
    'count the order of an unreadable size by its side, in a position opened by %s',
    (side, direction) => {
      const other = side === 'BUY' ? 'SELL' : 'BUY';
      const unread = { quote: '0', unread: true };
      const [trip] = tripsOf([
        fillOf(side, '0', { ...unread, orderId: '1' }),
        fillOf(side, '2', { orderId: '2' }),
        fillOf(side, '0', { ...unread, orderId: '3' }),
        fillOf(other, '0', { ...unread, orderId: '4' }),
        fillOf(other, '2', { orderId: '5' }),
      ]);
      expect(trip).toMatchObject({ direction, entryQty: '2', exitQty: '2', closingOrders: ['4', '5'] });
    },
  );

  it('add up to the trades in quantity, quote quantity and fees', () => {
    fc.assert(
      fc.property(fills, (list) => {
        const trips = tripsOf(list);
        expect(sum(trips.flatMap((trip) => [trip.entryQty, trip.exitQty]))).toBe(
          sum(list.map((one) => one.qty)),
        );
        expect(sum(trips.flatMap((trip) => [trip.entryQuote, trip.exitQuote]))).toBe(
          sum(list.map((one) => one.quote)),
        );
        for (const asset of ['USDT', 'BTC'])
          expect(
            sum(
              trips.flatMap((trip) =>
                trip.fees.filter((fee) => fee.asset === asset).map((fee) => fee.amount),
              ),
            ),
          ).toBe(sum(list.filter((one) => one.feeAsset === asset).map((one) => one.fee)));
      }),
    );
  });

  it('end flat and identify their trades: each is in one trip, or in two if it reversed the position', () => {
    fc.assert(
      fc.property(fills, (list) => {
        const trips = tripsOf(list);
        for (const symbol of ['A', 'B']) {
          const own = list.filter((one) => one.symbol === symbol);
          let at = 0;
          for (const trip of trips.filter((one) => one.symbol === symbol)) {
            const first = own.findIndex((one) => one.time >= trip.opened) + trip.skip;
            expect([at, at - 1]).toContain(first);
            expect(own[first]?.time).toBe(trip.opened);
            at = first + trip.trades;
            expect(own[at - 1]?.time).toBe(trip.ended);
            const isOpen = trip.flags.includes('open');
            const counted =
              symbol === 'B' ? [trip.entryQuote, trip.exitQuote] : [trip.entryQty, trip.exitQty];
            expect(counted[0] === counted[1]).toBe(!isOpen);
          }
          expect(at).toBe(own.length);
          expect(
            trips.filter((one) => one.symbol === symbol && one.flags.includes('open')).length,
          ).toBeLessThan(2);
        }
      }),
    );
  });

  it('go from flat to flat, and mark what is open', () => {
    const trips = tripsOf([
      fillOf('BUY', '2'),
      fillOf('SELL', '1'),
      fillOf('SELL', '1'),
      fillOf('SELL', '5'),
    ]);
    expect(trips.map(({ direction, trades, flags }) => ({ direction, trades, flags }))).toEqual([
      { direction: 'LONG', trades: 3, flags: ['first-stored'] },
      { direction: 'SHORT', trades: 1, flags: ['open'] },
    ]);
  });

  it('split a reversing trade exactly', () => {
    const [first, second] = tripsOf([fillOf('BUY', '1'), fillOf('SELL', '3', { quote: '100', fee: '1' })]);
    expect([first?.exitQty, first?.exitQuote, first?.fees]).toEqual([
      '1',
      '33.333333333333333333',
      [{ asset: 'USDT', amount: '0.633333333333333333' }],
    ]);
    expect([second?.direction, second?.entryQty, second?.entryQuote, second?.flags]).toEqual([
      'SHORT',
      '2',
      '66.666666666666666667',
      ['turned-over', 'open'],
    ]);
  });

  it('count an inverse contract in quote units, since its base quantity changes with the price', () => {
    const [trip, second] = tripsOf([
      fillOf('BUY', '0.5', { quote: '100', inverse: true }),
      fillOf('SELL', '0.4', { quote: '100', inverse: true }),
    ]);
    expect(trip).toMatchObject({ entryQty: '0.5', exitQty: '0.4', peakQty: '100', flags: ['first-stored'] });
    expect(second).toBeUndefined();
  });

  it('note an order that closed parts of two trips', () => {
    const trips = tripsOf([
      fillOf('BUY', '1', { orderId: '1' }),
      fillOf('SELL', '1', { orderId: '2' }),
      fillOf('BUY', '1', { orderId: '3' }),
      fillOf('SELL', '1', { orderId: '2' }),
    ]);
    expect(trips.map((trip) => trip.flags.includes('shared-order'))).toEqual([true, true]);
    expect(trips[1]?.closingOrders).toEqual(['2']);
  });

  it('note an order that closed parts of two trips with others in between', () => {
    const trips = tripsOf([
      fillOf('SELL', '2', { orderId: '1' }),
      fillOf('BUY', '1', { orderId: 'resting' }),
      fillOf('BUY', '2', { orderId: 'turns' }),
      fillOf('SELL', '2', { orderId: 'turns back' }),
      fillOf('BUY', '1', { orderId: 'resting' }),
    ]);
    expect(trips.map((trip) => trip.flags.includes('shared-order'))).toEqual([true, false, true]);
  });

  it('take trades without an order id for those of several orders', () => {
    const trips = tripsOf(['BUY', 'SELL', 'BUY', 'SELL'].map((side) => fillOf(side, '1', { orderId: '' })));
    expect(trips.flatMap((trip) => trip.flags)).not.toContain('shared-order');
  });

  it('exclude a trade of unknown side, and note it', () => {
    const [trip] = tripsOf([fillOf('BUY', '1'), fillOf('SETTLE', '1'), fillOf('SELL', '1')]);
    expect(trip).toMatchObject({ entryQty: '1', exitQty: '1', trades: 3 });
    expect(trip?.flags).toContain('unknown-side');
    const [alone] = tripsOf([fillOf('SETTLE', '1')]);
    expect(alone).toMatchObject({
      direction: 'LONG',
      entryQty: '0',
      flags: ['first-stored', 'unknown-side', 'open'],
    });
  });

  it('count maker fills, keep the largest size, and note what could not be read', () => {
    const [trip] = tripsOf([
      fillOf('SELL', '2', { maker: true }),
      fillOf('SELL', '3'),
      fillOf('BUY', '4', { unread: true }),
      fillOf('SELL', '1'),
      fillOf('BUY', '2'),
    ]);
    expect(trip).toMatchObject({
      direction: 'SHORT',
      makers: 1,
      peakQty: '5',
      flags: ['first-stored', 'unread'],
    });
    const [clean] = tripsOf([fillOf('BUY', '1'), fillOf('SELL', '1', { maker: true })]);
    expect(clean).toMatchObject({ makers: 1, flags: ['first-stored'] });
  });

  it('note the reversal on both trips it divides', () => {
    const trips = tripsOf([
      fillOf('SELL', '1'),
      fillOf('BUY', '3', { orderId: '2' }),
      fillOf('SELL', '2', { orderId: '3' }),
    ]);
    expect(trips.map(({ direction, flags }) => ({ direction, flags }))).toEqual([
      { direction: 'SHORT', flags: ['first-stored', 'turned-over'] },
      { direction: 'LONG', flags: ['turned-over'] },
    ]);
  });

  it('begin from a position whose earlier trades are known', () => {
    const closing = (start: { readonly position: string; readonly seen: boolean }): RoundTrip[] => {
      const book = new TripBook({ symbol: 'BTC-USDT-M', time: 7, atTime: 3, ...start });
      for (const fill of [fillOf('BUY', '2', { time: 7 }), fillOf('BUY', '1', { time: 9 })]) book.take(fill);
      return book.trips();
    };
    // The first fill closes the rest of its trip; its place counts the earlier trades of that time.
    expect(closing({ position: '-2', seen: true })).toMatchObject([
      { direction: 'SHORT', opened: 7, skip: 3, exitQty: '2', entryQty: '0', flags: [] },
      { direction: 'LONG', opened: 9, skip: 0, entryQty: '1', flags: ['open'] },
    ]);
    expect(closing({ position: '-2', seen: false })[0]?.flags).toEqual(['first-stored']);
    expect(closing({ position: '0', seen: true })).toMatchObject([
      { direction: 'LONG', skip: 3, entryQty: '3', flags: ['open'] },
    ]);
  });
});
