import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '../../../src-shared/time.ts';
import { checkedAtOnce, orderNumber } from '../../../tests/archive/orders.ts';
import { openHere, START, tradeNumber } from '../../../tests/archive/trades.ts';
import { checkArchive } from './integrity.ts';

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
  const { db } = fixture();
  expect(checkedAtOnce(db)).toEqual({
    ok: true,
    checks: [
      { name: 'The file', ok: true, detail: 'Every page, index and constraint is in order.' },
      { name: 'Rows', ok: true, detail: 'No row is missing from the count of trades or orders.' },
      { name: DAYS, ok: true, detail: 'Each day’s sums equal its rows.' },
      { name: RESULTS, ok: true, detail: 'Each day’s results equal its rows.' },
    ],
  });
  expect(db.isTransaction).toBe(false);
});

it('finds an index that is damaged, and then no archive is in order', () => {
  const { db, wrong } = fixture();
  // The index has the orders that are not final: none. As SQLite now reads its definition, all are missing from it.
  db.enableDefensive(false);
  db.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'is_final = 0', 'is_final = 1') WHERE name = 'history_order_unsettled';
    PRAGMA writable_schema = RESET`);
  expect(wrong()).toEqual([
    ['The file', expect.stringContaining('row 1 missing from index history_order_unsettled; row 2 missing')],
  ]);
  expect(checkedAtOnce(db).ok).toBe(false);
});

it('reports its progress through the rows of trades and the days of orders', () => {
  const { db } = fixture();
  const same =
    'symbol, side, price, executed_qty, executed_quote_qty, fee, fee_asset, liquidity, "offset", order_id';
  db.exec(`WITH RECURSIVE more (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM more LIMIT 39996)
    INSERT INTO trade (trade_time, trade_id, ${same}) SELECT trade_time, id, ${same} FROM trade, more WHERE seq = 1`);
  const progress: number[] = [];
  const steps = checkArchive(db);
  for (let step = steps.next(); step.done !== true; step = steps.next()) progress.push(step.value);
  expect(progress).toEqual([0, 35, 57.5, 80, 90, 100]);
});

it.each(['symbol', 'side', 'liquidity', 'feeAsset'])('knows the sums of each %s of a day', (name) => {
  const { writer, wrong } = fixture();
  writer.insert(
    ['A', 'B'].map((value, n) =>
      tradeNumber(10 + n, {
        side: 'BUY',
        symbol: 'C-USDT-M',
        feeAsset: 'C',
        liquidity: 'TAKER',
        tradeTime: START,
        [name]: value,
      }),
    ),
    null,
    0,
  );
  expect(wrong()).toEqual([]);
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

it('finds a result that is missing, of one coin of two', () => {
  const { orders, run, wrong } = fixture();
  orders.insert([orderNumber(5, { mtime: START, profit: '1' })], ...([null, [], 0] as const));
  expect(wrong()).toEqual([]);
  run(`DELETE FROM order_day WHERE day = ${FIRST_DAY} AND coin = (SELECT id FROM word WHERE value = 'BTC')`);
  expect(wrong()).toEqual([[RESULTS, differs(FIRST_DAY)]]);
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
