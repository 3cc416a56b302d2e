import { describe, expect, it } from 'vitest';
import {
  add,
  amount,
  calculated,
  compareText,
  multiply,
  print,
  subtract,
  ZERO,
} from '../../../src-shared/amount.ts';
import {
  GROUP_COLUMNS,
  type GroupColumn,
  type GroupContract,
  type OrderGroup,
  type SumGroup,
  type TripGroup,
} from '../../../src-shared/ipc/trade-groups.ts';
import { NO_FILTER, type TradeFilter } from '../../../src-shared/ipc/trades.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import type { Trade } from '../../../src-shared/exchange-api/trade.ts';
import { orderNumber } from '../../../tests/archive/orders.ts';
import { matches, openHere, START, tradeNumber, trades } from '../../../tests/archive/trades.ts';
import { requestHandlers } from '../handlers.ts';

const LINEAR = { quote: 'USDT', margin: 'USDT', inverse: false } as const;
const CONTRACTS: readonly GroupContract[] = [
  { symbol: 'BTC-USDT-M', quantity: 'BTC', ...LINEAR },
  { symbol: 'ETH-USDT-M', quantity: 'ETH', ...LINEAR },
  { symbol: 'BTC-USD-M', quote: 'USD', margin: 'BTC', quantity: 'USD', inverse: true },
];
const HOUR = 3_600_000;

function start(list: readonly Trade[], orders: readonly HistoryOrder[]) {
  const archive = openHere();
  archive.writer.insert(list, null, 0);
  archive.orders.insert(orders, null, [], 0);
  return { ...archive, log: requestHandlers(archive) };
}
type Started = ReturnType<typeof start>;
const ask = (
  { log }: Started,
  by: keyof typeof GROUP_COLUMNS,
  change: { filter?: TradeFilter; column?: GroupColumn; descending?: boolean; zone?: string } = {},
) =>
  log.groups({
    by,
    filter: change.filter ?? NO_FILTER,
    sort: {
      column: change.column ?? (by === 'contract' ? 'symbol' : 'time'),
      descending: change.descending ?? false,
    },
    zone: change.zone ?? 'UTC',
    contracts: CONTRACTS,
    offset: 0,
    limit: 200,
  });
const sumsIn = async (...asked: Parameters<typeof ask>): Promise<SumGroup[]> => {
  const { rows } = await ask(...asked);
  return rows.filter((row) => row.kind !== 'order' && row.kind !== 'round-trip');
};
const total = (list: readonly (string | null)[]): string =>
  print(list.reduce((sum, text) => add(sum, amount(text ?? '0')), ZERO));

/** Ten days of trades, hours apart; each order of two trades, closing ones with a profit. */
const LIST = Array.from({ length: 240 }, (_, n) => {
  const contract = CONTRACTS[Math.floor(n / 2) % 3]!;
  return tradeNumber(n, {
    tradeTime: START + n * HOUR,
    symbol: contract.symbol,
    side: Math.floor(n / 6) % 2 === 0 ? 'BUY' : 'SELL',
    feeAsset: contract.margin,
  });
});
const ORDERS = [...Map.groupBy(LIST, ({ orderId }) => orderId)].map(([id, fills], n) => {
  const { symbol, tradeTime } = fills.at(-1)!;
  const coin = symbol === 'BTC-USD-M' ? 'BTC' : 'USDT';
  return orderNumber(n, {
    id,
    symbolId: symbol,
    status: 'FILLED',
    mtime: tradeTime + 5,
    profit: n % 2 === 0 ? '0' : `${n % 4 === 1 ? '' : '-'}${n}.125`,
    lockAssetId: coin,
    feeAssetId: coin,
  });
});
const dayIn = (time: number, hours: number): string =>
  new Date(time + hours * HOUR).toISOString().slice(0, 10);

describe('trades by contract, day and month', () => {
  it('equal the sums of their trades and closed orders, in UTC and another zone, for any filter', async () => {
    const archive = start(LIST, ORDERS);
    const within = { ...NO_FILTER, from: START + 30 * HOUR, to: START + 150 * HOUR + 7 };
    for (const [zone, hours] of [
      ['UTC', 0],
      ['Asia/Tokyo', 9],
    ] as const)
      for (const filter of [NO_FILTER, within, { ...within, symbols: ['BTC-USD-M', 'ETH-USDT-M'] }])
        for (const by of ['contract', 'day', 'month'] as const) {
          const fit = LIST.filter(matches(filter));
          const coinsOf = (symbol: string): string => (symbol === 'BTC-USD-M' ? 'BTC USD' : 'USDT USDT');
          const keyOf = ({ symbol, tradeTime }: Trade): string =>
            by === 'contract' ? symbol : dayIn(tradeTime, hours).slice(0, by === 'day' ? 10 : 7);
          const wanted = Map.groupBy(fit, (one) => `${keyOf(one)} ${coinsOf(one.symbol)}`);
          const found = await sumsIn(archive, by, { filter, zone });
          expect(new Set(found.map((row) => `${row.key} ${row.coin} ${row.quote}`))).toEqual(
            new Set(wanted.keys()),
          );
          for (const row of found) {
            const list = wanted.get(`${row.key} ${row.coin} ${row.quote}`)!;
            const last = new Map(LIST.map((one) => [one.orderId, one]));
            const closed = ORDERS.filter(({ id }) => list.includes(last.get(id)!));
            const pnl = total(closed.map(({ profit }) => profit));
            const fee = total(list.map((one) => one.fee));
            expect(row).toMatchObject({
              trades: list.length,
              makers: list.filter((one) => one.liquidity === 'MAKER').length,
              volume: total(list.map((one) => one.executedQuoteQty)),
              fees: [{ asset: row.coin, amount: fee }],
              pnl,
              net: print(subtract(calculated(pnl), calculated(fee))),
              unknown: null,
              uncovered: 0,
            });
            // Within a tenth of a basis point of net ÷ volume in the same coin.
            const turnover = total(
              list.map((one) => (row.coin === 'BTC' ? one.executedQty : one.executedQuoteQty)),
            );
            const asValue = print(multiply(calculated(row.bp!), calculated(turnover)));
            const exact = print(multiply(calculated(row.net!), amount('10000')));
            const off = print(subtract(calculated(asValue), calculated(exact)));
            expect(
              compareText(off.replace('-', ''), print(multiply(calculated(turnover), amount('0.05')))),
            ).toBeLessThan(1);
          }
        }
    archive.close();
  });

  it('separate different units, and total each coin', async () => {
    const list = [...trades(0, 6), tradeNumber(7, { symbol: 'OLD-EUR-M', orderId: '1' })];
    const archive = start(list, []);
    const { totals } = await ask(archive, 'day');
    expect(totals.map(({ coin, quote, symbols }) => [coin, quote, symbols])).toEqual([
      ['USDT', 'USDT', ['BTC-USDT-M', 'ETH-USDT-M']],
      ['BTC', 'USD', ['BTC-USD-M']],
      [null, null, ['OLD-EUR-M']],
    ]);
    expect(totals[0]!.volume).toBe(
      total(list.filter(({ symbol }) => symbol.endsWith('USDT-M')).map((one) => one.executedQuoteQty)),
    );
    archive.close();
  });

  it('give no PnL if the order history is incomplete, with the reason', async () => {
    const archive = start(LIST, ORDERS.slice(1));
    const [first] = await sumsIn(archive, 'day');
    expect(first).toMatchObject({ pnl: null, net: null, bp: null, unknown: 'orders', uncovered: 2 });
    const [, second] = await sumsIn(archive, 'contract', {
      filter: { ...NO_FILTER, liquidities: ['TAKER'] },
    });
    expect(second).toMatchObject({ pnl: null, unknown: 'filter' });
    // Once the missing order is stored the same request has it.
    archive.orders.insert([ORDERS[0]!], null, [], 0);
    const [after] = await sumsIn(archive, 'day');
    expect(after).toMatchObject({ unknown: null, uncovered: 0 });
    archive.close();
  });

  it('count fees and profits excluded from the totals, in their own day and contract', async () => {
    const list = LIST.map((one, n) => (n === 30 ? { ...one, fee: null, received: { fee: 'n/a' } } : one));
    const orders = ORDERS.map((one, n) =>
      n === 1 ? { ...one, profit: null, received: { profit: '1.2e999999' } } : one,
    );
    const archive = start(list, orders);
    const days = await sumsIn(archive, 'day');
    const inDay = (time: number) =>
      days.find(({ key, coin }) => key === dayIn(time, 0) && coin === 'USDT')?.leftOut;
    expect(inDay(LIST[2]!.tradeTime)).toEqual({ trades: 0, orders: 1 });
    expect(inDay(LIST[30]!.tradeTime)).toEqual({ trades: 1, orders: 0 });
    const first = days[0];
    expect(first!.pnl).toBe(
      (await sumsIn(start(LIST, ORDERS.with(1, { ...ORDERS[1]!, profit: '0' })), 'day'))[0]!.pnl,
    );
    const contracts = await sumsIn(archive, 'contract');
    const at = (symbol: string) => contracts.find(({ key }) => key === symbol)?.leftOut;
    expect(at(LIST[30]!.symbol)).toMatchObject({ trades: 1 });
    expect(at(ORDERS[1]!.symbolId)).toMatchObject({ orders: 1 });
    const { totals } = await ask(archive, 'month');
    expect(totals.reduce((sum, { leftOut }) => sum + leftOut.trades + leftOut.orders, 0)).toBe(2);
    const taker = { ...NO_FILTER, liquidities: ['TAKER'] };
    expect((await sumsIn(archive, 'day', { filter: taker }))[0]!.leftOut.orders).toBe(0);
    archive.close();
  });

  it('include an open order’s profit so far, and count it as open', async () => {
    const open = { ...ORDERS[1]!, status: 'NEW' as const };
    const archive = start(LIST, [ORDERS[0]!, open, ...ORDERS.slice(2)]);
    const whole = await sumsIn(start(LIST, ORDERS), 'contract');
    const found = await sumsIn(archive, 'contract');
    expect(found.map(({ pnl }) => pnl)).toEqual(whole.map(({ pnl }) => pnl));
    expect(found.reduce((sum, row) => sum + row.open, 0)).toBe(1);
    archive.close();
  });

  it('follow an order that changed before the newest one did', async () => {
    const [first, second, ...rest] = ORDERS;
    const open = { ...second!, status: 'NEW' as const, profit: '0', mtime: second!.orderTime };
    const archive = start(LIST, [first!, open, ...rest]);
    const whole = await sumsIn(start(LIST, ORDERS), 'contract');
    expect(await sumsIn(archive, 'contract')).not.toEqual(whole);
    archive.orders.insert([second!], null, [], 0);
    expect(await sumsIn(archive, 'contract')).toEqual(whole);
    archive.close();
  });
});

describe('the order of groups', () => {
  type Row = OrderGroup | TripGroup | SumGroup;
  const unitAndValue = (row: Row, column: GroupColumn): readonly [string, string | null] | null => {
    const contract = CONTRACTS.find(({ symbol }) => 'symbol' in row && symbol === row.symbol);
    if (column === 'fees') return [row.fees[0]!.asset, row.fees[0]!.amount];
    if (column === 'trades') return ['', String(row.trades)];
    if (row.kind === 'order') {
      if (column === 'quantity') return [contract!.inverse ? contract!.margin : contract!.quantity, row.qty];
      if (column === 'volume') return [contract!.quote, row.quote];
      return column === 'pnl' ? [contract!.margin, row.profit.value] : null;
    }
    if (row.kind === 'round-trip') {
      if (column === 'quantity') return [contract!.quantity, row.peakQty];
      return column === 'pnl' ? [contract!.margin, row.profit.value] : null;
    }
    if (column === 'volume') return [row.quote!, row.volume];
    if (column === 'bp') return ['', row.bp];
    return column === 'pnl' || column === 'net' ? [row.coin!, row[column]] : null;
  };

  it('is by coin, then exactly by value, unknown ones last, in every grouping and direction', async () => {
    const archive = start(LIST, ORDERS);
    for (const by of ['order', 'round-trip', 'contract', 'day', 'month'] as const)
      for (const column of GROUP_COLUMNS[by])
        for (const descending of [true, false]) {
          const { rows, count } = await ask(archive, by, { column, descending });
          expect(rows).toHaveLength(count);
          const keys = rows.map((row) => unitAndValue(row, column));
          for (const [at, key] of keys.slice(1).entries()) {
            const before = keys[at];
            if (before === null || before === undefined || key === null) continue;
            if (key[1] === null) continue;
            expect(before[1]).not.toBeNull();
            if (before[0] !== key[0])
              expect(keys.slice(at + 1).some((one) => one?.[0] === before[0])).toBe(false);
            else expect(compareText(before[1]!, key[1])).not.toBe(descending ? -1 : 1);
          }
        }
    archive.close();
  });

  it('has every group once, page after page', async () => {
    const archive = start(LIST, ORDERS);
    for (const by of ['order', 'round-trip'] as const) {
      const whole = await ask(archive, by, { column: 'fees', descending: true });
      const pages = [];
      for (let offset = 0; offset < whole.count; offset += 7)
        pages.push(
          ...(
            await archive.log.groups({
              by,
              filter: NO_FILTER,
              sort: { column: 'fees', descending: true },
              zone: 'UTC',
              contracts: CONTRACTS,
              offset,
              limit: 7,
            })
          ).rows,
        );
      expect(pages).toEqual(whole.rows);
    }
    archive.close();
  });
});

describe('trades that name their contract as a pair', () => {
  const PAIRS: Readonly<Record<string, string>> = {
    'BTC-USDT-M': 'BTCUSDT',
    'ETH-USDT-M': 'eth_usdt',
    'BTC-USD-M': 'BTCUSD',
  };
  const pairs = LIST.map((trade) => ({ ...trade, symbol: PAIRS[trade.symbol]! }));

  it('have the sums and coins of their contract', async () => {
    const [named, paired] = [start(LIST, ORDERS), start(pairs, ORDERS)];
    expect((await ask(paired, 'day')).totals).toMatchObject(
      (await ask(named, 'day')).totals.map(({ symbols, ...sums }) => ({
        ...sums,
        symbols: symbols.map((symbol) => PAIRS[symbol]),
      })),
    );
  });

  it('make the same round trips, an inverse contract’s by its quote quantities', async () => {
    const [named, paired] = [start(LIST, ORDERS), start(pairs, ORDERS)];
    const { rows } = await ask(named, 'round-trip', { column: 'pnl' });
    expect((await ask(paired, 'round-trip', { column: 'pnl' })).rows).toEqual(
      rows.map((row) => ('symbol' in row ? { ...row, symbol: PAIRS[row.symbol] } : row)),
    );
  });
});
