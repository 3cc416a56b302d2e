/** Archives of older versions, stored as SQL: opened, summed and exported digit for digit. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkedAtOnce, orderNumber } from '../../../tests/archive/orders.ts';
import { FULL_EXPORT, openHere, START, temporaryFolder, tradeNumber } from '../../../tests/archive/trades.ts';
import { NO_FILTER } from '../../../src-shared/ipc/trades.ts';
import { exportSource } from '../export/source.ts';
import { ORDER_ROW, orderOf } from '../orders/codec.ts';
import { hasOwnSchema } from './migrations.ts';

let folder = temporaryFolder();
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const NINES = '999999999999999999999999.999999999999999999';

function openOld(version: 6 | 7 | 8, prepare: (old: DatabaseSync) => void = () => undefined) {
  const file = join(folder.path, 'old.sqlite');
  const old = new DatabaseSync(file);
  old.exec(readFileSync(new URL(`../../../tests/archive/schema-${version}.sql`, import.meta.url), 'utf8'));
  // Else a backup of this version could not be restored: its steps are spelled as they were then.
  expect(hasOwnSchema(old)).toBe(true);
  prepare(old);
  old.close();
  const archive = openHere(file, 'one');
  const { db, strings, reader } = archive;
  expect(archive.movedAside).toBeNull();
  return {
    ...archive,
    rows: () => reader.page(NO_FILTER, 0, 10).rows.toReversed(),
    stored: () =>
      db
        .prepare(`SELECT ${ORDER_ROW} FROM history_order o ORDER BY seq`)
        .all()
        .map((row) => orderOf(row, strings)),
    csv: () =>
      Buffer.concat([...exportSource(archive, FULL_EXPORT).chunks].map(({ bytes }) => bytes))
        .toString()
        .split('\r\n'),
  };
}

const PLAIN = [
  tradeNumber(0, {
    ...{ price: '97250.10', executedQty: '0.010', executedQuoteQty: '972.5010', fee: '0.0100' },
    ...{ feeAsset: 'USDT', side: 'BUY', symbol: 'BTC-USDT-M' },
  }),
  tradeNumber(1, {
    ...{ price: NINES, executedQty: NINES, executedQuoteQty: NINES, fee: '-0.000000000000000001' },
    ...{ feeAsset: 'USDT', side: 'BUY', symbol: 'BTC-USDT-M', tradeId: '00012' },
  }),
  tradeNumber(2, {
    ...{ price: '1.50', executedQty: '2.000', executedQuoteQty: '3.00000', fee: '0.30', feeAsset: 'USDT' },
    ...{ side: 'SELL', symbol: 'ETH-USDT-M' },
    ...{ tradeId: '99999999999999999999', orderId: '18446744073709551615' },
  }),
];
const ORDERS = [
  orderNumber(0, { profit: '-1.50', feeAmount: '0.0360', id: '00007', reduceOnly: 1 }),
  orderNumber(3, { profit: '0.000000000000000001', feeAmount: '-0.10', price: '97250.10' }),
];
const LONG = `1${'0'.repeat(59)}`;

it('opens schema 6 with its numbers, and stores received texts from now on', () => {
  const { db, writer, totals, stats, orders, rows, stored, csv } = openOld(6);
  expect(rows()).toEqual(PLAIN);
  expect(stored()).toEqual(ORDERS);
  expect(totals.of(NO_FILTER)).toMatchObject({
    count: 3,
    leftOut: 0,
    fees: [{ asset: 'USDT', amount: '0.309999999999999999' }],
    symbols: [
      { boughtQty: '1000000000000000000000000.009999999999999999' },
      { soldQty: '2', soldQuote: '3' },
    ],
  });
  expect(stats.summary({ from: null, to: null, symbol: null })).toMatchObject({
    results: [{ coin: 'USDT', profit: '-1.499999999999999999', fee: '-0.064', net: '-1.435999999999999999' }],
    basis: { leftOut: { orders: 0, trades: 0 } },
  });
  expect(csv()[2]).toBe(
    `1792886401000,BTC-USDT-M,BUY,${NINES},${NINES},${NINES},-0.000000000000000001,USDT,TAKER,0,9007199254740993,00012`,
  );
  // Recognised as known; texts that its columns could not hold are now stored with them.
  expect(writer.insert(PLAIN, 'page 8', START)).toMatchObject({ added: 0, known: 3, seen: 3 });
  const odd = tradeNumber(3, { fee: null, received: { fee: 'n/a' } });
  writer.insert([odd], null, START);
  expect(rows()).toEqual([...PLAIN, odd]);
  expect(orders.insert(ORDERS, null, [], START)).toMatchObject({ known: 2 });
  expect(checkedAtOnce(db)).toMatchObject({ ok: true });
  db.close();
});

it('opens schema 7 with its received texts, excluded from totals and counted', () => {
  const { db, totals, stats, rows, stored, csv } = openOld(7);
  const odd = tradeNumber(3, {
    ...{ price: '1000', executedQty: null, fee: null, feeAsset: 'USDT', side: 'BUY', symbol: 'BTC-USDT-M' },
    received: { price: '1e3', executedQty: 'n/a, "none"', fee: LONG },
  });
  expect(rows()).toEqual([...PLAIN, odd]);
  expect(stored()).toEqual([...ORDERS, orderNumber(6, { profit: null, received: { profit: 'soon' } })]);
  expect(totals.of(NO_FILTER)).toMatchObject({
    count: 4,
    leftOut: 1,
    fees: [{ asset: 'USDT', amount: '0.309999999999999999' }],
  });
  expect(stats.summary({ from: null, to: null, symbol: null })).toMatchObject({
    results: [{ orders: 3, profit: '-1.499999999999999999' }],
    basis: { leftOut: { orders: 1, trades: 1 } },
  });
  expect(csv()[4]).toContain(`,BUY,1e3,"'n/a, ""none""",`);
  expect(csv()[4]).toContain(`,${LONG},USDT,`);
  expect(checkedAtOnce(db)).toMatchObject({ ok: true });
  db.close();
});

it('opens schema 8 with its records set aside, and keeps notes from now on', () => {
  const { db, writer, rows, notes, file } = openOld(8);
  expect(rows()).toHaveLength(4);
  expect(writer.state().checkpoint).toBe('{"page":8}');
  expect(writer.unreadable()).toMatchObject([{ message: 'tradeId: not given' }]);
  expect(notes.tags()).toEqual([]);
  notes.save(START, PLAIN[2]!.orderId, { text: 'why', tags: ['news'] });
  expect(checkedAtOnce(db)).toMatchObject({ ok: true });
  db.close();
  const again = openHere(file, 'one');
  expect(again.notes.of('18446744073709551615')).toMatchObject({ text: 'why', tags: ['news'] });
  expect(again.notes.of('9007199254740993')).toBeNull();
  again.close();
});

it('stores a second side that schema 8 quarantined, and leaves every other record there', () => {
  const [first] = PLAIN;
  if (first === undefined) throw new Error('no trade');
  const side = {
    ...first,
    side: 'SELL',
    orderId: '77',
    liquidity: 'TAKER',
    fee: null,
    received: { fee: 'n/a' },
  };
  const kept = [
    JSON.stringify({ ...first, price: '1' }),
    JSON.stringify({ ...side, fee: '9', received: undefined }),
    JSON.stringify({ ...side, tradeId: '404' }),
    '{"tradeId": "cut',
    '[]',
  ];
  const { db, file, reader, rows, writer } = openOld(8, (old) => {
    const put = old.prepare(
      'INSERT INTO quarantine (symbol, trade_id, content, received_at) VALUES (?, ?, ?, 5)',
    );
    // The side twice, once with another text of the same price.
    const sides = [side, { ...side, price: `${side.price}0` }].map((one) => JSON.stringify(one));
    for (const content of [kept[0]!, ...sides, ...kept.slice(1)])
      put.run(first.symbol, first.tradeId, content);
  });
  const left = (): unknown[] =>
    db
      .prepare('SELECT content FROM quarantine ORDER BY id')
      .all()
      .map((row) => row['content']);
  expect(left()).toEqual(kept);
  expect(rows()).toHaveLength(5);
  expect(rows()).toContainEqual(side);
  expect(writer.insert([side, first], null, START)).toMatchObject({ known: 2, quarantined: 0 });
  expect(reader.count({ ...NO_FILTER, sides: ['SELL'] })).toBe(2);
  expect(checkedAtOnce(db)).toMatchObject({ ok: true });
  db.close();
  const again = openHere(file, 'one');
  expect(again.writer.state()).toMatchObject({ stored: 5, quarantined: kept.length });
  again.close();
});
