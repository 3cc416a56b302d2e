import fc from 'fast-check';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { add, amount, larger, print, subtract, ZERO, type Amount } from '../../../src-shared/amount.ts';
import type { HistoryOrder } from '../../../src-shared/exchange-api/order-history.ts';
import { OrderWriter } from '../orders/writer.ts';
import { checkedAtOnce, openRecords, orderNumber, orders } from '../../../tests/archive/orders.ts';
import { openHere, START, temporaryFolder, tradeNumber } from '../../../tests/archive/trades.ts';
import { TradeWriter } from '../trades/writer.ts';
import { defineFunctions } from '../sqlite/functions.ts';
import { StringTable } from '../sqlite/string-table.ts';
import { DAY_MS } from '../../../src-shared/time.ts';

const ALL = { from: null, to: null, symbol: null };

/** The results of one coin, computed directly from the orders. */
function expectedResult(list: readonly HistoryOrder[], coin: string) {
  let net: Amount = ZERO;
  let peak: Amount = ZERO;
  let drawdown: Amount = ZERO;
  let profit: Amount = ZERO;
  let wins = 0;
  let losses = 0;
  const own = list
    .filter((one) => one.lockAssetId === coin)
    .sort((a, b) => a.mtime - b.mtime || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  for (const one of own) {
    const text = one.profit ?? '';
    const gain = amount(text);
    profit = add(profit, gain);
    if (!text.startsWith('-') && text !== '0') wins += 1;
    if (text.startsWith('-')) losses += 1;
    net = add(net, subtract(gain, amount(one.feeAmount ?? '')));
    peak = larger(peak, net);
    drawdown = larger(drawdown, subtract(peak, net));
  }
  return {
    orders: own.length,
    wins,
    losses,
    profit: print(profit),
    net: print(net),
    drawdown: print(drawdown),
  };
}

describe('statistics', () => {
  it('equal the sums of the orders, for any days and range', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(60), { maxLength: 40 }),
        fc.integer({ min: 1, max: 40_000_000 }),
        fc.nat(60),
        fc.nat(60),
        (numbers, step, a, b) => {
          const archive = openRecords();
          const made = numbers.map((n) =>
            orderNumber(n, { orderTime: START + n * step, mtime: START + n * step }),
          );
          // In two parts, so that a day is rebuilt.
          archive.writer.insert(made.slice(0, 7), null, [], 0);
          archive.writer.insert(made.slice(7), null, [], 0);
          const [from, to] = [START + Math.min(a, b) * step, START + Math.max(a, b) * step];
          for (const range of [ALL, { ...ALL, from, to }]) {
            const inside = made.filter(
              (one) => one.mtime >= (range.from ?? 0) && one.mtime <= (range.to ?? Infinity),
            );
            const { results, basis } = archive.stats.summary(range);
            for (const coin of ['BTC', 'USDT']) {
              const wanted = expectedResult(inside, coin);
              const found = results.find((one) => one.coin === coin);
              if (wanted.orders === 0) expect(found).toBeUndefined();
              else expect(found).toMatchObject(wanted);
            }
            expect(basis.orders).toBe(inside.length);
          }
          expect(checkedAtOnce(archive.db)).toMatchObject({ ok: true });
          archive.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are in the coin of the fee where an order that locked nothing names no other', () => {
    const { writer, stats, db, close } = openRecords();
    onTestFinished(close);
    const closing = { profit: '10', feeAmount: '1', lockAssetId: '' };
    writer.insert([orderNumber(0, closing), orderNumber(3, { profit: '0', feeAmount: '1' })], null, [], 0);
    expect(stats.summary(ALL).results).toMatchObject([{ coin: 'USDT', orders: 2, profit: '10', net: '8' }]);
    expect(checkedAtOnce(db)).toMatchObject({ ok: true });
  });

  it('return rates, contracts and days, without unfilled orders', () => {
    const { writer, stats, close } = openRecords();
    onTestFinished(close);
    writer.insert(
      [
        orderNumber(0, { profit: '10', feeAmount: '1', mtime: START }),
        orderNumber(3, { profit: '-4', feeAmount: '1', mtime: START + DAY_MS }),
        orderNumber(6, { profit: '0', feeAmount: '-0.5', mtime: START + DAY_MS + 1 }),
        orderNumber(9, { profit: '0', feeAmount: '0', tradeQuantity: '0.000', status: 'CANCELED' }),
        orderNumber(12, { profit: '0', feeAmount: '0', tradeQuantity: '0', status: 'NEW' }),
      ],
      null,
      [],
      0,
    );
    const { results, basis } = stats.summary(ALL);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      ...{ coin: 'USDT', orders: 3, wins: 1, losses: 1, grossProfit: '10', grossLoss: '-4', profit: '6' },
      ...{ fee: '1.5', net: '4.5', winRate: '50.00', profitFactor: '2.5000', drawdown: '5' },
    });
    expect(results[0]?.contracts.map((one) => [one.symbol, one.net])).toEqual([['BTC-USDT-M', '4.5']]);
    expect(basis).toEqual({ orders: 3, trades: 0, unsettled: 1, leftOut: { orders: 0, trades: 0 } });
    expect(stats.daily(ALL).days.map((one) => [one.day, one.results[0]?.net])).toEqual([
      [START, '9'],
      [START + DAY_MS, '-4.5'],
    ]);
    expect(stats.summary({ ...ALL, symbol: 'X-Y-M' }).results).toEqual([]);
  });

  it('count the trades of a contract that they spell differently', () => {
    const { orders: orderWriter, writer, stats, close } = openHere();
    onTestFinished(close);
    orderWriter.insert([orderNumber(0)], null, [], 0);
    const spelled = ['BTC_USDT', 'BTCUSDT', 'ETHUSDT'].map((symbol, n) => ({ ...tradeNumber(n), symbol }));
    writer.insert(spelled, null, 0);
    const one = { ...ALL, symbol: 'BTC-USDT-M' };
    expect(stats.summary(one).basis.trades).toBe(2);
    expect(stats.daily(one).basis.trades).toBe(2);
  });

  it('exclude unreadable profits and fees, and count their orders and trades', () => {
    const { writer, stats, db, strings, close } = openRecords();
    onTestFinished(close);
    writer.insert(
      [
        orderNumber(0, { profit: '10', feeAmount: '1', mtime: START }),
        orderNumber(3, { profit: null, received: { profit: 'soon' }, mtime: START }),
        orderNumber(6, { profit: '2', feeAmount: null, received: { feeAmount: '?' }, mtime: START + DAY_MS }),
        orderNumber(9, { tradeQuantity: null, received: { tradeQuantity: 'all' }, mtime: START + DAY_MS }),
        // An order that opens may name no profit; what was never filled has none.
        orderNumber(12, { profit: null, feeAmount: '0', reduceOnly: 0, mtime: START }),
        orderNumber(15, { profit: null, feeAmount: null, tradeQuantity: '0', mtime: START }),
        orderNumber(18, { profit: null, feeAmount: '0', reduceOnly: 1, mtime: START + 2 * DAY_MS }),
      ],
      null,
      [],
      0,
    );
    new TradeWriter(db, strings).insert(
      [tradeNumber(0, { fee: null, received: { fee: 'n/a' } }), tradeNumber(3, { fee: '0.1' })],
      null,
      0,
    );
    const { results, basis } = stats.summary(ALL);
    expect(results[0]).toMatchObject({ coin: 'USDT', profit: '12' });
    expect(basis).toMatchObject({ leftOut: { orders: 4, trades: 1 } });
    const daily = stats.daily({ ...ALL, from: START, to: START + DAY_MS });
    expect(daily.days.map((one) => one.leftOut)).toEqual([1, 2]);
    expect(daily.basis.leftOut).toEqual({ orders: 3, trades: 1 });
    expect(stats.summary({ ...ALL, symbol: 'X-Y-M' }).basis.leftOut).toEqual({ orders: 0, trades: 0 });
    expect(checkedAtOnce(db).ok).toBe(true);
  });

  it('have wrong stored totals found by the check', () => {
    const { writer, db, close } = openRecords();
    onTestFinished(close);
    writer.insert(orders(0, 50), null, [], 0);
    expect(checkedAtOnce(db).ok).toBe(true);
    db.exec("UPDATE order_day SET net = '1' WHERE symbol_id = 0");
    expect(
      checkedAtOnce(db)
        .checks.filter((one) => !one.ok)
        .map((one) => one.name),
    ).toEqual(['Results of orders by day']);
  });

  it('are cached until this connection or another one writes', () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const file = join(folder.path, 'a.sqlite');
    const { db, strings, orders: writer, stats } = openHere(file);
    writer.insert(orders(0, 9), null, [], 0);
    const first = stats.summary(ALL);
    expect(stats.summary(ALL)).toBe(first);
    expect(stats.summary({ ...ALL, symbol: 'BTC-USDT-M' })).not.toBe(first);
    writer.insert(orders(9, 10), null, [], 0);
    expect(stats.summary(ALL).basis.orders).toBe(10);
    const other = new DatabaseSync(file);
    defineFunctions(other);
    new OrderWriter(other, new StringTable(other)).insert(orders(10, 12), null, [], 0);
    other.close();
    strings.reload();
    expect(stats.summary(ALL).basis.orders).toBe(12);
    db.close();
  });
});
