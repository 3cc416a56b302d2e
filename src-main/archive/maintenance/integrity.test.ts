import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '../../../src-shared/time.ts';
import { checkedAtOnce, orderNumber } from '../../../tests/archive/orders.ts';
import { openHere, START, tradeNumber } from '../../../tests/archive/trades.ts';

const DAYS = 'Sums of trades by day';
const RESULTS = 'Results of orders by day';
const FIRST_DAY = Math.floor(START / DAY_MS);
const name = (symbol: number): string => ['BTC-USDT-M', 'ETH-USDT-M'][symbol]!;

/** Trades and orders of two contracts on two days. */
function fixture() {
  const archive = openHere();
  onTestFinished(() => archive.close());
  const places = [0, 1, 2, 3].map((n) => ({
    n,
    symbol: name(n % 2),
    at: START + Math.floor(n / 2) * DAY_MS,
  }));
  archive.writer.insert(
    places.map(({ n, symbol, at }) => tradeNumber(n, { symbol, tradeTime: at })),
    null,
    0,
  );
  archive.orders.insert(
    places.map(({ n, symbol, at }) =>
      orderNumber(n, { symbolId: symbol, mtime: at, profit: n === 3 ? '-7' : '5', tradeQuantity: '1' }),
    ),
    ...([null, [], 0] as const),
  );
  const run = (sql: string): void => {
    expect(archive.db.prepare(sql).run().changes).toBeGreaterThan(0);
  };
  const wrong = () =>
    checkedAtOnce(archive.db)
      .checks.filter(({ ok }) => !ok)
      .map(({ name: check, detail }) => [check, detail]);
  return { ...archive, run, wrong };
}
const differs = (...days: readonly number[]): string =>
  days.map((day) => `${new Date(day * DAY_MS).toISOString().slice(0, 10)} differs from its rows`).join('; ');

it('finds nothing wrong with what was stored, and leaves no transaction open', () => {
  const { db, wrong } = fixture();
  expect(checkedAtOnce(db)).toMatchObject({ ok: true, checks: [{}, {}, {}, {}] });
  expect(wrong()).toEqual([]);
  expect(db.isTransaction).toBe(false);
});

it.each(['count', 'qty', 'quote', 'fee'])('finds another %s of a day’s trades', (column) => {
  const { run, wrong } = fixture();
  run(`UPDATE trade_day SET ${column} = 97 WHERE day = ${FIRST_DAY + 1}`);
  expect(wrong()).toEqual([[DAYS, expect.stringContaining(differs(FIRST_DAY + 1))]]);
});

it('finds a day of trades that is missing, and one without trades', () => {
  const { run, wrong } = fixture();
  run(`UPDATE trade_day SET day = 7 WHERE day = ${FIRST_DAY}`);
  const text = wrong()[0]?.[1];
  expect(wrong()).toHaveLength(1);
  for (const day of [7, FIRST_DAY]) expect(text).toContain(differs(day));
});

const COLUMNS = ['orders', 'wins', 'losses', 'gained', 'lost', 'fee', 'net', 'peak', 'trough', 'drawdown'];
it.each(COLUMNS.flatMap((column) => ['= 0', '<> 0'].map((of) => [column, of] as const)))(
  'finds another %s of a day’s orders, where symbol_id is %s',
  (column, of) => {
    const { run, wrong } = fixture();
    run(`UPDATE order_day SET ${column} = 97 WHERE day = ${FIRST_DAY} AND symbol_id ${of}`);
    expect(wrong()).toEqual([[RESULTS, differs(FIRST_DAY)]]);
  },
);

it.each(['= 0', '<> 0'])('finds a result that is missing, and one without orders: symbol_id %s', (of) => {
  const { run, wrong } = fixture();
  run(`UPDATE order_day SET day = 7 WHERE day = ${FIRST_DAY} AND symbol_id ${of}`);
  expect(wrong()).toEqual([[RESULTS, differs(FIRST_DAY, 7)]]);
});

it('finds the result of another coin', () => {
  const { run, wrong } = fixture();
  run(`UPDATE order_day SET coin = symbol_id WHERE day = ${FIRST_DAY} AND symbol_id <> 0`);
  expect(wrong()).toEqual([[RESULTS, differs(FIRST_DAY)]]);
});

it('finds rows that are gone, of trades and of orders', () => {
  const { run, wrong } = fixture();
  run('DELETE FROM trade WHERE seq = 2');
  run('DELETE FROM history_order WHERE seq < 3');
  expect(wrong()).toEqual([
    ['Rows', 'trade has 3 rows and numbers up to 4; history_order has 2 rows and numbers up to 4'],
    [DAYS, differs(FIRST_DAY)],
    [RESULTS, differs(FIRST_DAY)],
  ]);
});

it('names five days at most', () => {
  const { run, wrong, db } = fixture();
  run('DELETE FROM trade_day');
  for (let day = 1; day <= 6; day++)
    db.prepare(
      'INSERT INTO trade_day SELECT ?, symbol, side, liquidity, fee_asset, 1, 0, 0, 0 FROM trade WHERE seq = 1',
    ).run(day);
  expect(wrong()).toEqual([[DAYS, differs(1, 2, 3, 4, 5)]]);
});
