/** Sums by tag from the column cache equal the sums of the round trips as they are listed, in any history. */
import { expect, it, onTestFinished } from 'vitest';
import { add, amount, calculated, isPositive, isZero, print, ZERO } from '../../../src-shared/amount.ts';
import { uniqueTags, UNTAGGED } from '../../../src-shared/domain/history/order-notes.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import type { GroupContract, SumGroup, TripGroup } from '../../../src-shared/ipc/trade-groups.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { openHere, START, tradeNumber } from '../../../tests/archive/trades.ts';
import { createRandom, type SeededRandom } from '../../../tests/shared/seeded-random.ts';
import { requestHandlers } from '../handlers.ts';
import { profitChange } from './profit-finding.ts';

const CONTRACTS: readonly GroupContract[] = [
  { symbol: 'BTC-USDT-M', quantity: 'BTC', quote: 'USDT', margin: 'USDT', inverse: false },
  { symbol: 'ETH-USDT-M', quantity: 'ETH', quote: 'USDT', margin: 'USDT', inverse: false },
  { symbol: 'BTC-USD-M', quantity: 'USD', quote: 'USD', margin: 'BTC', inverse: true },
];

/** Trades of few sizes, so that positions become flat or reverse, and orders of one to three of them. */
function history(random: SeededRandom): { readonly list: readonly Trade[]; readonly orders: HistoryOrder[] } {
  const latest = new Map<string, readonly string[]>();
  const list = Array.from({ length: 160 }, (_, n) => {
    const { symbol, margin } = random.one(CONTRACTS);
    const open = latest.get(symbol) ?? [];
    // An order may trade again after another, and so close parts of two round trips.
    const orderId = open.length === 0 || random.often(60) ? String(1_000 + n) : random.one(open);
    latest.set(symbol, [orderId, ...open].slice(0, 3));
    return tradeNumber(n, {
      ...{ symbol, orderId, tradeId: String(n), tradeTime: START + Math.floor(n / 2) },
      side: random.often(1) ? 'SETTLE' : random.one(['BUY', 'SELL']),
      executedQty: random.one(['1', '1', '2', '0.5', '0']),
      executedQuoteQty: random.one(['60', '60', '120.000000000000000001']),
      feeAsset: random.often(90) ? margin : 'BNB',
      // What an exchange names otherwise is no maker.
      liquidity: random.one(['MAKER', 'TAKER', 'AUCTION']),
      ...(random.often(3) ? { fee: null, received: { fee: 'n/a' } } : {}),
    });
  });
  const ids = new Map(list.map(({ orderId, symbol }) => [orderId, symbol] as const));
  const orders = [...ids].map(([id, symbol], n) => {
    const coin = symbol === 'BTC-USD-M' ? 'BTC' : 'USDT';
    return orderNumber(n, {
      ...{ id, symbolId: symbol, lockAssetId: coin, feeAssetId: coin },
      ...{ status: random.often(75) ? 'FILLED' : 'NEW', reduceOnly: random.below(2) as 0 | 1 },
      profit: random.one(['0', '1.5', '-1.5', '0.000000000000000001', '-20000000000000000000']),
      ...(random.often(4) ? { profit: null, received: { profit: 'soon' } } : {}),
    });
  });
  return { list, orders };
}

function start(random: SeededRandom) {
  const archive = openHere();
  onTestFinished(archive.close);
  const { list, orders } = history(random);
  archive.writer.insert(list, null, 0);
  const log = requestHandlers(archive);
  const ask = async (by: 'tag' | 'round-trip', filter: TradeFilter) =>
    (
      await log.groups({
        ...{ by, filter, contracts: CONTRACTS, zone: 'UTC', offset: 0, limit: 500 },
        sort: { column: by === 'tag' ? 'tag' : 'time', descending: false },
      })
    ).rows;
  return {
    ...{ archive, orders },
    store: (some: readonly HistoryOrder[]) => archive.orders.insert(some, null, [], 0),
    tag: (n: number) =>
      archive.notes.save(START, orders[n]!.id, { text: '', tags: random.one([['a'], ['a', 'B'], ['b']]) }),
    trips: async (filter: TradeFilter) =>
      (await ask('round-trip', filter)).filter((row): row is TripGroup => row.kind === 'round-trip'),
    sums: async (filter: TradeFilter) =>
      (await ask('tag', filter)).filter((row): row is SumGroup => 'key' in row),
  };
}

/** The sums of listed round trips by tag and coin. */
function summed(trips: readonly TripGroup[]): ReadonlyMap<string, unknown> {
  const sum = (list: readonly string[]): string =>
    print(list.reduce((total, one) => add(total, calculated(one)), ZERO));
  const tagged = trips.flatMap((trip) => {
    const tags = uniqueTags(trip.noted.flatMap((one) => one.tags)).map((tag) => tag.toLowerCase());
    const coin = trip.symbol === 'BTC-USD-M' ? 'BTC' : 'USDT';
    return (tags.length === 0 ? [UNTAGGED] : tags).map((tag) => ({ key: `${tag} ${coin}`, trip }));
  });
  return new Map(
    [...Map.groupBy(tagged, ({ key }) => key)].map(([key, list]) => {
      const all = list.map(({ trip }) => trip);
      const open = all.filter(({ flags }) => flags.includes('open'));
      const known = all.filter(
        ({ flags, profit }) => !flags.includes('open') && !flags.includes('unread') && profit.value !== null,
      );
      const results = known.map(({ profit }) => amount(profit.value!));
      const fees = Map.groupBy(
        known.flatMap((trip) => trip.fees),
        ({ asset }) => asset,
      );
      return [
        key,
        {
          trips: {
            counted: known.length,
            wins: results.filter((one) => isPositive(one)).length,
            losses: results.filter((one) => !isPositive(one) && !isZero(one)).length,
            open: open.length,
            unknown: all.length - open.length - known.length,
          },
          trades: known.reduce((total, { trades }) => total + trades, 0),
          makers: known.reduce((total, { makers }) => total + makers, 0),
          volume: sum(known.flatMap(({ entryQuote, exitQuote }) => [entryQuote, exitQuote])),
          pnl: sum(known.map(({ profit }) => profit.value!)),
          fees: new Map([...fees].map(([asset, some]) => [asset, sum(some.map((one) => one.amount))])),
        },
      ];
    }),
  );
}

const found = (rows: readonly SumGroup[]): ReadonlyMap<string, unknown> =>
  new Map(
    rows.map(({ key, coin, trips, trades, makers, volume, pnl, fees }) => [
      `${key.toLowerCase()} ${coin}`,
      { trips, trades, makers, volume, pnl, fees: new Map(fees.map((one) => [one.asset, one.amount])) },
    ]),
  );

it.each(Array.from({ length: 12 }, (_, n) => n + 1))(
  'whatever is stored, changes, is tagged or read otherwise (history %i)',
  async (seed) => {
    const random = createRandom(seed);
    const { archive, orders, store, tag, trips, sums } = start(random);
    const [some, later] = [orders.slice(0, 90), orders.slice(90)];
    const agrees = async (filter: Partial<TradeFilter> = {}): Promise<void> => {
      const asked = { ...NO_FILTER, ...filter };
      expect(found(await sums(asked))).toEqual(summed(await trips(asked)));
    };
    await agrees();
    store(some);
    await agrees();
    for (const n of [3, 20, 21, 60]) tag(n % orders.length);
    await agrees();
    store(later);
    await agrees({ symbols: ['BTC-USD-M', 'ETH-USDT-M'] });
    store(orders.map((one) => ({ ...one, status: 'FILLED', profit: '2', mtime: one.mtime + 1_000 })));
    await agrees();
    await agrees({ from: START + 20, to: START + 60 });
    for (const _ of profitChange(archive.db, 'after-fees')) void _;
    await agrees();
    await agrees({ noted: { tags: [], text: null } });
  },
);
